package switchboard.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How to start the command line of this build as a process of its own, without packaging it. */
public final class SwitchboardProcess {
    /** For a JVM that does little and ends soon: most of its work is compiling, twice as much with the second compiler. */
    public static final List<String> SHORT_LIVED = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    /** For a JVM that is measured: as a gateway in use has it, with the second compiler and what Lucene computes vectors with. */
    public static final List<String> LASTING = List.of("--add-modules=jdk.incubator.vector");

    private SwitchboardProcess() {}

    /** The program; {@link #arguments} come after it. */
    public static String program() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** What makes {@link #program} run Switchboard with {@code arguments}. */
    public static List<String> arguments(String... arguments) {
        List<String> all = new ArrayList<>(SHORT_LIVED);
        all.addAll(List.of(
                "-Xmx512m",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dfile.encoding=UTF-8",
                "-Dswitchboard.home=" + Path.of("").toAbsolutePath(),
                "-Dlogback.configurationFile=" + Path.of("conf", "logback.xml").toAbsolutePath()));
        all.addAll(ClassArchive.jvmOptions());
        all.add("switchboard.Main");
        all.addAll(List.of(arguments));
        return all;
    }

    /** The whole command line. */
    public static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(program()));
        command.addAll(arguments(arguments));
        return command;
    }
}
