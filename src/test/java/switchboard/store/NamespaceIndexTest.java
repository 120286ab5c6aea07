package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import switchboard.testing.logs.AsksForErrors;

/** What one namespace knows of the damage of its files, and what it says about it. */
class NamespaceIndexTest {
    private static final Namespace SPACE = Namespace.of("books");

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger log = (Logger) LoggerFactory.getLogger(NamespaceIndex.class);

    @TempDir
    Path temp;

    @BeforeEach
    void listen() {
        lines.start();
        log.addAppender(lines);
        log.setLevel(Level.INFO);
    }

    @AfterEach
    void leave() {
        log.detachAppender(lines);
        log.setLevel(null);
    }

    private NamespaceIndex index() {
        return new NamespaceIndex(SPACE, temp.resolve("books"), FSDirectory::open);
    }

    private List<String> lines() {
        return lines.list.stream()
                .map(line -> line.getLevel() + " " + line.getFormattedMessage())
                .toList();
    }

    private Path lastCommit() throws IOException {
        try (Stream<Path> files = Files.list(temp.resolve("books"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("segments_"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void aNamespaceWithoutFilesIsEmptyAndSound() throws IOException {
        NamespaceIndex index = index();
        index.inspect();
        assertEquals(NamespaceIndex.Counts.NONE, index.counts());
        assertEquals(Optional.empty(), index.damage());
        assertEquals(Optional.empty(), index.acquire());
        assertTrue(index.sound());
        assertFalse(index.isOpen());
        assertEquals(List.of(), lines());
    }

    @AsksForErrors("NamespaceIndex - The namespace books can't be read")
    @Test
    void damageIsReportedOnceAndItsEndOnce() throws IOException {
        NamespaceIndex index = index();
        index.writer();
        index.commit(CommitUserData.NONE);
        index.close();
        Path commit = lastCommit();
        byte[] good = Files.readAllBytes(commit);
        Files.write(commit, new byte[] {1, 2, 3});
        index.inspect();
        String damage = index.damage().orElseThrow();
        index.inspect();
        assertEquals(damage, index.damage().orElseThrow());
        assertEquals(1, lines().size(), lines()::toString);
        assertTrue(
                lines().getFirst().startsWith("ERROR The namespace books can't be read: " + damage + " ("),
                lines()::toString);

        Files.write(commit, good);
        index.inspect();
        assertEquals(Optional.empty(), index.damage());
        index.inspect();
        assertEquals(List.of("INFO The namespace books can be read again"), lines().subList(1, lines().size()));
    }

    @Test
    void whatTheLastCommitSaysIsKnownBeforeTheFilesAreOpened() throws IOException {
        CommitUserData facts = new CommitUserData(
                new NamespaceIndex.Counts(3, 7), Instant.parse("2026-01-02T03:04:05Z"), TextAnalysis.VERSION, true);
        NamespaceIndex written = index();
        written.writer();
        written.commit(facts);
        assertEquals(facts, written.facts());
        written.close();
        NamespaceIndex read = index();
        assertEquals(CommitUserData.NONE, read.facts());
        read.inspect();
        assertEquals(facts, read.facts());
        assertEquals(new NamespaceIndex.Counts(3, 7), read.counts());
        assertEquals(Instant.parse("2026-01-02T03:04:05Z"), read.facts().changed());
        assertFalse(read.isOpen());
    }

    @Test
    void whatACheckFoundIsReadAgainOnlyAfterTheNextCheck() throws IOException {
        NamespaceIndex index = index();
        index.writer();
        index.commit(CommitUserData.NONE);
        index.checked(List.of("_0.cfs: checksum", "_1.cfs: checksum"));
        assertEquals(Optional.of("_0.cfs: checksum"), index.damage());
        CorruptIndexException refused = assertThrows(CorruptIndexException.class, index::acquire);
        assertTrue(refused.getMessage().contains("_0.cfs: checksum"), refused::getMessage);
        index.inspect();
        assertEquals(
                Optional.of("_0.cfs: checksum"),
                index.damage(),
                "a commit that can be opened does not disprove a check");
        assertFalse(index.sound());
        assertEquals(List.of(), lines(), "the check has said it");

        index.checked(List.of());
        assertEquals(Optional.empty(), index.damage());
        assertEquals(List.of("INFO The namespace books can be read again"), lines());
        index.acquire().orElseThrow().decRef();
        index.checked(List.of());
        assertEquals(1, lines().size(), "there was nothing to recover from");
        index.close();
        assertFalse(index.isOpen());
    }

    @Test
    void anIndexThatIsClosedForWritingIsOpenForReading() throws IOException {
        NamespaceIndex index = index();
        index.writer().addDocument(new Document());
        index.commit(CommitUserData.NONE);
        DirectoryReader before = index.acquire().orElseThrow();
        assertTrue(index.isOpenForWriting());

        index.closeWriterIfUnused();
        assertFalse(index.isOpenForWriting());
        assertTrue(index.isOpen());
        DirectoryReader after = index.acquire().orElseThrow();
        assertSame(before, after, "it was not opened again");
        before.decRef();
        after.decRef();

        index.writer().addDocument(new Document());
        index.commit(CommitUserData.NONE);
        DirectoryReader both = index.acquire().orElseThrow();
        assertEquals(2, both.numDocs());
        both.decRef();
        index.close();
        assertFalse(index.isOpenForWriting());
        assertFalse(index.isOpen());
    }

    @Test
    void anIndexThatIsBeingWrittenToStaysOpenForWriting() throws Exception {
        NamespaceIndex index = index();
        index.writer();
        index.commit(CommitUserData.NONE);
        index.writing().lock();
        try {
            Thread other = Thread.ofVirtual().start(() -> {
                index.closeWriterIfUnused();
                index.closeIfUnused();
            });
            other.join();
            assertTrue(index.isOpenForWriting());
        } finally {
            index.writing().unlock();
        }
        index.closeIfUnused();
        assertFalse(index.isOpen());
    }

    /** Fails to delete the last commit when a test says so: Lucene deletes it after the next one is on the disk. */
    private static final class FailingToDelete extends FilterDirectory {
        private final AtomicBoolean fails;

        FailingToDelete(Directory in, AtomicBoolean fails) {
            super(in);
            this.fails = fails;
        }

        @Override
        public void deleteFile(String name) throws IOException {
            if (fails.get() && name.startsWith("segments_")) {
                throw new IOException("Input/output error");
            }
            super.deleteFile(name);
        }
    }

    private static Optional<Integer> documents(NamespaceIndex index) throws IOException {
        Optional<DirectoryReader> reader = index.acquire();
        if (reader.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(reader.get().numDocs());
        } finally {
            reader.get().decRef();
        }
    }

    /** Records which files are made on the disk. */
    private static final class RecordingDirectory extends FilterDirectory {
        private final List<String> made;

        RecordingDirectory(Directory in, List<String> made) {
            super(in);
            this.made = made;
        }

        @Override
        public IndexOutput createOutput(String name, IOContext context) throws IOException {
            made.add(name);
            return super.createOutput(name, context);
        }
    }

    @Test
    void aCommitOfADocumentMakesFewFilesThatAreDeletedAtOnce() throws IOException {
        List<String> made = new ArrayList<>();
        NamespaceIndex index = new NamespaceIndex(
                SPACE, temp.resolve("books"), path -> new RecordingDirectory(FSDirectory.open(path), made));
        index.writer();
        index.commit(CommitUserData.NONE);
        made.clear();
        index.writer().addDocument(List.of(new TextField("title", "A tug pulls ships.", Field.Store.YES)));
        index.commit(CommitUserData.NONE);
        List<String> kept = made.stream()
                .filter(name -> Files.exists(temp.resolve("books").resolve(name)))
                .sorted()
                .toList();
        assertEquals(List.of("_0.cfe", "_0.cfs", "_0.si"), kept, made::toString);
        // Stored fields are written as they come (three files), as is the list of fields; the commit's own file gets
        // another name.
        assertTrue(made.size() <= kept.size() + 5, made::toString);
        assertEquals(Optional.of(1), documents(index));
        index.close();
    }

    @Test
    void aCommitThatFailsAfterItIsOnTheDiskIsSeenAndCounted() throws IOException {
        AtomicBoolean fails = new AtomicBoolean();
        NamespaceIndex index = new NamespaceIndex(
                SPACE, temp.resolve("books"), path -> new FailingToDelete(FSDirectory.open(path), fails));
        CommitUserData one =
                new CommitUserData(new NamespaceIndex.Counts(1, 1), Instant.EPOCH, TextAnalysis.VERSION, false);
        CommitUserData two =
                new CommitUserData(new NamespaceIndex.Counts(2, 2), Instant.EPOCH, TextAnalysis.VERSION, false);
        index.writer().addDocument(List.of());
        index.commit(one);
        assertEquals(Optional.of(1), documents(index));

        index.writer().addDocument(List.of());
        fails.set(true);
        assertThrows(IOException.class, () -> index.commit(two));
        fails.set(false);
        index.rollback();
        assertEquals(Optional.of(2), documents(index), "readers see what is on the disk");
        index.writer();
        assertEquals(two, index.facts(), "and the next commit counts from there");
        index.close();
    }

    @Test
    void whatWasWrittenSinceTheLastCommitIsGoneAfterARollback() throws IOException {
        NamespaceIndex index = index();
        CommitUserData one =
                new CommitUserData(new NamespaceIndex.Counts(1, 1), Instant.EPOCH, TextAnalysis.VERSION, false);
        index.writer().addDocument(List.of());
        index.commit(one);
        index.writer().addDocument(List.of());
        index.rollback();
        assertEquals(Optional.of(1), documents(index));
        assertEquals(one, index.facts());
        index.commit(one);
        assertEquals(Optional.of(1), documents(index), "the next commit does not have it either");
        index.close();
    }

    /** It was damaged at the start, and its operator has restored it while the gateway runs. */
    @AsksForErrors("NamespaceIndex - The namespace books can't be read")
    @Test
    void aNamespaceThatWasRestoredCountsFromWhatIsInIt() throws IOException {
        CommitUserData three =
                new CommitUserData(new NamespaceIndex.Counts(3, 7), Instant.EPOCH, TextAnalysis.VERSION, false);
        NamespaceIndex written = index();
        written.writer();
        written.commit(three);
        written.close();
        Path commit = lastCommit();
        byte[] good = Files.readAllBytes(commit);
        Files.write(commit, new byte[] {1, 2, 3});
        NamespaceIndex index = index();
        index.inspect();
        assertEquals(NamespaceIndex.Counts.NONE, index.counts());
        Files.write(commit, good);
        index.writer();
        assertEquals(three, index.facts());
        index.close();
    }
}
