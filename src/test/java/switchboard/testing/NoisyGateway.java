package switchboard.testing;

import java.util.logging.Level;
import org.slf4j.LoggerFactory;
import switchboard.Main;

/** The program {@code switchboard}, in whose process libraries say things and a thread ends with an exception. */
public final class NoisyGateway {
    private NoisyGateway() {}

    /** Runs it; the noise begins when it has set up what becomes of such exceptions. */
    public static void main(String[] arguments) {
        Thread.ofPlatform().daemon().name("noise").start(() -> {
            while (Thread.getDefaultUncaughtExceptionHandler() == null) {
                Thread.onSpinWait();
            }
            LoggerFactory.getLogger("com.example.slf4j")
                    .atWarn()
                    .addKeyValue("level", 7)
                    .addKeyValue("whole", true)
                    .addKeyValue("what", (Object) null)
                    .log("two\nlines \"quoted\" \u0001 and half a character \ud83d");
            java.util.logging.Logger.getLogger("com.example.jul").log(Level.SEVERE, "{0}", "of the JDK");
            org.apache.logging.log4j.LogManager.getLogger("com.example.log4j").error("of Log4j");
            LoggerFactory.getLogger("com.example.long").error("x".repeat(100_000), new IllegalStateException("why\n{"));
            throw new IllegalArgumentException("nobody catches this");
        });
        Main.main(arguments);
    }
}
