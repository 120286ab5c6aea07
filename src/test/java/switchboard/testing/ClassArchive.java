package switchboard.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The class path of Switchboard's processes, and an archive of classes as a JVM has them when it has loaded them (class data
 * sharing): with it a process starts with much less work. In a run of all tests it has all classes, and is made once. In a run of
 * some it has those of the libraries only: it would be made again after each change, which takes longer than a test.
 */
final class ClassArchive {
    private static final String NATIVE = "--enable-native-access=ALL-UNNAMED";
    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final Path OWN = TARGET.resolve("classes");

    /** How the files begin that have all classes of a build. */
    private static final String WHOLE = "linked-all-";

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
        try {
            return OneAtATime.with(TARGET.resolve("libraries.lock"), () -> ofAllTests() ? whole(all) : libraries(all));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether Maven runs the tests, and nobody has named some of them. */
    private static boolean ofAllTests() {
        return System.getProperty("switchboard.fork") != null && System.getProperty("test") == null;
    }

    private static List<String> libraries(List<Path> all) throws IOException {
        String libraries = joined(all.stream().filter(Files::isRegularFile));
        return linked(
                "linked-libraries-" + id(libraries),
                libraries,
                joined(all.stream().filter(Files::isDirectory)));
    }

    private static List<String> whole(List<Path> all) throws IOException {
        String name = WHOLE + id(content());
        Path jar = TARGET.resolve(name + ".jar");
        if (!Files.exists(jar)) {
            removeEarlier();
            Path made = TARGET.resolve("new.jar");
            Path program = Path.of(System.getProperty("java.home"), "bin", "jar");
            Programs.run(
                    List.of(program.toString(), "-c", "-0", "-f", made.toString(), "-C", OWN.toString(), "."), null);
            Files.move(made, jar);
        }
        return linked(
                name,
                joined(Stream.concat(all.stream().filter(Files::isRegularFile), Stream.of(jar))),
                joined(all.stream().filter(entry -> Files.isDirectory(entry) && !entry.equals(OWN))));
    }

    /** What tells this build's classes from those of another one. */
    private static String content() throws IOException {
        StringBuilder content = new StringBuilder();
        try (Stream<Path> files = Files.walk(OWN)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                content.append(file)
                        .append(' ')
                        .append(Files.size(file))
                        .append(' ')
                        .append(Files.getLastModifiedTime(file))
                        .append('\n');
            }
        }
        return content.toString();
    }

    /** Those of earlier builds; they are large. */
    private static void removeEarlier() throws IOException {
        try (DirectoryStream<Path> earlier = Files.newDirectoryStream(TARGET, WHOLE + "*")) {
            for (Path file : earlier) {
                Files.delete(file);
            }
        }
    }

    /** An archive holds nothing of folders, and what it is made of, {@code archived}, has to come first. */
    private static List<String> linked(String name, String archived, String folders) throws IOException {
        Path archive = TARGET.resolve(name + ".jsa");
        String classPath = archived + File.pathSeparator + folders;
        if (!Files.exists(archive)) {
            make(archive, archived, classPath);
        }
        // Where other modules or another collector do not go with the archive, the JVM does without it and says
        // nothing.
        return List.of(NATIVE, "-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off", "-Xlog:aot=off", "-cp", classPath);
    }

    private static String id(String content) {
        return UUID.nameUUIDFromBytes(content.getBytes(StandardCharsets.UTF_8)).toString();
    }

    private static String joined(Stream<Path> entries) {
        return String.join(File.pathSeparator, entries.map(Path::toString).toList());
    }

    /** From a run that stores a page: it loads what a gateway loads. */
    private static void make(Path archive, String archived, String classPath) throws IOException {
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
                        archived),
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
