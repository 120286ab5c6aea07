package switchboard.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
 * The Lucene index of one namespace. Readers see commits only, so what they see is on the disk, and a commit is
 * visible before it is acknowledged. Files are open only between {@link #acquire} or {@link #writer} and {@link
 * #closeIfUnused}.
 *
 * <p>Reading is thread-safe. To write, close or drop, hold the lock {@link #writing()}.
 */
final class NamespaceIndex {
    private static final Logger LOG = LoggerFactory.getLogger(NamespaceIndex.class);

    /** The number of documents and chunks in a namespace. */
    record Counts(long documents, long chunks) {
        static final Counts NONE = new Counts(0, 0);

        Counts plus(long moreDocuments, long moreChunks) {
            return new Counts(documents + moreDocuments, chunks + moreChunks);
        }
    }

    private final Namespace namespace;
    private final Path folder;
    private final DirectoryFactory directories;
    private final ReentrantLock writing = new ReentrantLock();
    private final SnapshotDeletionPolicy held = new SnapshotDeletionPolicy(new KeepOnlyLastCommitDeletionPolicy());
    private volatile CommitUserData facts = CommitUserData.NONE;
    private volatile @Nullable String damage;
    /** Whether a check found the open files damaged; until the next check. */
    private volatile boolean unsound;

    private volatile long soundVersion = -1;
    private volatile long lastUsed;
    private volatile boolean dropped;
    private volatile @Nullable Directory directory;
    private @Nullable DirectoryReader reader;
    private volatile @Nullable IndexWriter writer;

    NamespaceIndex(Namespace namespace, Path folder, DirectoryFactory directories) {
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

    /** The lock to hold for writing, closing and dropping. */
    ReentrantLock writing() {
        return writing;
    }

    /** The user data of the last commit. */
    CommitUserData facts() {
        return facts;
    }

    Counts counts() {
        return facts.counts();
    }

    /** Why the files can't be read, as far as is known. */
    Optional<String> damage() {
        return Optional.ofNullable(damage);
    }

    long lastUsed() {
        return lastUsed;
    }

    void used(long now) {
        lastUsed = now;
    }

    /** Reads the counts. Opens only the last commit. */
    void inspect() {
        try {
            facts = readCommit();
            readable();
        } catch (IOException | RuntimeException e) {
            // Until its files can be read: nothing is known of its readers.
            facts = facts.restricted(true);
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

    /** Records the result of a check of all files; an empty list means that they are intact. */
    void checked(List<String> problems) {
        unsound = !problems.isEmpty();
        if (unsound) {
            damage = problems.getFirst();
        } else {
            readable();
        }
    }

    /**
     * Compares the checksums of all files of the last commit, for use after an unexpected failure. Files that were
     * found intact are not read again. Returns false, and records the damage, if they are damaged.
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

    private CommitUserData readCommit() throws IOException {
        if (!Files.isDirectory(folder)) {
            return CommitUserData.NONE;
        }
        try (Directory files = directories.open(folder)) {
            return CommitUserData.of(SegmentInfos.readLatestCommit(files).getUserData());
        } catch (IndexNotFoundException noCommitYet) {
            return CommitUserData.NONE;
        }
    }

    /** A reader on the last commit, to be released with {@code decRef}; empty before the first commit. */
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
            facts = facts.checked(current);
        }
        current.incRef();
        return Optional.of(current);
    }

    private Directory directory() throws IOException {
        Directory open = directory;
        if (open == null) {
            open = new SmallSegmentDirectory(directories.open(folder));
            directory = open;
        }
        return open;
    }

    /** The index writer, which is opened if necessary. */
    synchronized IndexWriter writer() throws IOException {
        if (dropped) {
            throw new ToolException(
                    FailureKind.CONFLICT,
                    "It was removed in the meantime: " + namespace.name() + ". Add it again first.");
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
            facts = reader == null ? readCommit() : readCommit().checked(reader);
        }
        return open;
    }

    /** Commits what was written. Returns when it is on the disk and readers see it. */
    void commit(CommitUserData now) throws IOException {
        IndexWriter open = writer();
        open.setLiveCommitData(now.data().entrySet());
        open.commit();
        synchronized (this) {
            facts = now;
            refresh();
        }
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
            // The commit is valid; the next read opens it, or reports why it can't.
            reader = null;
            IOUtils.closeWhileHandlingException(old);
        }
    }

    /** Protects the files of the last commit from deletion until {@link #release}; empty before the first commit. */
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

    /** Releases a commit of {@link #hold}. */
    void release(IndexCommit commit) throws IOException {
        held.release(commit);
    }

    /** Discards everything since the last commit. */
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
        // The disk decides, in case the commit succeeded after all.
        refresh();
    }

    /** Whether files are open. */
    boolean isOpen() {
        return directory != null;
    }

    /** Whether it is open for writing, which needs buffers, a lock file and threads for merging. Does not wait for what opens files. */
    boolean isOpenForWriting() {
        return writer != null;
    }

    /** Closes the files unless a write is under way. Readers under way keep theirs until they are done. */
    void closeIfUnused() {
        unlessWriting(this::close);
    }

    /** Closes the index for writing unless a write is under way. It stays open for reading. */
    void closeWriterIfUnused() {
        unlessWriting(this::closeWriter);
    }

    private void unlessWriting(Runnable closing) {
        if (writing.tryLock()) {
            try {
                closing.run();
            } finally {
                writing.unlock();
            }
        }
    }

    /** Closes the files. The caller holds {@link #writing}. */
    synchronized void close() {
        closeWriter();
        IOUtils.closeWhileHandlingException(reader, directory);
        reader = null;
        directory = null;
    }

    /** Readers need not wait for the commit. The caller holds {@link #writing}. */
    private void closeWriter() {
        IndexWriter open = writer;
        writer = null;
        if (open == null) {
            return;
        }
        try {
            if (open.isOpen() && open.hasUncommittedChanges()) {
                // Merges only: whatever callers wrote was committed before it was acknowledged.
                open.commit();
                refresh();
            }
        } catch (IOException | RuntimeException e) {
            // The last commit is complete without them.
            LOG.debug("merges of {} are abandoned: {}", namespace.name(), e.toString());
        }
        IOUtils.closeWhileHandlingException(open);
    }

    /**
     * Closes the files for good and lets {@code away} delete them. Nobody can open them meanwhile, so that a search
     * over several namespaces never finds half-deleted files. The caller holds {@link #writing}.
     */
    synchronized void drop(Removal away) throws IOException {
        rollback();
        close();
        away.run();
        dropped = true;
        facts = CommitUserData.NONE;
    }

    /** Deletes closed files. */
    @FunctionalInterface
    interface Removal {
        void run() throws IOException;
    }
}
