package switchboard.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import switchboard.Main;

/**
 * A command of the operator that has run in this process.
 *
 * @param code its exit code
 * @param text what it has printed, errors included
 */
public record PrintedCommand(int code, String text) {
    /** Runs a command on the configuration {@code config} and the data folder {@code data}. */
    public static PrintedCommand run(Path config, Path data, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--config=" + config);
        all.add("--data=" + data);
        StringWriter printed = new StringWriter();
        PrintWriter both = new PrintWriter(printed, true);
        int code = Main.commandLine().setOut(both).setErr(both).execute(all.toArray(String[]::new));
        return new PrintedCommand(code, printed.toString());
    }

    /** The same with {@code switchboard.yaml} in the data folder. */
    public static PrintedCommand run(Path data, String... arguments) {
        return run(data.resolve("switchboard.yaml"), data, arguments);
    }

    /** What it has printed, if it has succeeded. */
    public String succeeded() {
        assertEquals(0, code, text);
        return text;
    }
}
