package switchboard.concurrent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.junit5.VertxExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import switchboard.testing.OnContext;
import switchboard.testing.TeamShares;

@ExtendWith(VertxExtension.class)
class FairSemaphoreTest {
    private static final IllegalStateException FULL = new IllegalStateException("full");

    private Vertx vertx;
    private final List<String> begun = new ArrayList<>();

    @BeforeEach
    void open(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Work that is over when {@code end} is. */
    private Supplier<Future<String>> work(String name, Promise<String> end) {
        return () -> {
            begun.add(name);
            return end.future();
        };
    }

    private Future<String> run(FairSemaphore semaphore, String name, Promise<String> end) {
        return semaphore.run(work(name, end), () -> FULL);
    }

    @Test
    void soMuchRunsAtOnceSomeWaitsInOrderAndTheRestIsRefused() {
        FairSemaphore semaphore = new FairSemaphore(2, 2, TeamShare.ALL);
        List<Promise<String>> ends = new ArrayList<>();
        List<Future<String>> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ends.add(Promise.promise());
            all.add(run(semaphore, "work " + i, ends.get(i)));
        }
        assertEquals(List.of("work 0", "work 1"), begun);
        assertSame(FULL, all.get(4).cause());
        assertFalse(all.get(2).isComplete());

        ends.get(1).complete("one");
        assertEquals("one", all.get(1).result());
        assertEquals(List.of("work 0", "work 1", "work 2"), begun);
        ends.get(2).fail("two failed");
        assertEquals("two failed", all.get(2).cause().getMessage());
        assertEquals(List.of("work 0", "work 1", "work 2", "work 3"), begun);
        ends.get(0).complete("zero");
        ends.get(3).complete("three");
        assertEquals("three", all.get(3).result());

        Promise<String> again = Promise.promise();
        Future<String> later = run(semaphore, "again", again);
        again.complete("again");
        assertEquals("again", later.result());
    }

    @Test
    void thePlaceIsFreeAgainWhenTheCallerHearsOfTheEnd() {
        FairSemaphore semaphore = new FairSemaphore(1, 0, TeamShare.ALL);
        Promise<String> end = Promise.promise();
        Future<String> second = run(semaphore, "first", end).compose(_ -> run(semaphore, "second", Promise.promise()));
        end.complete("done");
        assertEquals(List.of("first", "second"), begun);
        assertFalse(second.isComplete());
    }

    @Test
    void workThatThrowsFailsAndGivesItsPlaceBack() {
        FairSemaphore semaphore = new FairSemaphore(1, 0, TeamShare.ALL);
        for (int i = 0; i < 3; i++) {
            Future<String> thrown = semaphore.run(
                    () -> {
                        throw new IllegalArgumentException("thrown");
                    },
                    () -> FULL);
            assertEquals("thrown", thrown.cause().getMessage());
        }
    }

    @Test
    void whatIsNotWantedAnyMoreNeverBeginsAndLeavesTheQueue() {
        FairSemaphore semaphore = new FairSemaphore(1, 1, TeamShare.ALL);
        Promise<String> end = Promise.promise();
        Future<String> first = run(semaphore, "first", end);
        Promise<Void> over = Promise.promise();
        Future<String> unwanted = semaphore.run(work("unwanted", Promise.promise()), () -> FULL, over.future());
        assertSame(FULL, run(semaphore, "too many", Promise.promise()).cause());

        over.complete();
        assertSame(FULL, unwanted.cause());
        Future<String> next = run(semaphore, "next", Promise.promise());
        assertFalse(next.isComplete());
        end.complete("done");
        assertEquals("done", first.result());
        assertEquals(List.of("first", "next"), begun);
    }

    @Test
    void whatHasBegunGoesOnThoughItIsNotWantedAnyMore() {
        FairSemaphore semaphore = new FairSemaphore(1, 1, TeamShare.ALL);
        Promise<String> first = Promise.promise();
        Promise<String> second = Promise.promise();
        Promise<Void> over = Promise.promise();
        run(semaphore, "first", first);
        Future<String> waited = semaphore.run(work("second", second), () -> FULL, over.future());
        first.complete("done");
        over.complete();
        assertFalse(waited.isComplete());
        second.complete("second");
        assertEquals("second", waited.result());
        assertEquals(List.of("first", "second"), begun);
    }

    @Test
    void ofSeveralTeamsNoneHoldsMoreThanItsShare() {
        FairSemaphore semaphore = new FairSemaphore(2, 4, TeamShares.among(0.5, 2));
        Promise<String> ofOne = Promise.promise();
        team("one", () -> run(semaphore, "one first", ofOne));
        team("one", () -> run(semaphore, "one waits", Promise.promise()));
        Promise<String> ofTwo = Promise.promise();
        team("two", () -> run(semaphore, "two first", ofTwo));
        assertEquals(List.of("one first", "two first"), begun);
        OnContext.call(vertx.getOrCreateContext(), () -> ofTwo.tryComplete("done"));
        assertEquals(List.of("one first", "two first"), begun);
        team("one", () -> {
            ofOne.complete("done");
            return Future.succeededFuture();
        });
        team("one", Future::succeededFuture);
        assertEquals(List.of("one first", "two first", "one waits"), begun);
    }

    @Test
    void workBeginsOnTheContextOfWhoeverAskedForIt() {
        FairSemaphore semaphore = new FairSemaphore(1, 1, TeamShare.ALL);
        Promise<String> first = Promise.promise();
        run(semaphore, "first", first);
        Context asker = vertx.getOrCreateContext();
        Future<Context> began = OnContext.call(
                asker, () -> semaphore.run(() -> Future.succeededFuture(vertx.getOrCreateContext()), () -> FULL));
        vertx.createSharedWorkerExecutor("other")
                .executeBlocking(() -> first.tryComplete("done"), false)
                .await();
        assertSame(asker, began.await());
    }

    @Test
    void whatWaitsStillBeginsWhenItsRuntimeHasEnded() {
        FairSemaphore semaphore = new FairSemaphore(1, 1, TeamShare.ALL);
        Promise<String> first = Promise.promise();
        run(semaphore, "first", first);
        Vertx ended = Vertx.vertx();
        OnContext.call(ended.getOrCreateContext(), () -> run(semaphore, "second", Promise.promise()));
        ended.close().await();
        assertEquals(List.of("first"), begun);
        first.complete("done");
        assertTrue(begun.contains("second"));
    }

    /** Runs {@code action} on a context that works for {@code team}. */
    private void team(String team, Supplier<Future<?>> action) {
        OnContext.call(((VertxInternal) vertx).getOrCreateContext().duplicate(), () -> {
            CurrentTeam.begin(team);
            assertEquals(team, CurrentTeam.get());
            return action.get();
        });
    }

    @Test
    void withoutACallThereIsNoTeam() {
        assertEquals("", CurrentTeam.get());
        CurrentTeam.begin("nobody hears");
        assertEquals("", CurrentTeam.get());
        String inContext = OnContext.call(vertx.getOrCreateContext(), CurrentTeam::get);
        assertEquals("", inContext);
    }
}
