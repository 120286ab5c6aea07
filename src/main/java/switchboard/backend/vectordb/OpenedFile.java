package switchboard.backend.vectordb;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * A file below a folder, opened step by step from the folder itself: each step is taken in the open folder of the step
 * before and follows no symbolic link, so that a path which somebody changes meanwhile leads nowhere else. Where the
 * platform has no such steps (Windows), the path is looked at again after the file was opened.
 *
 * @param attributes of the file
 * @param content its bytes; empty for what is no regular file
 * @param folders those on the way, the last one first
 */
record OpenedFile(BasicFileAttributes attributes, InputStream content, Deque<AutoCloseable> folders)
        implements AutoCloseable {
    private static final Set<? extends java.nio.file.OpenOption> READ =
            Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

    /**
     * Opens {@code real}.
     *
     * @param root a folder above it
     * @param real a path without symbolic links
     * @throws IOException if it is not there, or not any more without symbolic links
     */
    static OpenedFile open(Path root, Path real) throws IOException {
        Deque<AutoCloseable> folders = new ArrayDeque<>();
        try {
            DirectoryStream<Path> folder = Files.newDirectoryStream(root);
            folders.push(folder);
            if (!(folder instanceof SecureDirectoryStream<Path> first)) {
                return openAndLookAgain(real, folders);
            }
            SecureDirectoryStream<Path> last = first;
            Path steps = root.relativize(real);
            Path above = steps.getParent();
            if (above != null) {
                for (Path step : above) {
                    last = last.newDirectoryStream(step, LinkOption.NOFOLLOW_LINKS);
                    folders.push(last);
                }
            }
            return open(last, steps.getFileName(), folders);
        } catch (IOException | RuntimeException e) {
            close(folders);
            throw e;
        }
    }

    private static OpenedFile open(SecureDirectoryStream<Path> folder, Path name, Deque<AutoCloseable> folders)
            throws IOException {
        BasicFileAttributes attributes = folder.getFileAttributeView(
                        name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
        if (!attributes.isRegularFile()) {
            return new OpenedFile(attributes, InputStream.nullInputStream(), folders);
        }
        SeekableByteChannel channel = folder.newByteChannel(name, READ);
        return new OpenedFile(attributes, Channels.newInputStream(channel), folders);
    }

    private static OpenedFile openAndLookAgain(Path real, Deque<AutoCloseable> folders) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isRegularFile()) {
            return new OpenedFile(attributes, InputStream.nullInputStream(), folders);
        }
        InputStream content = Files.newInputStream(real, LinkOption.NOFOLLOW_LINKS);
        if (!real.toRealPath().equals(real)) {
            content.close();
            throw new AccessDeniedException(real.toString());
        }
        return new OpenedFile(attributes, content, folders);
    }

    @Override
    public void close() throws IOException {
        try (content) {
            close(folders);
        }
    }

    private static void close(Deque<AutoCloseable> folders) throws IOException {
        for (AutoCloseable folder : folders) {
            try {
                folder.close();
            } catch (IOException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
    }
}
