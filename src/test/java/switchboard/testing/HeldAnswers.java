package switchboard.testing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import switchboard.testing.fixture.FixtureServer;

/** The answers of a {@link FixtureServer} to calls wait until the test lets them go. */
public final class HeldAnswers implements AutoCloseable {
    private final FixtureServer server;
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger waiting = new AtomicInteger();

    /** Holds the answers of {@code server} from now on, which are changed by {@code change}. */
    public HeldAnswers(FixtureServer server, UnaryOperator<ObjectNode> change) {
        this.server = server;
        server.answerTools(result -> change.apply(hold(result)));
    }

    private ObjectNode hold(ObjectNode result) {
        waiting.incrementAndGet();
        try {
            if (!released.await(100, TimeUnit.SECONDS)) {
                throw new AssertionError("nobody let the answer go");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return result;
    }

    /** Waits until a call has come, and lets all answers go. */
    public void release() {
        Eventually.that(() -> waiting.get() > 0, () -> "a call has come");
        released.countDown();
    }

    /** Answers go at once again. */
    @Override
    public void close() {
        released.countDown();
        server.answerTools(result -> result);
    }
}
