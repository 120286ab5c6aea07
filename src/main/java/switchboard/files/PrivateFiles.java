package switchboard.files;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
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
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Creates files and folders that only their owner can read or write, whatever the umask is. On file systems without
 * such permissions (Windows), they inherit those of their folder.
 */
public final class PrivateFiles {
    /** How the name of a damaged file ends that was renamed. */
    public static final String SET_ASIDE = ".damaged";

    private static final int OTHERS_NOTHING = 077;

    /** Two pages of a file system: if they can't be written, there is no room. */
    private static final int PROBE_BYTES = 8192;

    private PrivateFiles() {}

    /**
     * Makes all files that this process creates from now on accessible to their owner only. Libraries create files
     * themselves, such as index files and temporary files.
     *
     * @return false if the platform has no umask
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

    /** Creates a folder and its missing parents. */
    public static Path folders(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return folder;
        }
        return Files.createDirectories(folder, only(folder, "rwx------"));
    }

    /** Opens a file. If that creates it, only its owner can access it. */
    public static FileChannel open(Path file, OpenOption... options) throws IOException {
        return FileChannel.open(file, Set.copyOf(Arrays.asList(options)), only(file, "rw-------"));
    }

    /** Writes a new file; fails if it exists. */
    public static void create(Path file, byte[] bytes) throws IOException {
        create(file, bytes, false);
    }

    private static void create(Path file, byte[] bytes, boolean durably) throws IOException {
        try (FileChannel channel = open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer all = ByteBuffer.wrap(bytes);
            while (all.hasRemaining()) {
                channel.write(all);
            }
            if (durably) {
                channel.force(true);
            }
        }
    }

    /** Replaces a file in one step: readers see the old file or the new one. */
    public static void replace(Path file, byte[] bytes) throws IOException {
        replace(file, bytes, draft(file, ""), false);
    }

    /** The same; when it returns, the new file is on the disk and survives a crash of the machine. */
    public static void replaceDurably(Path file, byte[] bytes) throws IOException {
        replace(file, bytes, draft(file, ""), true);
        syncFolder(file.toAbsolutePath().getParent());
    }

    /** The same where another process may replace the file at the same moment: one of the new files is there afterwards, whole. */
    public static void replaceBesideOthers(Path file, byte[] bytes) throws IOException {
        replace(file, bytes, draft(file, "." + UUID.randomUUID()), true);
        syncFolder(file.toAbsolutePath().getParent());
    }

    private static Path draft(Path file, String own) {
        return file.resolveSibling(file.getFileName() + own + ".new");
    }

    /**
     * Syncs a folder, so that files created, renamed or removed in it stay so after a crash of the machine. Does nothing where
     * folders can't be synced: on Windows, which writes names by itself, and on some network file systems.
     */
    public static void syncFolder(@Nullable Path folder) throws IOException {
        if (folder != null && posix(folder)) {
            try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
                sync(names);
            }
        }
    }

    private static void sync(FileChannel names) {
        try {
            names.force(true);
        } catch (IOException _) {
            // The content of files is synced on its own.
        }
    }

    /** Renames a damaged file, so that it can be looked at; returns what it is now. */
    public static Path setAside(Path file) throws IOException {
        return Files.move(
                file, file.resolveSibling(file.getFileName() + SET_ASIDE), StandardCopyOption.REPLACE_EXISTING);
    }

    /** Removes a folder if nothing is in it; returns whether it is gone. */
    public static boolean removeIfEmpty(Path folder) throws IOException {
        try {
            Files.deleteIfExists(folder);
            return true;
        } catch (DirectoryNotEmptyException _) {
            return false;
        }
    }

    private static void replace(Path file, byte[] bytes, Path draft, boolean durably) throws IOException {
        Files.deleteIfExists(draft);
        try {
            create(draft, bytes, durably);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            discard(draft, e); // on a full disk it takes the room that is needed
            throw e;
        }
    }

    private static void discard(Path draft, IOException why) {
        try {
            Files.deleteIfExists(draft);
        } catch (IOException e) {
            why.addSuppressed(e);
        }
    }

    /**
     * Creates the folder if it is missing, and checks that files can be created in it.
     *
     * @throws IOException that says why not
     */
    public static void checkWritable(Path folder) throws IOException {
        folders(folder);
        Path probe = folder.resolve(".write-probe-" + ProcessHandle.current().pid());
        try {
            create(probe, new byte[0]);
        } catch (FileAlreadyExistsException _) {
            // Left by a killed process that had the same id.
        }
        Files.delete(probe);
    }

    /**
     * Checks that a non-empty file can be written in the folder.
     *
     * @throws IOException that says why not
     */
    public static void checkRoom(Path folder) throws IOException {
        Path probe = folder.resolve(".room-probe-" + ProcessHandle.current().pid());
        Files.deleteIfExists(probe);
        try {
            create(probe, new byte[PROBE_BYTES]);
        } catch (FileAlreadyExistsException _) {
            // It belongs to another process with the same id, in another container.
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    private static FileAttribute<?>[] only(Path path, String permissions) {
        return posix(path)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static boolean posix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
