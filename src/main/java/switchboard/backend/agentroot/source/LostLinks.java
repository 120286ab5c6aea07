package switchboard.backend.agentroot.source;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Symbolic links that can't be followed. Blocks. */
final class LostLinks {
    /** So many links one after the other are a loop, as for the system. */
    private static final int MAX_LINKS = 40;

    private LostLinks() {}

    /**
     * Whether what a link led to is known not to exist: it leads round in a loop, or to what is missing in a folder in {@code top} that
     * has other entries. Otherwise it may be in a place that is not mounted, or can't be read.
     *
     * @param link its absolute path
     * @param top a real path
     */
    static boolean isGone(Path link, Path top) {
        Deque<Path> steps = new ArrayDeque<>(names(link));
        Path at = start(link, top);
        int links = 0;
        try {
            while (!steps.isEmpty()) {
                Path step = steps.pop();
                Path next = at.resolve(step).normalize();
                BasicFileAttributes attributes =
                        Files.readAttributes(next, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                if (!attributes.isSymbolicLink()) {
                    at = next;
                } else if (++links > MAX_LINKS) {
                    return true;
                } else {
                    Path target = Files.readSymbolicLink(next);
                    at = start(target, at);
                    names(target).reversed().forEach(steps::push);
                }
            }
            return false;
        } catch (NoSuchFileException _) {
            return at.startsWith(top) && hasEntries(at);
        } catch (IOException _) {
            return false;
        }
    }

    /** Where the names of a path begin: at its root, or in {@code folder}. */
    private static Path start(Path path, Path folder) {
        Path root = path.getRoot();
        return root == null ? folder : root;
    }

    private static List<Path> names(Path path) {
        List<Path> names = new ArrayList<>();
        path.forEach(names::add);
        return names;
    }

    private static boolean hasEntries(Path folder) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            return entries.iterator().hasNext();
        } catch (IOException _) {
            return false;
        }
    }
}
