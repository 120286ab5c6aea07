package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What is kept of a server's answers, and when the server is asked again. */
class ServerFactCacheTest {
    private static final RuntimeException DOUBTFUL = new IllegalStateException("no such column");
    private static final RuntimeException CERTAIN = new IllegalStateException("out of time");

    private final AtomicLong now = new AtomicLong();
    private final ServerFactCache<String, String> serverFactCache =
            new ServerFactCache<>(Duration.ofSeconds(30), now::get);
    private final Deque<Future<String>> answers = new ArrayDeque<>();
    private final List<String> worked = new ArrayList<>();

    /** Works with the answer for {@code key}, which fails for {@code wrong} ones. */
    private Future<String> work(String key, RuntimeException failure, String... wrong) {
        return serverFactCache.<String>with(
                key,
                answers::remove,
                answer -> {
                    worked.add(answer);
                    if (List.of(wrong).contains(answer)) {
                        throw failure;
                    }
                    return Future.succeededFuture(answer);
                },
                (_, cause) -> cause == DOUBTFUL);
    }

    @Test
    void theServerIsAskedOnceForEachKeyUntilTheMemoryEnds() {
        answers.add(Future.succeededFuture("a1"));
        answers.add(Future.succeededFuture("b1"));
        answers.add(Future.succeededFuture("a2"));
        assertEquals("a1", work("a", DOUBTFUL).result());
        assertEquals("b1", work("b", DOUBTFUL).result());
        now.set(Duration.ofSeconds(29).toNanos());
        assertEquals("a1", work("a", DOUBTFUL).result());
        now.set(Duration.ofSeconds(30).toNanos());
        assertEquals("a2", work("a", DOUBTFUL).result());
    }

    @Test
    void failuresToLearnItAreNotKept() {
        answers.add(Future.failedFuture(CERTAIN));
        answers.add(Future.succeededFuture("now there"));
        assertSame(CERTAIN, work("a", DOUBTFUL).cause());
        assertEquals("now there", work("a", DOUBTFUL).result());
    }

    @Test
    void workThatCastsDoubtIsDoneAgainWithAnotherAnswer() {
        answers.add(Future.succeededFuture("old"));
        answers.add(Future.succeededFuture("new"));
        work("a", DOUBTFUL);
        assertEquals("new", work("a", DOUBTFUL, "old").result());
        assertEquals("new", work("a", DOUBTFUL, "old").result());
        assertEquals(List.of("old", "old", "new", "new"), worked);
    }

    @Test
    void workThatCastsDoubtIsNotDoneAgainWithTheSameAnswer() {
        answers.add(Future.succeededFuture("same"));
        answers.add(Future.succeededFuture("same"));
        work("a", DOUBTFUL);
        assertSame(DOUBTFUL, work("a", DOUBTFUL, "same").cause());
        assertEquals(List.of("same", "same"), worked);
    }

    @Test
    void anAnswerInDoubtIsForgottenEvenIfThereIsNoOther() {
        answers.add(Future.succeededFuture("old"));
        answers.add(Future.failedFuture(CERTAIN));
        answers.add(Future.succeededFuture("new"));
        work("a", DOUBTFUL);
        assertSame(CERTAIN, work("a", DOUBTFUL, "old").cause());
        assertEquals("new", work("a", DOUBTFUL, "old").result());
    }

    @Test
    void otherFailuresCastNoDoubt() {
        answers.add(Future.succeededFuture("a"));
        work("a", CERTAIN);
        assertSame(CERTAIN, work("a", CERTAIN, "a").cause());
        assertEquals("a", work("a", CERTAIN).result());
        assertTrue(answers.isEmpty());
    }

    @Test
    void workThatFailsAtOnceWithAFreshAnswerFails() {
        answers.add(Future.succeededFuture("a"));
        assertSame(DOUBTFUL, work("a", DOUBTFUL, "a").cause());
        assertEquals(List.of("a"), worked);
    }
}
