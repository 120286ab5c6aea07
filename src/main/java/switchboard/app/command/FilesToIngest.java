package switchboard.app.command;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import switchboard.backend.embedded.PermissionFiles;
import switchboard.convert.DocumentConverter;

/**
 * The files below the paths that an operator names.
 *
 * @param files those to ingest, absolute and sorted; a path that is a file is taken as it is
 * @param leftOut the others, by the reason; folders that are not looked into count as one
 */
record FilesToIngest(List<Path> files, SortedMap<String, SortedSet<Path>> leftOut) {
    private static final String PERMISSION = "names who may read other files";
    private static final String CAPITALS =
            "meant to name who may read other files, but not read: the end " + PermissionFiles.SUFFIX + " has capitals";
    private static final String HIDDEN = "hidden";
    private static final String FORMAT = "of a format that is not read";
    private static final String UNREADABLE = "not readable";
    private static final String SPECIAL = "not a regular file";

    /**
     * Looks for the files below {@code paths}. Follows links to folders only if they are among {@code paths}. A file
     * that is found by several names, through links, counts once.
     */
    static FilesToIngest below(List<Path> paths) throws IOException {
        SortedSet<Path> files = new TreeSet<>();
        SortedMap<String, SortedSet<Path>> leftOut = new TreeMap<>();
        BiConsumer<String, Path> without = (reason, path) ->
                leftOut.computeIfAbsent(reason, _ -> new TreeSet<>()).add(path);
        for (Path path : paths) {
            Path named = path.toAbsolutePath().normalize();
            if (Files.isDirectory(named)) {
                Path root = Files.isSymbolicLink(named) ? named.toRealPath() : named;
                Files.walkFileTree(root, new Walk(root, files, without));
            } else {
                files.add(named);
            }
        }
        return new FilesToIngest(distinct(files), leftOut);
    }

    /** One name of each file: its own rather than that of a link, as documents have it in the store. */
    private static List<Path> distinct(SortedSet<Path> files) {
        Map<Path, Path> byRealPath = new HashMap<>();
        for (Path file : files) {
            Path real = realPath(file);
            byRealPath.merge(real, file, (known, other) -> other.equals(real) ? other : known);
        }
        return byRealPath.values().stream().sorted().toList();
    }

    private static Path realPath(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException _) {
            return file; // the store says why it can't be read
        }
    }

    /** Puts each file where it belongs. */
    private static final class Walk extends SimpleFileVisitor<Path> {
        private final Path root;
        private final SortedSet<Path> files;
        private final BiConsumer<String, Path> leftOut;

        Walk(Path root, SortedSet<Path> files, BiConsumer<String, Path> leftOut) {
            this.root = root;
            this.files = files;
            this.leftOut = leftOut;
        }

        private static boolean hidden(Path path) {
            return String.valueOf(path.getFileName()).startsWith(".");
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            if (!folder.equals(root) && hidden(folder)) {
                leftOut.accept(HIDDEN, folder);
                return FileVisitResult.SKIP_SUBTREE;
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (PermissionFiles.isOne(file.toString())) {
                leftOut.accept(PERMISSION, file);
            } else if (PermissionFiles.isMeantAsOne(file.toString())) {
                leftOut.accept(CAPITALS, file);
            } else if (hidden(file)) {
                leftOut.accept(HIDDEN, file);
            } else if (!Files.isRegularFile(file)) {
                leftOut.accept(SPECIAL, file);
            } else if (!DocumentConverter.reads(file.toString())) {
                leftOut.accept(FORMAT, file);
            } else if (!Files.isReadable(file)) {
                leftOut.accept(UNREADABLE, file);
            } else {
                files.add(file);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) {
            leftOut.accept(UNREADABLE, file);
            return FileVisitResult.CONTINUE;
        }
    }
}
