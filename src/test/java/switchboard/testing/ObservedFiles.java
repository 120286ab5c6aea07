package switchboard.testing;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The files of this machine, seen by a test: notes in which order what was brought to the disk ({@code fsync}), writes as
 * little at a time as a file system may, and runs out of room when the test says so. For one thread.
 */
public final class ObservedFiles {
    private static final int MOST_AT_ONCE = 2;

    private final List<Path> forced = new ArrayList<>();
    private final FileSystem system = new Observed();
    private long room = Long.MAX_VALUE;

    /** {@code real} as a path whose files are observed. */
    public Path path(Path real) {
        return (Path) Proxy.newProxyInstance(
                ObservedFiles.class.getClassLoader(), new Class<?>[] {Path.class}, new ObservedPath(real));
    }

    /** What was brought to the disk so far, in order. */
    public List<Path> forced() {
        return List.copyOf(forced);
    }

    /** From now on so many bytes can be written before the disk is full. */
    public void room(long bytes) {
        room = bytes;
    }

    private static Path real(Object path) {
        return ((ObservedPath) Proxy.getInvocationHandler(path)).real;
    }

    private static boolean observed(Object value) {
        return value != null
                && Proxy.isProxyClass(value.getClass())
                && Proxy.getInvocationHandler(value) instanceof ObservedPath;
    }

    private final class ObservedPath implements InvocationHandler {
        private final Path real;

        ObservedPath(Path real) {
            this.real = real;
        }

        @Override
        public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] given) throws Throwable {
            if (method.getName().equals("getFileSystem")) {
                return system;
            }
            Object[] arguments = given == null ? new Object[0] : given.clone();
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = observed(arguments[i]) ? real(arguments[i]) : arguments[i];
            }
            try {
                Object result = method.invoke(real, arguments);
                return result instanceof Path path ? path(path) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    private final class Observed extends FileSystem {
        private final FileSystem real = java.nio.file.FileSystems.getDefault();
        private final FileSystemProvider provider = new Provider(real.provider());

        @Override
        public FileSystemProvider provider() {
            return provider;
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public boolean isReadOnly() {
            return false;
        }

        @Override
        public String getSeparator() {
            return real.getSeparator();
        }

        @Override
        public Iterable<Path> getRootDirectories() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Iterable<FileStore> getFileStores() {
            return real.getFileStores();
        }

        @Override
        public Set<String> supportedFileAttributeViews() {
            return real.supportedFileAttributeViews();
        }

        @Override
        public Path getPath(String first, String... more) {
            return path(real.getPath(first, more));
        }

        @Override
        public PathMatcher getPathMatcher(String syntaxAndPattern) {
            throw new UnsupportedOperationException();
        }

        @Override
        public UserPrincipalLookupService getUserPrincipalLookupService() {
            return real.getUserPrincipalLookupService();
        }

        @Override
        public WatchService newWatchService() {
            throw new UnsupportedOperationException();
        }
    }

    private final class Provider extends FileSystemProvider {
        private final FileSystemProvider to;

        Provider(FileSystemProvider to) {
            this.to = to;
        }

        @Override
        public String getScheme() {
            return "observed";
        }

        @Override
        public FileSystem newFileSystem(URI uri, Map<String, ?> env) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileSystem getFileSystem(URI uri) {
            return system;
        }

        @Override
        public Path getPath(URI uri) {
            throw new UnsupportedOperationException();
        }

        @Override
        public SeekableByteChannel newByteChannel(
                Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
            return newFileChannel(path, options, attributes);
        }

        @Override
        public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
                throws IOException {
            return new Channel(real(path), to.newFileChannel(real(path), options, attributes));
        }

        @Override
        public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
                throws IOException {
            DirectoryStream<Path> entries = to.newDirectoryStream(real(folder), filter);
            return new DirectoryStream<>() {
                @Override
                public Iterator<Path> iterator() {
                    Iterator<Path> each = entries.iterator();
                    return new Iterator<>() {
                        @Override
                        public boolean hasNext() {
                            return each.hasNext();
                        }

                        @Override
                        public Path next() {
                            return path(each.next());
                        }
                    };
                }

                @Override
                public void close() throws IOException {
                    entries.close();
                }
            };
        }

        @Override
        public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
            to.createDirectory(real(folder), attributes);
        }

        @Override
        public void delete(Path path) throws IOException {
            to.delete(real(path));
        }

        @Override
        public void copy(Path source, Path target, CopyOption... options) throws IOException {
            to.copy(real(source), real(target), options);
        }

        @Override
        public void move(Path source, Path target, CopyOption... options) throws IOException {
            to.move(real(source), real(target), options);
        }

        @Override
        public boolean isSameFile(Path path, Path other) throws IOException {
            return to.isSameFile(real(path), real(other));
        }

        @Override
        public boolean isHidden(Path path) throws IOException {
            return to.isHidden(real(path));
        }

        @Override
        public FileStore getFileStore(Path path) throws IOException {
            return to.getFileStore(real(path));
        }

        @Override
        public void checkAccess(Path path, AccessMode... modes) throws IOException {
            to.checkAccess(real(path), modes);
        }

        @Override
        public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
            return to.getFileAttributeView(real(path), type, options);
        }

        @Override
        public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
                throws IOException {
            return to.readAttributes(real(path), type, options);
        }

        @Override
        public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
                throws IOException {
            return to.readAttributes(real(path), attributes, options);
        }

        @Override
        public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
            to.setAttribute(real(path), attribute, value, options);
        }
    }

    private final class Channel extends FileChannel {
        private final Path path;
        private final FileChannel to;

        Channel(Path path, FileChannel to) {
            this.path = path;
            this.to = to;
        }

        @Override
        public int write(ByteBuffer bytes) throws IOException {
            if (room == 0) {
                throw new IOException("No space left on device");
            }
            int some = (int) Math.min(Math.min(MOST_AT_ONCE, room), bytes.remaining());
            int written = to.write(bytes.slice(bytes.position(), some));
            bytes.position(bytes.position() + written);
            room -= written;
            return written;
        }

        @Override
        public long write(ByteBuffer[] all, int offset, int length) throws IOException {
            return length == 0 ? 0 : write(all[offset]);
        }

        @Override
        public int write(ByteBuffer bytes, long position) throws IOException {
            throw new UnsupportedOperationException();
        }

        @Override
        public void force(boolean metadata) throws IOException {
            to.force(metadata);
            forced.add(path);
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            return to.read(into);
        }

        @Override
        public long read(ByteBuffer[] into, int offset, int length) throws IOException {
            return to.read(into, offset, length);
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            return to.read(into, position);
        }

        @Override
        public long position() throws IOException {
            return to.position();
        }

        @Override
        public FileChannel position(long position) throws IOException {
            to.position(position);
            return this;
        }

        @Override
        public long size() throws IOException {
            return to.size();
        }

        @Override
        public FileChannel truncate(long size) throws IOException {
            to.truncate(size);
            return this;
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
            return to.transferTo(position, count, target);
        }

        @Override
        public long transferFrom(ReadableByteChannel source, long position, long count) throws IOException {
            return to.transferFrom(source, position, count);
        }

        @Override
        public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
            return to.map(mode, position, size);
        }

        @Override
        public FileLock lock(long position, long size, boolean shared) throws IOException {
            return to.lock(position, size, shared);
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) throws IOException {
            return to.tryLock(position, size, shared);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            to.close();
        }
    }
}
