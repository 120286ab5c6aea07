package switchboard.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls end for those who wait, whatever the work does. */
@Timeout(30)
class UnstoppableCallsTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final UnstoppableCalls calls = new UnstoppableCalls("unstoppable", 2);
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void letTheWorkEnd() {
        end.countDown();
    }

    @Test
    void aResultAndWhatIsThrownArriveAsTheyAre() {
        assertEquals(Optional.of("result"), calls.call(() -> "result", LONG));
        IllegalStateException refused = new IllegalStateException("refused");
        assertEquals(refused, assertThrows(IllegalStateException.class, () -> calls.call(() -> fail(refused), LONG)));
        UnsatisfiedLinkError missing = new UnsatisfiedLinkError("missing");
        assertEquals(missing, assertThrows(UnsatisfiedLinkError.class, () -> calls.call(() -> fail(missing), LONG)));
    }

    @Test
    void noWorkIsBegunWhileTooMuchRunsOnThatNobodyWaitsFor() throws InterruptedException {
        assertEquals(Optional.empty(), calls.call(this::untilTheEnd, SHORT));
        assertEquals(Optional.of("second"), calls.call(() -> "second", LONG));
        assertEquals(Optional.empty(), calls.call(this::untilTheEnd, SHORT));
        AtomicBoolean begun = new AtomicBoolean();
        assertEquals(Optional.empty(), calls.call(() -> begun.getAndSet(true), LONG));
        assertFalse(begun.get());
        end.countDown();
        while (calls.call(() -> "third", LONG).isEmpty()) {
            Thread.sleep(5);
        }
    }

    @Test
    void aCallerThatIsInterruptedStaysInterrupted() {
        Thread.currentThread().interrupt();
        assertEquals(Optional.empty(), calls.call(this::untilTheEnd, LONG));
        assertTrue(Thread.interrupted());
        assertEquals(Optional.of("result"), calls.call(() -> "result", LONG));
    }

    private Object untilTheEnd() {
        try {
            end.await();
            return "ended";
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object fail(RuntimeException thrown) {
        throw thrown;
    }

    private static Object fail(Error thrown) {
        throw thrown;
    }
}
