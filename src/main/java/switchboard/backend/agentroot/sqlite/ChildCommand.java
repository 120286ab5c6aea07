package switchboard.backend.agentroot.sqlite;

import com.fasterxml.jackson.core.JsonFactory;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sqlite.JDBC;

/**
 * The command for the process of a statement: a small JVM with the few classes it needs, no environment except the
 * encoding of file names, and limits of the operating system on memory and file sizes, if there is a shell to set
 * them.
 */
record ChildCommand(SqliteLimits limits, Path folder) {
    private static final Path SHELL = Path.of("/bin/sh");

    /** A bound that the system refuses to set is left out: {@link ResourceWatchdog} has its own. */
    private static final String BOUNDED = "for bound in \"-c 0\" \"-f $1\" \"-d $2\"; do"
            + " (ulimit $bound) 2>/dev/null && ulimit $bound; done; shift 2; exec \"$@\"";

    /** Memory of JVM and SQLite before there is a statement, in bytes. */
    private static final long BASE = 96L << 20;

    private static final List<String> PASSED_ON = List.of("LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH");

    ProcessBuilder builder() {
        ProcessBuilder builder = new ProcessBuilder(command());
        builder.directory(folder.toFile());
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(PASSED_ON);
        environment.put("SQLITE_TMPDIR", folder.toString());
        environment.put("MALLOC_ARENA_MAX", "1");
        return builder;
    }

    private List<String> command() {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(SHELL)) {
            command.addAll(List.of(
                    SHELL.toString(),
                    "-c",
                    BOUNDED,
                    "sh",
                    String.valueOf(limits.tempSpace() / 512),
                    String.valueOf((limits.memory() + BASE) / 1024)));
        }
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap(),
                "-Xss1m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:ReservedCodeCacheSize=16m",
                "-XX:MaxMetaspaceSize=64m",
                "-XX:CompressedClassSpaceSize=32m",
                "-XX:-UsePerfData",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:+DisplayVMOutputToStderr",
                "-XX:ErrorFile=" + folder.resolve("error"),
                "-Djava.io.tmpdir=" + folder,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath(),
                SqliteMain.class.getName()));
        return command;
    }

    /** Room for a few values at once, as characters and as bytes. */
    private long heap() {
        return Math.min(limits.memory() / 2, (32L << 20) + 8L * limits.valueBytes());
    }

    private static String classPath() {
        Set<String> places = new LinkedHashSet<>();
        for (Class<?> needed : List.of(SqliteMain.class, JsonFactory.class, JDBC.class)) {
            CodeSource source = needed.getProtectionDomain().getCodeSource();
            try {
                if (source != null && source.getLocation() != null) {
                    places.add(Path.of(source.getLocation().toURI()).toString());
                }
            } catch (URISyntaxException | IllegalArgumentException _) {
                // Not a file; the class path of this process has it.
            }
        }
        if (places.isEmpty()) {
            for (String place : System.getProperty("java.class.path").split(File.pathSeparator)) {
                places.add(Path.of(place).toAbsolutePath().toString());
            }
        }
        return String.join(File.pathSeparator, places);
    }
}
