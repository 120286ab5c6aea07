package switchboard.backend.agentroot.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.backend.embedded.PermissionFiles;
import switchboard.files.OpenFolder;

/**
 * The files of a folder that match a pattern. Left out are hidden files, folders of build products and packages, files
 * that {@code .gitignore} files exclude, and links out of the roots. Goes from open folder to open folder, so that
 * links that are put there meanwhile are not followed. Use once.
 */
final class FolderWalk {
    private static final int MAX_DEPTH = 100;
    /** Links that cross each other make more paths than there are files. */
    private static final int MAX_ENTRIES = 2_000_000;

    private static final Set<String> NOT_OURS =
            Set.of("node_modules", "vendor", "dist", "build", "__pycache__", "target");

    private static final Path RULES = Path.of(".gitignore");

    private record Rules(String folder, IgnoreRules rules) {}

    /**
     * A matching file.
     *
     * @param path its path in the collection
     * @param file its path without links
     */
    record FoundFile(String path, Path file) {}

    /**
     * What was not taken, and why.
     *
     * @param file its place, which may be a link
     * @param permissionKnown whether all that can say who may read it was there to be read
     */
    record LeftOut(FoundFile file, String reason, boolean permissionKnown) {}

    /**
     * Which files to include.
     *
     * @param wanted matches paths in the collection
     * @param max maximum number of files
     * @param hiddenToo whether to include hidden files
     * @param links whether to follow links that stay below the roots
     */
    record FileSelection(Predicate<String> wanted, int max, boolean hiddenToo, boolean links) {}

    private final Roots roots;
    private final FileSelection choice;
    private final BooleanSupplier cancelled;
    private final Deque<Rules> rules = new ArrayDeque<>();
    /** The folders from the top to here, to notice a loop. */
    private final Deque<Object> above = new ArrayDeque<>();

    private final List<FoundFile> found = new ArrayList<>();
    private final List<LeftOut> skipped = new ArrayList<>();
    private Path top = Path.of("");
    private int entries;
    private boolean complete = true;

    FolderWalk(Roots roots, FileSelection choice, BooleanSupplier cancelled) {
        this.roots = roots;
        this.choice = choice;
        this.cancelled = cancelled;
    }

    /** The files found, in the order of their paths. */
    List<FoundFile> found() {
        return found.stream().sorted(Comparator.comparing(FoundFile::path)).toList();
    }

    List<LeftOut> skipped() {
        return skipped;
    }

    /** Whether all folders and files were seen. */
    boolean complete() {
        return complete;
    }

    /** Walks through {@code from}, a real path below the roots. */
    void walk(Path from) throws IOException {
        top = from;
        try (OpenFolder folder = OpenFolder.open(roots.above(top), top)) {
            Object key = Files.readAttributes(top, BasicFileAttributes.class).fileKey();
            above.push(key == null ? top : key);
            inside(folder, "");
        }
    }

    /** Whether a folder of that name is left out: it is hidden, or contains build products or packages. */
    static boolean leftOut(String folder) {
        return folder.startsWith(".") || NOT_OURS.contains(folder);
    }

    private boolean notOurs(String name) {
        return name.equals(".git") || NOT_OURS.contains(name) || hidden(name);
    }

    private boolean hidden(String name) {
        return name.startsWith(".") && !choice.hiddenToo();
    }

    /** Reads an open folder; {@code prefix} is empty, or its path in the collection with a slash. */
    private void inside(OpenFolder folder, String prefix) throws IOException {
        List<Path> names = folder.names();
        Optional<IgnoreRules> own = names.contains(RULES) ? rules(folder) : Optional.empty();
        own.ifPresent(some -> rules.push(new Rules(prefix, some)));
        Set<String> all = names.stream().map(Path::toString).collect(Collectors.toSet());
        for (Path name : names) {
            PermissionFiles.problem(name.toString(), all)
                    .ifPresent(problem ->
                            leaveOut(new FoundFile(prefix + name, folder.path().resolve(name)), problem, true));
            if (cancelled.getAsBoolean() || entries++ >= MAX_ENTRIES) {
                complete = false;
                break;
            }
            entry(folder, name, prefix + name);
        }
        own.ifPresent(_ -> rules.pop());
    }

    private static Optional<IgnoreRules> rules(OpenFolder folder) throws IOException {
        if (!folder.attributes(RULES).isRegularFile()) {
            return Optional.empty();
        }
        try (InputStream in = folder.file(RULES)) {
            return Optional.of(
                    IgnoreRules.parse(new String(in.readNBytes(IgnoreRules.MAX_BYTES), StandardCharsets.UTF_8)));
        }
    }

    private void entry(OpenFolder folder, Path name, String path) {
        try {
            BasicFileAttributes attributes = folder.attributes(name);
            if (attributes.isSymbolicLink()) {
                if (choice.links()) {
                    link(folder.path().resolve(name), name.toString(), path);
                }
            } else if (attributes.isDirectory()) {
                if (!leftOut(name.toString(), path)) {
                    try (OpenFolder below = folder.folder(name)) {
                        below(below, attributes.fileKey(), path);
                    }
                }
            } else if (attributes.isRegularFile()) {
                take(folder.path().resolve(name), name.toString(), path);
            }
        } catch (NoSuchFileException _) {
            // It was there a moment ago.
        } catch (IOException e) {
            if (!notOurs(name.toString())) {
                leaveOut(new FoundFile(path, folder.path().resolve(name)), "can't be read", false);
                // What is below may still exist.
                complete = false;
            }
        }
    }

    private boolean leftOut(String name, String path) {
        return notOurs(name) || ignored(path, true);
    }

    private void below(OpenFolder folder, @Nullable Object key, String path) throws IOException {
        Object known = key == null ? folder.path() : key;
        if (above.size() >= MAX_DEPTH || above.contains(known)) {
            return;
        }
        above.push(known);
        inside(folder, path + "/");
        above.pop();
    }

    private void link(Path link, String name, String path) throws IOException {
        Path target;
        try {
            target = link.toRealPath();
        } catch (IOException e) {
            lost(link, name, path, e);
            return;
        }
        if (!roots.holds(target)) {
            if (Files.isDirectory(target) ? !leftOut(name, path) : fits(name, path)) {
                leaveOut(new FoundFile(path, link), "a link that leads out of the folders that are open", false);
            }
            return;
        }
        BasicFileAttributes attributes = Files.readAttributes(target, BasicFileAttributes.class);
        if (attributes.isDirectory() && !leftOut(name, path)) {
            try (OpenFolder folder = OpenFolder.open(roots.above(target), target)) {
                below(folder, attributes.fileKey(), path);
            }
        } else if (attributes.isRegularFile()) {
            take(target, name, path);
        }
    }

    /** A link that can't be followed. What it leads to may still exist, unless only this gateway has it. */
    private void lost(Path link, String name, String path, IOException why) {
        boolean deleted = why instanceof NoSuchFileException && !roots.shared();
        boolean wanted = fits(name, path) || !leftOut(name, path);
        if (wanted && !deleted && !LostLinks.isGone(link, top)) {
            leaveOut(new FoundFile(path, link), "a link that leads nowhere", false);
        }
    }

    private boolean fits(String name, String path) {
        return !hidden(name) && choice.wanted().test(path) && !ignored(path, false);
    }

    private void take(Path file, String name, String path) {
        if (fits(name, path) && !PermissionFiles.isMeantAsOne(name)) {
            if (found.size() >= choice.max()) {
                complete = false;
                leaveOut(
                        new FoundFile(path, file),
                        "there is no room for more than " + choice.max() + " documents in a collection",
                        false);
            } else {
                found.add(new FoundFile(path, file));
            }
        }
    }

    /** As many as there can be documents. */
    private void leaveOut(FoundFile file, String reason, boolean permissionKnown) {
        if (skipped.size() < choice.max()) {
            skipped.add(new LeftOut(file, reason, permissionKnown));
        }
    }

    private boolean ignored(String path, boolean folder) {
        for (Rules one : rules) {
            Boolean verdict = one.rules().verdict(path.substring(one.folder().length()), folder);
            if (verdict != null) {
                return verdict;
            }
        }
        return false;
    }
}
