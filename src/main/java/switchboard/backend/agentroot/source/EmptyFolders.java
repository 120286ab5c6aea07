package switchboard.backend.agentroot.source;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Folders with nothing in them, as those are where nothing is mounted. Blocks. Use once. */
final class EmptyFolders {
    private enum FolderState {
        FULL,
        EMPTY,
        MISSING
    }

    private final Path top;
    private final Map<String, FolderState> known = new HashMap<>();

    /** Folders in and below {@code top}, a real path. */
    EmptyFolders(Path top) {
        this.top = top;
    }

    /**
     * The nearest folders that are there above documents that are not, if they have nothing in them or can't be read.
     *
     * @param gone paths of documents from the top
     * @return paths from the top; the top is {@code ""}
     */
    Set<String> above(Collection<String> gone) {
        Set<String> empty = new TreeSet<>();
        for (String path : gone) {
            String at = parent(path);
            FolderState state = known.computeIfAbsent(at, this::look);
            while (state == FolderState.MISSING && !at.isEmpty()) {
                at = parent(at);
                state = known.computeIfAbsent(at, this::look);
            }
            if (state == FolderState.EMPTY) {
                empty.add(at);
            }
        }
        return empty;
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    private FolderState look(String folder) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(top.resolve(folder))) {
            return entries.iterator().hasNext() ? FolderState.FULL : FolderState.EMPTY;
        } catch (NoSuchFileException | NotDirectoryException | InvalidPathException _) {
            return FolderState.MISSING;
        } catch (IOException _) {
            return FolderState.EMPTY;
        }
    }
}
