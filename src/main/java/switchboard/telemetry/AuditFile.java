package switchboard.telemetry;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import switchboard.files.PrivateFiles;

/**
 * A file that is rotated by size: {@code audit.jsonl} becomes {@code audit.jsonl.1}, that one {@code .2}, and the
 * oldest is deleted. If somebody else moves the file away, a new one is started. Readable by its owner only, if the
 * file system supports that.
 */
public final class AuditFile implements AuditSink {

    private final Path file;
    private final long maxBytes;
    private final int keep;
    private @Nullable FileChannel channel;
    private @Nullable Object opened;

    /**
     * Opens the file; creates its folder if necessary.
     *
     * @param maxBytes size at which it is rotated; a single write may be larger
     * @param keep how many older files are kept, from 0
     */
    public AuditFile(Path file, long maxBytes, int keep) throws IOException {
        this.file = file;
        this.maxBytes = maxBytes;
        this.keep = keep;
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            PrivateFiles.folders(folder);
        }
        channel = open();
    }

    @Override
    public void write(List<byte[]> lines) throws IOException {
        int bytes = lines.stream().mapToInt(line -> line.length).sum();
        FileChannel out = ready(bytes);
        long before = out.size();
        try {
            ByteBuffer all = ByteBuffer.allocate(bytes);
            lines.forEach(all::put);
            all.flip();
            while (all.hasRemaining()) {
                out.write(all);
            }
        } catch (IOException e) {
            undo(out, before, e);
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
            channel = null;
        }
    }

    /** The channel to append {@code bytes} to. The file is rotated first if they don't fit. */
    private FileChannel ready(int bytes) throws IOException {
        if (channel != null && !(Files.exists(file) && Objects.equals(opened, key()))) {
            close();
        }
        FileChannel current = channel == null ? open() : channel;
        channel = current;
        if (current.size() == 0 || current.size() + bytes <= maxBytes) {
            return current;
        }
        close();
        putAside();
        FileChannel fresh = open();
        channel = fresh;
        return fresh;
    }

    private void putAside() throws IOException {
        if (keep == 0) {
            Files.delete(file);
            return;
        }
        for (int age = keep - 1; age >= 1; age--) {
            if (Files.exists(older(age))) {
                Files.move(older(age), older(age + 1), REPLACE_EXISTING);
            }
        }
        Files.move(file, older(1), REPLACE_EXISTING);
    }

    private Path older(int age) {
        return file.resolveSibling(file.getFileName() + "." + age);
    }

    private FileChannel open() throws IOException {
        FileChannel fresh = PrivateFiles.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        opened = key();
        return fresh;
    }

    /** Identifies the file independently of its name; null if the file system has no such key. */
    private @Nullable Object key() throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    /** Removes a partial write, so that the lines can be written again, and reopens the file at the next write. */
    private void undo(FileChannel out, long size, IOException reason) {
        try (out) {
            out.truncate(size);
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
        channel = null;
    }
}
