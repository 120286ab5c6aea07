package switchboard.async;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FuturesTest {
    private final List<Integer> begun = new ArrayList<>();

    @Test
    void manyStepsThatAreOverAtOnceNeedNoStack() {
        Future<Void> all =
                Futures.oneByOne(IntStream.range(0, 200_000).iterator(), number -> Future.succeededFuture(number));
        assertTrue(all.succeeded());
        assertTrue(Futures.oneByOne(List.of().iterator(), _ -> Future.failedFuture("never"))
                .succeeded());
    }

    @Test
    void aStepBeginsWhenTheOneBeforeItHasEnded() {
        List<Promise<Void>> steps = List.of(Promise.promise(), Promise.promise());
        Future<Void> all = Futures.oneByOne(List.of(0, 1).iterator(), number -> {
            begun.add(number);
            return steps.get(number).future();
        });
        assertEquals(List.of(0), begun);
        steps.get(0).complete();
        assertEquals(List.of(0, 1), begun);
        assertFalse(all.isComplete());
        steps.get(1).complete();
        assertTrue(all.succeeded());
    }

    @Test
    void theFirstFailureIsTheEnd() {
        RuntimeException first = new RuntimeException("first");
        Promise<Void> later = Promise.promise();
        Future<Void> all = Futures.oneByOne(List.of(0, 1, 2).iterator(), number -> {
            begun.add(number);
            return number == 0 ? later.future() : Future.failedFuture(first);
        });
        later.complete();
        assertSame(first, all.cause());
        assertEquals(List.of(0, 1), begun);
        assertSame(
                first,
                Futures.oneByOne(List.of(0).iterator(), _ -> Future.failedFuture(first))
                        .cause());
    }

    @Test
    void aStepIsRepeatedUntilItGivesNothing() {
        Future<Void> many = Futures.repeat(
                0, number -> Future.succeededFuture(number < 200_000 ? Optional.of(number + 1) : Optional.empty()));
        assertTrue(many.succeeded());
        List<Promise<Optional<Integer>>> steps = List.of(Promise.promise(), Promise.promise());
        Future<Void> all = Futures.repeat(0, number -> {
            begun.add(number);
            return steps.get(number).future();
        });
        steps.get(0).complete(Optional.of(1));
        assertEquals(List.of(0, 1), begun);
        assertFalse(all.isComplete());
        steps.get(1).complete(Optional.empty());
        assertTrue(all.succeeded());
        RuntimeException first = new RuntimeException("first");
        assertSame(first, Futures.repeat(0, _ -> Future.failedFuture(first)).cause());
    }
}
