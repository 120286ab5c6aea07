package switchboard.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The class path of Switchboard's processes, and an archive of the classes of its libraries as a JVM has them when it has
 * loaded them (class data sharing): with it a process starts with a third less work. It is made once for each build.
 */
final class ClassArchive {
    private static final String NATIVE = "--enable-native-access=ALL-UNNAMED";

    private static final List<String> OPTIONS = options();

    private ClassArchive() {}

    /** Options of the JVM: the archive and the class path. */
    static List<String> jvmOptions() {
        return OPTIONS;
    }

    private static List<String> options() {
        List<Path> all = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath())
                .toList();
        // An archive holds nothing of folders, and what it is made of has to come first.
        String libraries = joined(all.stream().filter(Files::isRegularFile));
        String classPath = libraries + File.pathSeparator + joined(all.stream().filter(Files::isDirectory));
        String id = UUID.nameUUIDFromBytes(libraries.getBytes(StandardCharsets.UTF_8))
                .toString();
        Path archive = Path.of("target", "linked-libraries-" + id + ".jsa").toAbsolutePath();
        try {
            OneAtATime.with(archive.resolveSibling("libraries.lock"), () -> {
                if (!Files.exists(archive)) {
                    make(archive, libraries, classPath);
                }
                return archive;
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // Where other modules or another collector do not go with the archive, the JVM does without it and says
        // nothing.
        return List.of(NATIVE, "-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off", "-Xlog:aot=off", "-cp", classPath);
    }

    private static String joined(Stream<Path> entries) {
        return String.join(File.pathSeparator, entries.map(Path::toString).toList());
    }

    /** From a run that stores a page: it loads what a gateway loads. */
    private static void make(Path archive, String libraries, String classPath) throws IOException {
        Path folder = Files.createTempDirectory("switchboard-archive");
        Path config = Files.writeString(folder.resolve("switchboard.yaml"), """
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """);
        Path classes = folder.resolve("classes");
        java(
                List.of("-XX:DumpLoadedClassList=" + classes, "-cp", classPath),
                List.of(
                        "switchboard.Main",
                        "ingest",
                        "README.md",
                        "--config=" + config,
                        "--data=" + folder.resolve("data")));
        Path made = archive.resolveSibling("new.jsa");
        java(
                List.of(
                        "-Xshare:dump",
                        "-XX:+AOTClassLinking",
                        "-XX:SharedClassListFile=" + classes,
                        "-XX:SharedArchiveFile=" + made,
                        "-cp",
                        libraries),
                List.of());
        Files.move(made, archive);
        Programs.delete(folder);
    }

    private static void java(List<String> options, List<String> program) {
        List<String> command = new ArrayList<>(List.of(SwitchboardProcess.program()));
        command.addAll(SwitchboardProcess.SHORT_LIVED);
        command.add(NATIVE);
        command.addAll(options);
        command.addAll(program);
        Programs.run(command, null);
    }
}
