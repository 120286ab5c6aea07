package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import switchboard.testing.Eventually;

class DeadlineQueueTest {
    @Test
    void thoseThatAreNotMetPassInTheirOrderAlsoWhenOneOfThemBeginsAnother() {
        Vertx vertx = Vertx.vertx();
        List<String> passed = new CopyOnWriteArrayList<>();
        try {
            vertx.runOnContext(_ -> {
                DeadlineQueue deadlineQueue = new DeadlineQueue(vertx, Duration.ofMillis(20));
                DeadlineQueue.Deadline met = deadlineQueue.begin(() -> passed.add("met"));
                deadlineQueue.begin(() -> {
                    passed.add("first");
                    deadlineQueue.begin(() -> passed.add("begun by the first"));
                });
                deadlineQueue.begin(() -> passed.add("second"));
                met.met();
                met.met();
            });
            Eventually.that(() -> passed.size() == 3, passed::toString);
            assertEquals(List.of("first", "second", "begun by the first"), passed);
        } finally {
            vertx.close().await();
        }
    }

    @Test
    void oneThatBeginsLongAfterTheOthersHasItsWholeTime() {
        Vertx vertx = Vertx.vertx();
        List<Long> waited = new CopyOnWriteArrayList<>();
        try {
            vertx.runOnContext(_ -> {
                DeadlineQueue deadlineQueue = new DeadlineQueue(vertx, Duration.ofMillis(50));
                deadlineQueue.begin(() -> {}).met();
                vertx.setTimer(30, later -> {
                    long begun = System.nanoTime();
                    deadlineQueue.begin(() -> waited.add(System.nanoTime() - begun));
                });
            });
            Eventually.that(() -> !waited.isEmpty(), () -> "it passes");
            assertTrue(waited.getFirst() >= Duration.ofMillis(50).toNanos(), waited::toString);
        } finally {
            vertx.close().await();
        }
    }
}
