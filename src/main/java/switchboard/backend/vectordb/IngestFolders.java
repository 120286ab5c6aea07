package switchboard.backend.vectordb;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import switchboard.backend.embedded.PermissionFiles;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.files.AllowedFolders;
import switchboard.files.OpenedFile;
import switchboard.files.UploadedFiles;
import switchboard.store.AllowedReaders;

/** The folders that files may be ingested from. Blocks: call it on an executor. */
final class IngestFolders {
    private final String backend;
    private final AllowedFolders folders;
    private final int maxBytes;
    private final boolean shared;

    /**
     * The folders {@code roots}, which may not exist yet.
     *
     * @param backend the backend's id, for messages
     * @param maxBytes maximum size of a file
     * @param shared whether other gateways share the documents, and are to have the same folders
     */
    IngestFolders(String backend, List<Path> roots, int maxBytes, boolean shared) {
        this.backend = backend;
        this.folders = new AllowedFolders(roots);
        this.maxBytes = maxBytes;
        this.shared = shared;
    }

    /** A file that was read; {@code source} is its path or name. {@code readers} may read it, by files beside it. */
    record ReadFile(String source, byte[] bytes, Instant modified, AllowedReaders readers) {}

    /**
     * Reads a file that {@link #locate} returned. If a part of the path has since become a symbolic link, it is not
     * followed.
     *
     * @throws ToolException if it does not exist, is not a file, is too large or not readable
     */
    ReadFile read(Path real) {
        String name = real.toString();
        if (PermissionFiles.isMeantAsOne(name)) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "Ingestion failed: " + name + " is meant to say who may read other files, and is not a document"
                            + " itself. "
                            + (PermissionFiles.isOne(name)
                                    ? "Give the path of the file that it is about."
                                    : "It is not read: its name must end in " + PermissionFiles.SUFFIX
                                            + ", in small letters."));
        }
        Path root = rootOf(real);
        try {
            // What was put there before the file, or right after it, counts.
            AllowedReaders before = PermissionFiles.of(root, real);
            ReadFile read = opened(root, real);
            return new ReadFile(name, read.bytes(), read.modified(), before.and(PermissionFiles.of(root, real)));
        } catch (IllegalArgumentException e) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT, "Ingestion failed: " + name + ": " + e.getMessage() + ".");
        } catch (NoSuchFileException | NotDirectoryException _) {
            throw notFound(name);
        } catch (IOException e) {
            throw unreadable(name, e);
        }
    }

    private ReadFile opened(Path root, Path real) throws IOException {
        String name = real.toString();
        try (OpenedFile file = OpenedFile.open(root, real)) {
            if (!file.attributes().isRegularFile()) {
                throw new ToolException(
                        FailureKind.INVALID_ARGUMENT,
                        "Ingestion failed: " + name + " is a folder or device, not a file. ingest_file takes one file;"
                                + " for folders there are collection_add of agentroot and `switchboard ingest`.");
            }
            return new ReadFile(
                    name,
                    bounded(file.content(), name),
                    file.attributes().lastModifiedTime().toInstant(),
                    AllowedReaders.ALL);
        }
    }

    /**
     * Reads a file that was uploaded.
     *
     * @throws ToolException if it is too large, or not there any more
     */
    ReadFile read(UploadedFiles.UploadedFile upload) {
        try (InputStream content = Files.newInputStream(upload.file())) {
            return new ReadFile(
                    upload.name(),
                    bounded(content, upload.name()),
                    Files.getLastModifiedTime(upload.file()).toInstant(),
                    AllowedReaders.ALL);
        } catch (NoSuchFileException _) {
            throw notFound(upload.name());
        } catch (IOException e) {
            throw unreadable(upload.name(), e);
        }
    }

    private byte[] bounded(InputStream content, String name) throws IOException {
        byte[] bytes = content.readNBytes(maxBytes + 1);
        if (bytes.length > maxBytes) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "Ingestion failed: " + name + " is larger than the limit of " + maxBytes
                            + " bytes. Split it, or ask the operator to raise maxFileSize.");
        }
        return bytes;
    }

    /**
     * The real path of a file in one of the folders. It contains no symbolic links.
     *
     * @param name absolute, or relative to one of the folders
     * @throws ToolException if it is outside of them, or does not exist
     */
    Path locate(String name) {
        if (name.isBlank()) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, "path must not be empty. Give the path of a file.");
        }
        if (folders.isEmpty()) {
            throw new ToolException(
                    FailureKind.DENIED,
                    "Files can't be ingested: the operator has opened no folder (backends." + backend
                            + ".ingestRoots is empty). Ask for one, or send the text itself: the default view, /mcp,"
                            + " has a tool for texts.");
        }
        return switch (folders.locate(name)) {
            case AllowedFolders.LocatedPath.Inside inside -> inside.real();
            case AllowedFolders.LocatedPath.Outside _ -> throw denied(name);
            case AllowedFolders.LocatedPath.Missing _ -> throw notFound(name);
            case AllowedFolders.LocatedPath.NoPath none ->
                throw new ToolException(
                        FailureKind.INVALID_ARGUMENT,
                        "path is not a valid file name: " + none.reason() + ". Give the path of a file.");
            case AllowedFolders.LocatedPath.Unreadable unreadable -> throw unreadable(name, unreadable.cause());
        };
    }

    /** The real path of the folder that contains {@code real}. A single file may be allowed, too. */
    private Path rootOf(Path real) {
        Path root = folders.rootOf(real).orElseThrow(() -> denied(real.toString()));
        Path above = real.getParent();
        return root.equals(real) && above != null ? above : root;
    }

    private ToolException denied(String name) {
        return new ToolException(
                FailureKind.DENIED,
                name + " is not in a folder that is open for ingestion. Use a file below one of those, or ask the"
                        + " operator to add its folder to backends." + backend + ".ingestRoots.");
    }

    private ToolException notFound(String name) {
        return new ToolException(
                FailureKind.NOT_FOUND,
                "Ingestion failed: there is no file " + name + (shared ? " on this gateway" : "")
                        + ". Check the path: absolute, or relative to an open folder."
                        + (shared ? " Gateways that share documents need the same folders." : ""));
    }

    private static ToolException unreadable(String name, IOException e) {
        String why = e instanceof AccessDeniedException ? "the gateway may not read it" : "it can't be read";
        return new ToolException(
                FailureKind.INVALID_ARGUMENT,
                "Ingestion failed: " + name + ": " + why
                        + ". Ask the operator to make it readable, or use another file.");
    }
}
