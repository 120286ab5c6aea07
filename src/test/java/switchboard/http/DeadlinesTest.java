package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import switchboard.testing.Eventually;

class DeadlinesTest {
    @Test
    void thoseThatAreNotMetPassInTheirOrderAlsoWhenOneOfThemBeginsAnother() {
        Vertx vertx = Vertx.vertx();
        List<String> passed = new CopyOnWriteArrayList<>();
        try {
            vertx.runOnContext(_ -> {
                Deadlines deadlines = new Deadlines(vertx, Duration.ofMillis(20));
                Deadlines.Deadline met = deadlines.begin(() -> passed.add("met"));
                deadlines.begin(() -> {
                    passed.add("first");
                    deadlines.begin(() -> passed.add("begun by the first"));
                });
                deadlines.begin(() -> passed.add("second"));
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
                Deadlines deadlines = new Deadlines(vertx, Duration.ofMillis(50));
                deadlines.begin(() -> {}).met();
                vertx.setTimer(30, later -> {
                    long begun = System.nanoTime();
                    deadlines.begin(() -> waited.add(System.nanoTime() - begun));
                });
            });
            Eventually.that(() -> !waited.isEmpty(), () -> "it passes");
            assertTrue(waited.getFirst() >= Duration.ofMillis(50).toNanos(), waited::toString);
        } finally {
            vertx.close().await();
        }
    }
}
