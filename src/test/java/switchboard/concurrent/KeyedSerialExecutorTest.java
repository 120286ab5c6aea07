package switchboard.concurrent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyedSerialExecutorTest {
    private final KeyedSerialExecutor<String> executor = new KeyedSerialExecutor<>();
    private final List<String> begun = new ArrayList<>();

    private Future<String> run(String key, String name, Promise<String> end) {
        return executor.run(key, () -> {
            begun.add(name);
            return end.future();
        });
    }

    @Test
    void workOnOneThingIsDoneInOrderAndOnOthersAtOnce() {
        Promise<String> first = Promise.promise();
        Promise<String> second = Promise.promise();
        Promise<String> third = Promise.promise();
        Future<String> one = run("a", "first", first);
        Future<String> two = run("a", "second", second);
        Future<String> three = run("b", "third", third);
        assertEquals(List.of("first", "third"), begun);
        assertEquals(2, executor.busy());

        third.complete("3");
        assertEquals("3", three.result());
        assertEquals(1, executor.busy());
        first.complete("1");
        assertEquals("1", one.result());
        assertEquals(List.of("first", "third", "second"), begun);
        assertFalse(two.isComplete());
        assertEquals(1, executor.busy());
        second.complete("2");
        assertEquals("2", two.result());
        assertEquals(0, executor.busy());
    }

    @Test
    void afterAFailureTheNextBegins() {
        Promise<String> first = Promise.promise();
        Future<String> failed = run("a", "first", first);
        Future<String> thrown = executor.run("a", () -> {
            begun.add("second");
            throw new IllegalStateException("thrown");
        });
        Future<String> last = run("a", "third", Promise.promise());
        first.fail("failed");
        assertEquals("failed", failed.cause().getMessage());
        assertEquals("thrown", thrown.cause().getMessage());
        assertEquals(List.of("first", "second", "third"), begun);
        assertFalse(last.isComplete());
        assertEquals(1, executor.busy());
    }

    @Test
    void theFirstWorkMayThrow() {
        Future<String> thrown = executor.run("a", () -> {
            throw new IllegalStateException("thrown");
        });
        assertEquals("thrown", thrown.cause().getMessage());
        assertEquals(0, executor.busy());
    }
}
