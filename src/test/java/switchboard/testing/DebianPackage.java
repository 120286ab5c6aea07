package switchboard.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Packages of Debian's, downloaded on first use and unpacked into the cache folder, without being installed. A machine
 * without apt fails the test by name.
 */
final class DebianPackage {
    private DebianPackage() {}

    /**
     * The folder that has the files of the package {@code name}, and of those of its dependencies whose names match
     * {@code libraries}.
     */
    static Path unpacked(String name, String libraries) throws IOException {
        return unpacked(name, () -> withDependencies(name, libraries));
    }

    /**
     * The folder that has the files of {@code packages}, and of all others that they need here: of what apt would install now
     * without what is only recommended. What is installed already is not in it. The first package names the folder.
     */
    static Path unpackedWithAll(List<String> packages) throws IOException {
        return unpacked(packages.getFirst(), () -> missing(packages));
    }

    /** Whether apt has heard of the package {@code name}. */
    static boolean known(String name) {
        return !Programs.run(List.of("sh", "-c", "apt-cache show \"$0\" 2>/dev/null || true", name), null)
                .isBlank();
    }

    /** The folders below {@code unpacked} that have libraries, separated by colons. */
    static String libraries(Path unpacked) throws IOException {
        try (Stream<Path> files = Files.walk(unpacked.resolve("usr/lib"))) {
            return files.filter(file -> file.getFileName().toString().contains(".so"))
                    .map(file -> file.getParent().toString())
                    .distinct()
                    .collect(Collectors.joining(":"));
        }
    }

    private static Path unpacked(String name, Supplier<List<String>> packages) throws IOException {
        Path done = Programs.cache().resolve(name + "-deb");
        return OneAtATime.with(
                done.resolveSibling(done.getFileName() + ".lock"),
                () -> Files.isDirectory(done) ? done : unpack(packages.get(), done));
    }

    private static List<String> withDependencies(String name, String libraries) {
        List<String> packages = new ArrayList<>(List.of(name));
        Programs.run(List.of("apt-cache", "depends", name), null)
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("Depends: "))
                .map(line -> line.substring("Depends: ".length()))
                .filter(dependency -> dependency.matches(libraries))
                .forEach(packages::add);
        return packages;
    }

    private static List<String> missing(List<String> packages) {
        List<String> command = new ArrayList<>(List.of("apt-get", "-s", "install", "--no-install-recommends"));
        command.addAll(packages);
        return Programs.run(command, null)
                .lines()
                .filter(line -> line.startsWith("Inst "))
                .map(line -> line.split(" ")[1])
                .toList();
    }

    private static Path unpack(List<String> packages, Path done) throws IOException {
        Path work = Files.createTempDirectory(Programs.cache(), "new-");
        List<String> download = new ArrayList<>(List.of(
                "sh",
                "-ec",
                "cd \"$0\"; apt-get -q download \"$@\";"
                        + " for package in *.deb; do dpkg -x \"$package\" unpacked; done; chmod -R a+rX .",
                work.toString()));
        download.addAll(packages);
        Programs.run(download, null);
        Files.move(work.resolve("unpacked"), done);
        Programs.delete(work);
        return done;
    }
}
