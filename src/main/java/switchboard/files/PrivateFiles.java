package switchboard.files;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;

/**
 * Makes files and folders that nobody but their owner may read or write, whatever the umask is. Where the file system
 * has no such permissions (Windows), they are as their folder says.
 */
public final class PrivateFiles {
    private static final int OTHERS_NOTHING = 077;

    /** Two pages of a file system: less than that is no room. */
    private static final int PROBE_BYTES = 8192;

    private PrivateFiles() {}

    /**
     * Has everything that this process and its libraries make from now on be its owner's alone. Libraries make files
     * themselves: those of an index, temporary ones.
     *
     * @return false where the platform has no umask
     */
    @SuppressWarnings("restricted") // the launcher allows native access, which the models need, too
    public static boolean narrowUmask() {
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find("umask")
                .map(umask -> {
                    MethodHandle call = linker.downcallHandle(
                            umask, FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
                    try {
                        int before = (int) call.invokeExact(OTHERS_NOTHING);
                        return before >= 0;
                    } catch (Throwable e) { // what MethodHandle.invokeExact declares
                        throw new IllegalStateException("umask is not as documented", e);
                    }
                })
                .orElse(false);
    }

    /** Makes a folder and those above it that are missing. */
    public static Path folders(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return folder;
        }
        return Files.createDirectories(folder, only(folder, "rwx------"));
    }

    /** Opens a file, which is its owner's alone if it is made by that. */
    public static FileChannel open(Path file, OpenOption... options) throws IOException {
        return FileChannel.open(file, Set.copyOf(Arrays.asList(options)), only(file, "rw-------"));
    }

    /** Writes a new file; fails if there is one. */
    public static void create(Path file, byte[] bytes) throws IOException {
        try (FileChannel channel = open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer all = ByteBuffer.wrap(bytes);
            while (all.hasRemaining()) {
                channel.write(all);
            }
        }
    }

    /** Puts a file in the place of the one before, in one step: a reader sees the one or the other. */
    public static void replace(Path file, byte[] bytes) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(draft);
        create(draft, bytes);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Makes the folder if it is missing, and sees whether files can be made in it.
     *
     * @throws IOException that says why not
     */
    public static void checkWritable(Path folder) throws IOException {
        folders(folder);
        Path probe = folder.resolve(".write-probe-" + ProcessHandle.current().pid());
        try {
            create(probe, new byte[0]);
        } catch (FileAlreadyExistsException _) {
            // Left by a process of the same id that was killed just then.
        }
        Files.delete(probe);
    }

    /**
     * Sees whether a file with something in it can be written in the folder.
     *
     * @throws IOException that says why not
     */
    public static void checkRoom(Path folder) throws IOException {
        Path probe = folder.resolve(".room-probe-" + ProcessHandle.current().pid());
        Files.deleteIfExists(probe);
        try {
            create(probe, new byte[PROBE_BYTES]);
        } catch (FileAlreadyExistsException _) {
            // Of another process, in another container, that has the same id.
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    private static FileAttribute<?>[] only(Path path, String permissions) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
