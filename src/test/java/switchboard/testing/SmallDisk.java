package switchboard.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A file system of a few MiB that can really be full or read-only. Only where this process may mount one. */
public final class SmallDisk implements AutoCloseable {
    private static final String BALLAST = "ballast";

    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** Mounts one on {@code folder}; gives the test up where that is not allowed. */
    public static SmallDisk mount(Path folder, int mebibytes) throws IOException {
        Files.createDirectories(folder);
        Assumptions.assumeTrue(
                run(List.of("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", folder.toString())),
                "this process may not mount a file system");
        return new SmallDisk(folder);
    }

    /** Where it is. */
    public Path folder() {
        return folder;
    }

    /** Takes all the room that is left. */
    public void fill() throws IOException {
        byte[] page = new byte[4096];
        boolean room = true;
        try (OutputStream out = Files.newOutputStream(folder.resolve(BALLAST))) {
            while (room) {
                try {
                    out.write(page);
                } catch (IOException _) {
                    room = false;
                }
            }
        }
    }

    /** Gives it back. */
    public void free() throws IOException {
        Files.deleteIfExists(folder.resolve(BALLAST));
    }

    @Override
    public void close() {
        run(List.of("umount", "-l", folder.toString()));
    }

    private static boolean run(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException _) {
            return false; // no such program
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException(e));
        }
    }
}
