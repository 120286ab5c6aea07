package switchboard.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.index.KeepOnlyLastCommitDeletionPolicy;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SnapshotDeletionPolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * The Lucene index of one namespace. Readers see commits only, so that what is seen is on the disk, and a commit is visible
 * before it is acknowledged. Files are open only between {@link #acquire} or {@link #writer} and {@link #closeIfUnused}.
 *
 * <p>Reading is thread-safe. Whoever writes, closes or drops holds {@link #writing()}.
 */
final class NamespaceIndex {
    private static final Logger LOG = LoggerFactory.getLogger(NamespaceIndex.class);
    private static final String DOCUMENTS = "documents";
    private static final String CHUNKS = "chunks";
    private static final String CHANGED = "changed";

    /** How much is in the namespace. */
    record Counts(long documents, long chunks) {
        static final Counts NONE = new Counts(0, 0);

        Counts plus(long moreDocuments, long moreChunks) {
            return new Counts(documents + moreDocuments, chunks + moreChunks);
        }
    }

    private final Namespace namespace;
    private final Path folder;
    private final Directories directories;
    private final ReentrantLock writing = new ReentrantLock();
    private final SnapshotDeletionPolicy held = new SnapshotDeletionPolicy(new KeepOnlyLastCommitDeletionPolicy());
    private volatile Counts counts = Counts.NONE;
    private volatile @Nullable Instant changed;
    private volatile @Nullable String damage;
    /** Whether files that open say something else than was written; until the next check. */
    private volatile boolean unsound;

    private volatile long soundVersion = -1;
    private volatile long lastUsed;
    private volatile boolean dropped;
    private volatile @Nullable Directory directory;
    private @Nullable DirectoryReader reader;
    private @Nullable IndexWriter writer;

    NamespaceIndex(Namespace namespace, Path folder, Directories directories) {
        this.namespace = namespace;
        this.folder = folder;
        this.directories = directories;
    }

    Namespace namespace() {
        return namespace;
    }

    Path folder() {
        return folder;
    }

    /** Held by whoever writes, closes or drops. */
    ReentrantLock writing() {
        return writing;
    }

    Counts counts() {
        return counts;
    }

    /** When it was last written to; empty for what was written before that was noted. */
    Optional<Instant> changed() {
        return Optional.ofNullable(changed);
    }

    /** Why the files can't be read, as far as known. */
    Optional<String> damage() {
        return Optional.ofNullable(damage);
    }

    long lastUsed() {
        return lastUsed;
    }

    void used(long now) {
        lastUsed = now;
    }

    /** Reads how much there is without opening more than the last commit. */
    void inspect() {
        try {
            counts = readCommit();
            readable();
        } catch (IOException | RuntimeException e) {
            damaged(e);
        }
    }

    private void readable() {
        if (!unsound && damage != null) {
            damage = null;
            LOG.info("The namespace {} can be read again", namespace.name());
        }
    }

    private void damaged(Throwable cause) {
        boolean known = damage != null;
        damage = StoreFailures.describe(cause);
        if (!known) {
            LOG.error("The namespace {} can't be read: {} ({})", namespace.name(), damage, cause.toString());
        }
    }

    /** What a check of all files has found; empty if nothing. */
    void checked(List<String> problems) {
        unsound = !problems.isEmpty();
        if (unsound) {
            damage = problems.getFirst();
        } else {
            readable();
        }
    }

    /**
     * Compares the check sums of all files of the last commit; to be asked when something failed for a reason that nobody
     * foresaw. What was found sound is not read again. False if they are damaged, which is kept then.
     */
    boolean sound() {
        try {
            Optional<DirectoryReader> last = acquire();
            if (last.isPresent()) {
                sound(last.get());
            }
            return true;
        } catch (IOException | RuntimeException | InternalError e) {
            if (!StoreFailures.damaged(e)) {
                return true;
            }
            unsound = true;
            damaged(e);
            return false;
        }
    }

    private void sound(DirectoryReader last) throws IOException {
        try {
            if (last.getVersion() != soundVersion) {
                for (LeafReaderContext leaf : last.leaves()) {
                    leaf.reader().checkIntegrity();
                }
                soundVersion = last.getVersion();
            }
        } finally {
            last.decRef();
        }
    }

    /** The counts of the last commit; its time is noted on the way. */
    private Counts readCommit() throws IOException {
        if (!Files.isDirectory(folder)) {
            return Counts.NONE;
        }
        try (Directory files = directories.open(folder)) {
            Map<String, String> data = SegmentInfos.readLatestCommit(files).getUserData();
            String noted = data.get(CHANGED);
            changed = noted == null ? null : Instant.parse(noted);
            return counts(data);
        } catch (IndexNotFoundException noCommitYet) {
            return Counts.NONE;
        }
    }

    private static Counts counts(Map<String, String> data) {
        return new Counts(
                Long.parseLong(data.getOrDefault(DOCUMENTS, "0")), Long.parseLong(data.getOrDefault(CHUNKS, "0")));
    }

    /** The last commit, to be given back by {@code decRef}; empty before the first. */
    synchronized Optional<DirectoryReader> acquire() throws IOException {
        if (dropped) {
            return Optional.empty();
        }
        if (unsound) {
            throw new CorruptIndexException(String.valueOf(damage), namespace.name());
        }
        DirectoryReader current = reader;
        if (current == null) {
            if (!Files.isDirectory(folder)) {
                return Optional.empty();
            }
            try {
                current = DirectoryReader.open(directory());
                readable();
            } catch (IndexNotFoundException noCommitYet) {
                return Optional.empty();
            } catch (IOException | RuntimeException e) {
                if (StoreFailures.damaged(e)) {
                    damaged(e);
                }
                throw e;
            }
            reader = current;
        }
        current.incRef();
        return Optional.of(current);
    }

    private Directory directory() throws IOException {
        Directory open = directory;
        if (open == null) {
            open = directories.open(folder);
            directory = open;
        }
        return open;
    }

    /** The writer; opened if it is not. */
    synchronized IndexWriter writer() throws IOException {
        if (dropped) {
            throw new ToolException(
                    FailureKind.CONFLICT, "It was removed meanwhile: " + namespace.name() + ". Add it again first.");
        }
        IndexWriter open = writer;
        if (open == null || !open.isOpen()) {
            DurableFiles.folders(folder);
            IndexWriterConfig config = new IndexWriterConfig()
                    .setCodec(new StoreCodec())
                    .setSimilarity(KeywordRetriever.SIMILARITY)
                    .setOpenMode(OpenMode.CREATE_OR_APPEND)
                    .setCommitOnClose(false)
                    .setRAMBufferSizeMB(32)
                    .setIndexDeletionPolicy(held)
                    .setMergeScheduler(new SilentMergeScheduler());
            directories.adjust(config);
            open = new IndexWriter(directory(), config);
            writer = open;
            counts = readCommit();
        }
        return open;
    }

    /** Makes what was written last; returns when it is on the disk and readers see it. */
    void commit(Counts now, Instant time) throws IOException {
        IndexWriter open = writer();
        open.setLiveCommitData(Map.of(
                        DOCUMENTS,
                        Long.toString(now.documents()),
                        CHUNKS,
                        Long.toString(now.chunks()),
                        CHANGED,
                        time.toString())
                .entrySet());
        open.commit();
        counts = now;
        changed = time;
        refresh();
    }

    private synchronized void refresh() {
        DirectoryReader old = reader;
        if (old == null) {
            return;
        }
        try {
            DirectoryReader newer = DirectoryReader.openIfChanged(old);
            if (newer != null) {
                reader = newer;
                old.decRef();
            }
        } catch (IOException e) {
            // The commit stands; the next read opens it, or says why it can't.
            reader = null;
            IOUtils.closeWhileHandlingException(old);
        }
    }

    /** Keeps the files of the last commit from being removed until {@link #release}; empty before the first commit. */
    Optional<IndexCommit> hold() throws IOException {
        writing.lock();
        try {
            writer();
            return acquired() ? Optional.of(held.snapshot()) : Optional.empty();
        } finally {
            writing.unlock();
        }
    }

    private boolean acquired() throws IOException {
        Optional<DirectoryReader> last = acquire();
        if (last.isPresent()) {
            last.get().decRef();
        }
        return last.isPresent();
    }

    /** Lets go of what {@link #hold} gave. */
    void release(IndexCommit commit) throws IOException {
        held.release(commit);
    }

    /** Forgets everything since the last commit. */
    synchronized void rollback() {
        IndexWriter open = writer;
        writer = null;
        if (open != null) {
            try {
                open.rollback();
            } catch (IOException | RuntimeException e) {
                IOUtils.closeWhileHandlingException(open);
            }
        }
        // What the disk holds counts, should the commit have got through after all.
        refresh();
    }

    /** Whether files are open. */
    boolean isOpen() {
        return directory != null;
    }

    /** Closes the files, unless somebody writes. Readers under way keep theirs until they are done. */
    void closeIfUnused() {
        if (writing.tryLock()) {
            try {
                close();
            } finally {
                writing.unlock();
            }
        }
    }

    /** Closes the files; for holders of {@link #writing}. */
    synchronized void close() {
        IndexWriter open = writer;
        writer = null;
        try {
            if (open != null && open.isOpen() && open.hasUncommittedChanges()) {
                // Merges only: whatever callers wrote was committed before it was acknowledged.
                open.commit();
            }
        } catch (IOException | RuntimeException e) {
            // The last commit is complete without them.
            LOG.debug("merges of {} are given up: {}", namespace.name(), e.toString());
        }
        IOUtils.closeWhileHandlingException(open, reader, directory);
        reader = null;
        directory = null;
    }

    /**
     * Closes the files for good and has {@code away} take them away, during which nobody opens them: a search over several
     * namespaces must not find the files of one half gone. For holders of {@link #writing}.
     */
    synchronized void drop(Removal away) throws IOException {
        rollback();
        close();
        away.run();
        dropped = true;
        counts = Counts.NONE;
    }

    /** Takes closed files away. */
    @FunctionalInterface
    interface Removal {
        void run() throws IOException;
    }
}
