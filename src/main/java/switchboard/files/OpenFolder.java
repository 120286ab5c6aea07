package switchboard.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * An open folder. Its content is reached through the open folder instead of a path, and symbolic links are not
 * followed, so that somebody who changes the path meanwhile can't redirect it. On platforms without support for this
 * (Windows), the path is checked again after each step.
 */
public final class OpenFolder implements AutoCloseable {
    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

    private final Path path;
    private final DirectoryStream<Path> stream;

    private OpenFolder(Path path, DirectoryStream<Path> stream) {
        this.path = path;
        this.stream = stream;
    }

    /**
     * Opens a folder step by step.
     *
     * @param root a real path that only the operator can change
     * @param real {@code root}, or a path below it without symbolic links
     * @throws IOException if it does not exist, or now contains symbolic links
     */
    public static OpenFolder open(Path root, Path real) throws IOException {
        OpenFolder at = new OpenFolder(root, Files.newDirectoryStream(root));
        if (real.equals(root)) {
            return at;
        }
        for (Path step : root.relativize(real)) {
            try (OpenFolder above = at) {
                at = above.folder(step);
            }
        }
        return at;
    }

    /** Its path when it was opened. */
    public Path path() {
        return path;
    }

    /** The names of its entries. Can be called once. */
    public List<Path> names() throws IOException {
        List<Path> names = new ArrayList<>();
        try {
            stream.forEach(entry -> names.add(entry.getFileName()));
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    /** The attributes of the entry {@code name}; symbolic links are not followed. */
    public BasicFileAttributes attributes(Path name) throws IOException {
        return stream instanceof SecureDirectoryStream<Path> secure
                ? secure.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                        .readAttributes()
                : Files.readAttributes(path.resolve(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * The attributes of the entry {@code name} with its mode, owner and group; symbolic links are not followed.
     *
     * @throws UnsupportedOperationException if the file system has none
     */
    public PosixFileAttributes posixAttributes(Path name) throws IOException {
        PosixFileAttributeView view = stream instanceof SecureDirectoryStream<Path> secure
                ? secure.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                : Files.getFileAttributeView(
                        path.resolve(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (view == null) {
            throw new UnsupportedOperationException("files have no mode here");
        }
        return view.readAttributes();
    }

    /** Opens a folder in it. */
    public OpenFolder folder(Path name) throws IOException {
        Path below = path.resolve(name);
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return new OpenFolder(below, secure.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS));
        }
        return unchanged(below, new OpenFolder(below, Files.newDirectoryStream(below)));
    }

    /** Opens a file in it. Check first that it is a regular file: opening a pipe waits for its writer. */
    public InputStream file(Path name) throws IOException {
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return Channels.newInputStream(secure.newByteChannel(name, READ));
        }
        Path file = path.resolve(name);
        return unchanged(file, Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS));
    }

    private static <T extends AutoCloseable> T unchanged(Path path, T opened) throws IOException {
        if (path.toRealPath().equals(path)) {
            return opened;
        }
        try (opened) {
            throw new AccessDeniedException(path.toString());
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
