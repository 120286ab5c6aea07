package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import switchboard.testing.logs.AsksForErrors;

@ExtendWith(VertxExtension.class)
class DeadlineQueueTest {
    @Test
    void thoseThatAreNotMetPassInTheirOrderAlsoWhenOneOfThemBeginsAnother(Vertx vertx, VertxTestContext test) {
        List<String> passed = new ArrayList<>();
        vertx.runOnContext(_ -> {
            DeadlineQueue deadlineQueue = new DeadlineQueue(vertx, Duration.ofMillis(20));
            DeadlineQueue.Deadline met = deadlineQueue.begin(() -> passed.add("met"));
            deadlineQueue.begin(() -> {
                passed.add("first");
                deadlineQueue.begin(() -> test.verify(() -> {
                    assertEquals(List.of("first", "second"), passed);
                    test.completeNow();
                }));
            });
            deadlineQueue.begin(() -> passed.add("second"));
            met.met();
            met.met();
        });
    }

    @Test
    void oneThatAnotherMeetsWhenBothAreOverDoesNotPass(Vertx vertx, VertxTestContext test) {
        List<String> passed = new ArrayList<>();
        vertx.runOnContext(_ -> {
            DeadlineQueue deadlineQueue = new DeadlineQueue(vertx, Duration.ofMillis(20));
            List<DeadlineQueue.Deadline> met = new ArrayList<>();
            deadlineQueue.begin(() -> {
                passed.add("first");
                met.forEach(DeadlineQueue.Deadline::met);
            });
            met.add(deadlineQueue.begin(() -> passed.add("met")));
            deadlineQueue.begin(() -> test.verify(() -> {
                assertEquals(List.of("first"), passed);
                test.completeNow();
            }));
        });
    }

    @AsksForErrors("DeadlineQueue - the action of a passed deadline failed")
    @Test
    void anActionThatFailsKeepsNoOtherFromPassing(Vertx vertx, VertxTestContext test) {
        vertx.runOnContext(_ -> {
            DeadlineQueue deadlineQueue = new DeadlineQueue(vertx, Duration.ofMillis(20));
            deadlineQueue.begin(() -> {
                throw new IllegalStateException("a defect");
            });
            deadlineQueue.begin(() -> deadlineQueue.begin(test::completeNow));
        });
    }

    @Test
    void oneThatBeginsLongAfterTheOthersHasItsWholeTime(Vertx vertx, VertxTestContext test) {
        vertx.runOnContext(_ -> {
            DeadlineQueue deadlineQueue = new DeadlineQueue(vertx, Duration.ofMillis(50));
            deadlineQueue.begin(() -> {}).met();
            vertx.setTimer(30, later -> {
                long begun = System.nanoTime();
                deadlineQueue.begin(() -> test.verify(() -> {
                    long waited = System.nanoTime() - begun;
                    assertTrue(waited >= Duration.ofMillis(50).toNanos(), () -> waited + " ns");
                    test.completeNow();
                }));
            });
        });
    }
}
