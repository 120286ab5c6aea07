package switchboard.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import switchboard.testing.Eventually;

class OsSignalsTest {
    @Test
    void theSignalRunsTheActionInsteadOfEndingTheProcess() throws Exception {
        AtomicInteger signals = new AtomicInteger();
        // Not SIGHUP itself: under nohup a process never hears it.
        OsSignals.on("USR2", signals::incrementAndGet);
        for (int i = 1; i <= 2; i++) {
            int count = i;
            Process kill = new ProcessBuilder(
                            "kill",
                            "-USR2",
                            Long.toString(ProcessHandle.current().pid()))
                    .start();
            assertEquals(0, kill.waitFor());
            Eventually.within(
                    Eventually.OF_A_PROCESS, () -> signals.get() == count, () -> "signal " + count + " is heard");
        }
    }
}
