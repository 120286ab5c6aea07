package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static switchboard.store.StoreFixture.BOOKS;
import static switchboard.store.StoreFixture.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.CurrentTeam;
import switchboard.concurrent.TeamShare;
import switchboard.telemetry.MetricNames;
import switchboard.testing.HandClock;
import switchboard.testing.OnContext;
import switchboard.testing.TeamShares;

@ExtendWith(VertxExtension.class)
class GroupCommitTest {
    private static final int MOST_WAITING = 3;

    @TempDir
    Path folder;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private Vertx vertx;
    private StoreFolder opened;
    private GroupCommit commits;

    @BeforeEach
    void open(Vertx vertx) throws IOException {
        this.vertx = vertx;
        opened = StoreFolder.open(folder, FSDirectory::open);
        commits = new GroupCommit(
                vertx,
                new BlockingExecutor(vertx, meters, "test", 1, 100, TeamShare.ALL),
                opened.catalog(),
                meters,
                HandClock.ticking(Instant.EPOCH),
                new StoreSettings(folder, "test", 4, Duration.ofMinutes(1), 1, MOST_WAITING, TeamShare.ALL));
    }

    @AfterEach
    void close() throws IOException {
        await(commits.close());
        opened.close();
    }

    private static Optional<StoredDocument> put(CommitBatch group, String source) throws IOException {
        NewDocument document = StoreFixture.doc(source, "text of " + source);
        StoredDocument facts = StoredDocument.of(BOOKS, document, Instant.EPOCH);
        return group.put(DocumentAccess.EVERYTHING, facts, DocumentSchema.of(facts, document));
    }

    private Future<Optional<StoredDocument>> put(String source) {
        return commits.submit(BOOKS, group -> put(group, source));
    }

    /** Keeps the executor busy, so that what is submitted next becomes one group. */
    private Future<Optional<StoredDocument>> hold(CountDownLatch until) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Future<Optional<StoredDocument>> held = commits.submit(BOOKS, group -> {
            begun.countDown();
            waitFor(until);
            return put(group, "held");
        });
        begun.await();
        return held;
    }

    private static FailureKind failure(Future<?> future) {
        return assertThrows(ToolException.class, () -> await(future)).failed().kind();
    }

    private List<String> sources() throws IOException {
        List<String> sources = new ArrayList<>();
        try (Snapshot snapshot = Snapshot.of(opened.catalog().find(List.of(BOOKS)), DocumentAccess.EVERYTHING)) {
            for (String source : List.of("held", "good", "half", "later")) {
                DocumentLookup.bySource(snapshot, source).ifPresent(found -> sources.add(found.source()));
            }
        }
        return sources;
    }

    @Test
    void aChangeThatBreaksTakesItsWholeGroupBackAndTheNextOneCommitsNothingOfIt() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Future<Optional<StoredDocument>> held = hold(gate);
        Future<Optional<StoredDocument>> good = put("good");
        Future<Optional<StoredDocument>> half = commits.submit(BOOKS, group -> {
            put(group, "half");
            throw new IOException("No space left on device");
        });
        gate.countDown();
        await(held);
        assertEquals(FailureKind.UNAVAILABLE, failure(good));
        assertEquals(FailureKind.UNAVAILABLE, failure(half));
        assertEquals(List.of("held"), sources());
        await(put("later"));
        assertEquals(List.of("held", "later"), sources());
        assertEquals(
                new NamespaceIndex.Counts(2, 2),
                opened.catalog().find(BOOKS).orElseThrow().counts());
    }

    @Test
    void aFullQueueRefusesAndTakesAsManyAgainOnceItIsEmpty() throws Exception {
        for (int round = 0; round < 3; round++) {
            CountDownLatch gate = new CountDownLatch(1);
            Future<Optional<StoredDocument>> held = hold(gate);
            List<Future<Optional<StoredDocument>>> waiting = new ArrayList<>();
            for (int i = 0; i < MOST_WAITING; i++) {
                waiting.add(put("waiting" + i));
            }
            assertEquals(FailureKind.OVERLOADED, failure(put("one too many")));
            gate.countDown();
            await(held);
            await(Future.all(waiting));
        }
    }

    @Test
    void aFullQueueWhoseCommitFailsTakesAsManyAgain() throws Exception {
        for (int round = 0; round < 2; round++) {
            CountDownLatch gate = new CountDownLatch(1);
            Future<Optional<StoredDocument>> held = hold(gate);
            List<Future<Optional<StoredDocument>>> waiting = new ArrayList<>(List.of(put("good"), put("half")));
            waiting.add(commits.submit(BOOKS, _ -> {
                throw new IOException("No space left on device");
            }));
            assertEquals(FailureKind.OVERLOADED, failure(put("one too many")));
            gate.countDown();
            await(held);
            waiting.forEach(lost -> assertEquals(FailureKind.UNAVAILABLE, failure(lost)));
            assertEquals(List.of("held"), sources());
        }
        CountDownLatch gate = new CountDownLatch(1);
        Future<Optional<StoredDocument>> held = hold(gate);
        List<Future<Optional<StoredDocument>>> waiting = List.of(put("good"), put("half"), put("later"));
        gate.countDown();
        await(held);
        await(Future.all(waiting));
        assertEquals(List.of("held", "good", "half", "later"), sources());
        assertEquals(
                new NamespaceIndex.Counts(4, 4),
                opened.catalog().find(BOOKS).orElseThrow().counts());
    }

    /** The changes of a team that the executor has no room for are answered, and give their places back. */
    @Test
    void whatTheExecutorHasNoRoomForIsRefusedAndNotForgotten() throws Exception {
        await(commits.close());
        BlockingExecutor executor = new BlockingExecutor(vertx, meters, "full", 1, 0, TeamShare.ALL);
        commits = new GroupCommit(
                vertx,
                executor,
                opened.catalog(),
                meters,
                HandClock.ticking(Instant.EPOCH),
                new StoreSettings(folder, "test", 4, Duration.ofMinutes(1), 1, MOST_WAITING, TeamShare.ALL));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        Future<Boolean> other = executor.run(() -> {
            begun.countDown();
            gate.await();
            return true;
        });
        begun.await();
        for (int i = 0; i < 2 * MOST_WAITING; i++) {
            assertEquals(FailureKind.OVERLOADED, failure(put("good")));
        }
        gate.countDown();
        await(other);
        await(put("later"));
        assertEquals(List.of("later"), sources());
    }

    @Test
    void aQueueThatTwoTeamsFillIsFullForBoth() throws Exception {
        StoreSettings shared =
                new StoreSettings(folder, "shared", 4, Duration.ofMinutes(1), 1, 4, TeamShares.among(0.75, 2));
        BlockingExecutor executor = new BlockingExecutor(vertx, meters, "shared", 1, 100, TeamShare.ALL);
        await(commits.close());
        commits = new GroupCommit(vertx, executor, opened.catalog(), meters, HandClock.ticking(Instant.EPOCH), shared);
        CountDownLatch gate = new CountDownLatch(1);
        Future<Optional<StoredDocument>> held = hold(gate);
        List<Future<Optional<StoredDocument>>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(ofTeam("one", "one" + i));
        }
        assertEquals(FailureKind.OVERLOADED, failure(ofTeam("one", "beyond its share")));
        waiting.add(ofTeam("two", "two"));
        assertEquals(FailureKind.OVERLOADED, failure(ofTeam("two", "within its share, but the queue is full")));
        gate.countDown();
        await(held);
        await(Future.all(waiting));
        await(ofTeam("two", "again"));
        await(Future.all(ofTeam("one", "again0"), ofTeam("one", "again1"), ofTeam("one", "again2")));
    }

    @Test
    void aTeamMayAddAsManyAsHaveBegun() throws Exception {
        await(commits.close());
        StoreSettings shared =
                new StoreSettings(folder, "shared", 4, Duration.ofMinutes(1), 1, 8, TeamShares.among(0.5, 2));
        BlockingExecutor executor = new BlockingExecutor(vertx, meters, "shared", 1, 100, TeamShare.ALL);
        commits = new GroupCommit(vertx, executor, opened.catalog(), meters, HandClock.ticking(Instant.EPOCH), shared);
        CountDownLatch gate = new CountDownLatch(1);
        Future<Optional<StoredDocument>> held = hold(gate);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        List<Future<?>> changes = new ArrayList<>();
        changes.add(ofTeam("one", new GroupCommit.Rewrite<>(group -> {
            begun.countDown();
            waitFor(end);
            return true;
        })));
        for (int i = 0; i < 3; i++) {
            changes.add(ofTeam("one", "waiting" + i));
        }
        assertEquals(FailureKind.OVERLOADED, failure(ofTeam("one", "beyond its share")));
        gate.countDown();
        begun.await();
        changes.add(ofTeam("one", "in place of the one that has begun"));
        assertEquals(FailureKind.OVERLOADED, failure(ofTeam("one", "one more")));
        end.countDown();
        await(held);
        await(Future.all(changes));
    }

    private static void waitFor(CountDownLatch latch) throws InterruptedIOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new InterruptedIOException();
        }
    }

    /** Puts a document in a call of {@code team}. */
    private Future<Optional<StoredDocument>> ofTeam(String team, String source) {
        return ofTeam(team, group -> put(group, source));
    }

    private <T> Future<T> ofTeam(String team, GroupCommit.Change<T> change) {
        return OnContext.call(((VertxInternal) vertx).getOrCreateContext().duplicate(), () -> {
            CurrentTeam.begin(team);
            return commits.submit(BOOKS, change);
        });
    }

    @Test
    void whatItTookBeforeItClosedIsDoneAndNothingElse() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Future<Optional<StoredDocument>> held = hold(gate);
        Future<Optional<StoredDocument>> good = put("good");
        Future<Void> closed = commits.close();
        assertEquals(FailureKind.UNAVAILABLE, failure(put("later")));
        assertEquals(false, closed.isComplete());
        gate.countDown();
        await(held);
        await(good);
        await(closed);
        assertEquals(List.of("held", "good"), sources());
    }

    private long commitsMade() {
        return meters.get(MetricNames.STORE_COMMITS).timer().count();
    }

    @Test
    void aChangeThatIsRefusedFailsAlone() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Future<Optional<StoredDocument>> held = hold(gate);
        Future<Optional<StoredDocument>> good = put("good");
        Future<Object> refused = commits.submit(BOOKS, _ -> {
            throw new ToolException(FailureKind.CONFLICT, "not this one");
        });
        Future<Object> unfit = commits.submit(BOOKS, _ -> {
            throw new IllegalArgumentException("a field is too long");
        });
        gate.countDown();
        await(held);
        await(good);
        assertEquals(FailureKind.CONFLICT, failure(refused));
        ToolException told = assertThrows(ToolException.class, () -> await(unfit));
        assertEquals(FailureKind.INVALID_ARGUMENT, told.failed().kind());
        assertEquals("It can't be stored: a field is too long", told.failed().message());
        assertEquals(List.of("held", "good"), sources());
        assertEquals(2, commitsMade(), "those that waited share one");
    }

    @Test
    void aChangeThatReadsWhatItRewritesHasACommitOfItsOwn() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Future<Optional<StoredDocument>> held = hold(gate);
        Future<Optional<StoredDocument>> good = put("good");
        List<String> seen = new ArrayList<>();
        Future<Boolean> alone = commits.submit(BOOKS, new GroupCommit.Rewrite<>(group -> {
            seen.addAll(sources());
            put(group, "half");
            return true;
        }));
        Future<Optional<StoredDocument>> later = put("later");
        gate.countDown();
        await(held);
        await(good);
        await(alone);
        await(later);
        assertEquals(List.of("held", "good"), seen, "what came before is committed, and what comes after is not");
        assertEquals(4, commitsMade());
    }

    @Test
    void whatChangesNothingIsNotCommitted() {
        assertEquals(
                Optional.empty(),
                await(commits.submit(BOOKS, group -> group.delete(DocumentAccess.EVERYTHING, "no such id"))));
        assertEquals(0, commitsMade());
        await(put("good"));
        assertEquals(1, commitsMade());
    }

    @Test
    void fiveHundredChangesShareACommitAndTheNextOneHasAnother() throws Exception {
        await(commits.close());
        BlockingExecutor executor = new BlockingExecutor(vertx, meters, "large", 1, 100, TeamShare.ALL);
        commits = new GroupCommit(
                vertx,
                executor,
                opened.catalog(),
                meters,
                HandClock.ticking(Instant.EPOCH),
                new StoreSettings(folder, "test", 4, Duration.ofMinutes(1), 1, 1_000, TeamShare.ALL));
        CountDownLatch gate = new CountDownLatch(1);
        Future<Optional<StoredDocument>> held = hold(gate);
        List<Future<Boolean>> waiting = new ArrayList<>();
        for (int i = 0; i < 501; i++) {
            boolean written = i == 0 || i == 500;
            waiting.add(commits.submit(BOOKS, group -> {
                if (written) {
                    put(group, "good");
                }
                return true;
            }));
        }
        gate.countDown();
        await(held);
        await(Future.all(waiting));
        assertEquals(3, commitsMade());
    }
}
