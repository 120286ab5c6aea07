package switchboard.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.files.PrivateFiles;

/** Copies and checks a store while it serves. Blocks. */
final class StoreBackup {
    private final Path folder;
    private final NamespaceCatalog catalog;
    private final DirectoryFactory directories;

    StoreBackup(Path folder, NamespaceCatalog catalog, DirectoryFactory directories) {
        this.folder = folder;
        this.catalog = catalog;
        this.directories = directories;
    }

    /**
     * Copies the store to {@code target}. Each namespace is copied as of one moment, including everything acknowledged
     * before the call. Writes to a namespace wait only while its copy is prepared.
     */
    int backup(Path target) throws IOException {
        if (Files.exists(target)) {
            throw new ToolException(
                    FailureKind.CONFLICT,
                    target + " is there already, and a copy is not written over. Name another folder, or remove it.");
        }
        Path unfinished = target.resolveSibling(target.getFileName() + ".unfinished");
        if (Files.exists(unfinished)) {
            DurableFiles.delete(unfinished);
        }
        try {
            int spaces = copyTo(unfinished);
            Files.move(unfinished, target);
            PrivateFiles.syncFolder(target.toAbsolutePath().getParent());
            return spaces;
        } catch (IOException e) {
            discard(unfinished, e); // on a full disk it takes the room that is needed
            throw e;
        }
    }

    private static void discard(Path unfinished, IOException why) {
        try {
            DurableFiles.delete(unfinished);
        } catch (IOException e) {
            why.addSuppressed(e);
        }
    }

    /** Copies all namespaces; returns their number. */
    private int copyTo(Path unfinished) throws IOException {
        PrivateFiles.folders(unfinished.resolve(StoreFolder.SPACES));
        copy(folder.resolve(StoreFolder.FORMAT_FILE), unfinished.resolve(StoreFolder.FORMAT_FILE));
        int spaces = 0;
        for (NamespaceIndex index : catalog.indexes()) {
            if (backup(index, unfinished.resolve(StoreFolder.SPACES))) {
                spaces++;
            }
        }
        PrivateFiles.syncFolder(unfinished);
        return spaces;
    }

    private boolean backup(NamespaceIndex index, Path spaces) throws IOException {
        Path home = index.folder().getParent();
        if (home == null || !Files.isDirectory(home)) {
            return false;
        }
        Path copy = spaces.resolve(home.getFileName());
        Path files = copy.resolve(NamespaceCatalog.INDEX);
        PrivateFiles.folders(files);
        Optional<IndexCommit> commit = index.hold();
        try {
            if (commit.isPresent()) {
                for (String file : commit.get().getFileNames()) {
                    copy(index.folder().resolve(file), files.resolve(file));
                }
            }
            copy(home.resolve(NamespaceCatalog.NAME_FILE), copy.resolve(NamespaceCatalog.NAME_FILE));
        } finally {
            if (commit.isPresent()) {
                index.release(commit.get());
            }
        }
        PrivateFiles.syncFolder(files);
        PrivateFiles.syncFolder(copy);
        PrivateFiles.syncFolder(spaces);
        return true;
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.copy(from, to);
        org.apache.lucene.util.IOUtils.fsync(to, false);
    }

    /** Reads every file of every namespace and compares checksums, postings, vectors and counts. */
    List<NamespaceCheck> check() throws IOException {
        List<NamespaceCheck> checks = new ArrayList<>();
        for (NamespaceIndex index : catalog.indexes()) {
            index.writing().lock();
            try {
                index.close();
                checks.add(check(index));
            } finally {
                index.writing().unlock();
            }
        }
        catalog.nameless()
                .forEach((name, why) -> checks.add(
                        new NamespaceCheck(new Namespace("", name), 0, List.of("It can't be read: " + why))));
        return checks;
    }

    private NamespaceCheck check(NamespaceIndex index) {
        List<String> problems = new ArrayList<>();
        try (Directory files = directories.open(index.folder())) {
            if (DirectoryReader.indexExists(files)) {
                checkFiles(files, problems);
                if (problems.isEmpty()) {
                    checkCounts(files, index, problems);
                }
            }
        } catch (IOException | RuntimeException e) {
            problems.add("It can't be read: " + StoreFailures.describe(e));
        }
        index.inspect();
        index.checked(problems);
        return new NamespaceCheck(index.namespace(), index.counts().documents(), problems);
    }

    private static void checkFiles(Directory files, List<String> problems) throws IOException {
        ByteArrayOutputStream report = new ByteArrayOutputStream();
        try (CheckIndex check = new CheckIndex(files)) {
            check.setInfoStream(new PrintStream(report, true, StandardCharsets.UTF_8), false);
            CheckIndex.Status status = check.checkIndex();
            if (!status.clean) {
                problems.add("Its files are damaged: " + status.numBadSegments + " of " + status.numSegments
                        + " segments, with " + status.totLoseDocCount
                        + " entries. Restore this namespace's folder from a backup.");
            }
        }
    }

    private static void checkCounts(Directory files, NamespaceIndex index, List<String> problems) throws IOException {
        try (DirectoryReader reader = DirectoryReader.open(files)) {
            int documents = new org.apache.lucene.search.IndexSearcher(reader)
                    .count(new TermQuery(new Term(DocumentSchema.KIND, DocumentSchema.DOCUMENT)));
            index.inspect();
            if (documents != index.counts().documents()) {
                problems.add("Its last commit has " + index.counts().documents() + " documents, but the index has "
                        + documents + ". Put its documents again.");
            }
        }
    }
}
