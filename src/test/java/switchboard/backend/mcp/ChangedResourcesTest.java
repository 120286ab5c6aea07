package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Updates that a server announces in quick succession. */
class ChangedResourcesTest {
    @Test
    void manyUpdatesArePassedOnTogetherAndBounded() throws InterruptedException {
        Vertx vertx = Vertx.vertx();
        try {
            LinkedBlockingQueue<Set<String>> passed = new LinkedBlockingQueue<>();
            ChangedResources changed = new ChangedResources(vertx, () -> Set.of("a:watched"), passed::add);
            vertx.runOnContext(_ -> {
                for (int i = 0; i < 5000; i++) {
                    changed.add("a:" + i % 3);
                }
            });
            assertEquals(Set.of("a:0", "a:1", "a:2"), passed.poll(30, TimeUnit.SECONDS));
            vertx.runOnContext(_ -> {
                for (int i = 0; i < 5000; i++) {
                    changed.add("a:" + i);
                }
            });
            Set<String> many = passed.poll(30, TimeUnit.SECONDS);
            assertEquals(1001, many.size());
            assertTrue(many.contains("a:watched"));
            assertNull(passed.poll());
        } finally {
            vertx.close()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .orTimeout(30, TimeUnit.SECONDS)
                    .join();
        }
    }
}
