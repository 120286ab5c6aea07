package switchboard.backend.agentroot.source;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.eclipse.jgit.ignore.IgnoreNode;
import org.jspecify.annotations.Nullable;
import switchboard.backend.agentroot.source.Provider.Skipped;

/**
 * The files of a folder that fit a pattern. Left out are hidden ones, folders of build products and packages, what
 * {@code .gitignore} files in the folder and below name, and links that lead out of the roots.
 */
final class FolderWalk extends SimpleFileVisitor<Path> {
    private static final Set<String> NOT_OURS =
            Set.of("node_modules", "vendor", "dist", "build", "__pycache__", "target");

    private static final String RULES = ".gitignore";

    private record Rules(Path folder, IgnoreNode node) {}

    /** A file that fits. */
    record Found(String path, Path file) {}

    private final Path top;
    private final Roots roots;
    private final Predicate<String> wanted;
    private final int max;
    private final boolean hiddenToo;
    private final BooleanSupplier cancelled;
    private final Deque<Rules> rules = new ArrayDeque<>();
    private final List<Found> found = new ArrayList<>();
    private final List<Skipped> skipped = new ArrayList<>();
    private boolean complete = true;

    FolderWalk(Path top, Roots roots, Predicate<String> wanted, int max, boolean hiddenToo, BooleanSupplier cancelled) {
        this.top = top;
        this.roots = roots;
        this.wanted = wanted;
        this.max = max;
        this.hiddenToo = hiddenToo;
        this.cancelled = cancelled;
    }

    /** In the order of their paths. */
    List<Found> found() {
        return found.stream().sorted(Comparator.comparing(Found::path)).toList();
    }

    List<Skipped> skipped() {
        return skipped;
    }

    /** Whether all was seen. */
    boolean complete() {
        return complete;
    }

    private String name(Path path) {
        return top.relativize(path).toString().replace(File.separatorChar, '/');
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
        if (!folder.equals(top) && (leftOut(folder) || ignored(folder, true) || leadsOut(folder))) {
            return FileVisitResult.SKIP_SUBTREE;
        }
        Path file = folder.resolve(RULES);
        if (Files.isRegularFile(file) && roots.holds(file)) {
            IgnoreNode node = new IgnoreNode();
            try (InputStream in = Files.newInputStream(file)) {
                node.parse(in);
            }
            rules.push(new Rules(folder, node));
        }
        return FileVisitResult.CONTINUE;
    }

    /** Whether a folder of that name is left out: it is hidden, or holds what was built or installed. */
    static boolean leftOut(String folder) {
        return folder.startsWith(".") || NOT_OURS.contains(folder);
    }

    private boolean leftOut(Path path) {
        String name = path.getFileName().toString();
        return name.equals(".git") || NOT_OURS.contains(name) || hidden(name);
    }

    private boolean hidden(String name) {
        return name.startsWith(".") && !hiddenToo;
    }

    private boolean ignored(Path path, boolean folder) {
        for (Rules one : rules) {
            String relative = one.folder().relativize(path).toString().replace(File.separatorChar, '/');
            Boolean verdict = one.node().checkIgnored(relative, folder);
            if (verdict != null) {
                return verdict;
            }
        }
        return false;
    }

    private boolean leadsOut(Path path) {
        boolean out = Files.isSymbolicLink(path) && !roots.holds(path);
        if (out) {
            skipped.add(new Skipped(name(path), "a link that leads out of the folders that are open"));
        }
        return out;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        if (cancelled.getAsBoolean() || found.size() >= max) {
            complete = false;
            return FileVisitResult.TERMINATE;
        }
        String name = name(file);
        if (attributes.isRegularFile()
                && !hidden(file.getFileName().toString())
                && wanted.test(name)
                && !ignored(file, false)
                && !leadsOut(file)) {
            found.add(new Found(name, file));
        }
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) {
        if (!(failure instanceof FileSystemLoopException) && !leftOut(file)) {
            skipped.add(new Skipped(name(file), "can't be read"));
            // What is below may still exist.
            complete = false;
        }
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) {
        if (!rules.isEmpty() && rules.peek().folder().equals(folder)) {
            rules.pop();
        }
        return FileVisitResult.CONTINUE;
    }
}
