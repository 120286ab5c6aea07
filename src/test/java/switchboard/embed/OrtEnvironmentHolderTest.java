package switchboard.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.Programs;

class OrtEnvironmentHolderTest {
    @TempDir
    private Path folder;

    @Test
    void aProcessThatStopsWhileItLoadsItsModelDoesNotCrash() {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:ErrorFile=" + folder.resolve("crash%p"),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                StoppingWhileLoading.class.getName());
        // Fails with what the process said if its exit code is not 0.
        assertEquals(StoppingWhileLoading.LOADED, Programs.run(command, null));
    }
}
