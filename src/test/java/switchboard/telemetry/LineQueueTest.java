package switchboard.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import switchboard.testing.Eventually;

class LineQueueTest {
    private static final long HOUR = TimeUnit.HOURS.toMillis(1);

    private final List<String> written = new CopyOnWriteArrayList<>();
    private final AtomicReference<LineQueue<String>> queue = new AtomicReference<>();

    /** Puts each line that ends with a question mark into the queue again, for in an hour. */
    private final class Asking implements LineQueue.Sink<String> {
        @Override
        public boolean write(List<String> lines) {
            written.addAll(lines);
            lines.stream()
                    .filter(line -> line.endsWith("?"))
                    .forEach(line -> assertTrue(queue.get().offerLater(7, HOUR, () -> "again " + line)));
            return true;
        }

        @Override
        public void unmade(RuntimeException why) {
            throw why;
        }
    }

    private LineQueue<String> open(int capacity) {
        queue.set(new LineQueue<>("lines", capacity, new Asking()));
        return queue.get();
    }

    @Test
    void theEndDoesNotWaitForWhatComesLaterAndLosesNoneOfIt() {
        try (LineQueue<String> own = open(1_000)) {
            own.offer(10, () -> "a");
            own.offer(10, () -> "b?");
            own.offer(10, () -> "c?");
            Eventually.that(() -> written.size() == 3, () -> "all were written once: " + written);
        }
        assertEquals(5, written.size(), written::toString);
        assertTrue(written.containsAll(List.of("again b?", "again c?")), written::toString);
        assertEquals(0, queue.get().left(), "what would come later still is no loss");
    }

    @Test
    void whatComesLaterTakesRoom() {
        try (LineQueue<String> own = open(25)) {
            own.offer(10, () -> "b?");
            Eventually.that(
                    () -> own.room() == 18, () -> "b? waits for its second time, which takes less: " + own.room());
            assertFalse(own.offer(19, () -> "too much"));
            assertTrue(own.offer(18, () -> "c"));
        }
        assertEquals(List.of("b?", "c", "again b?"), written);
    }
}
