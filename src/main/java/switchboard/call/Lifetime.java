package switchboard.call;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How long a piece of work may take, and whether its result is still wanted. Thread-safe. */
public interface Lifetime {
    /** The remaining time; zero after the deadline, never negative. */
    Duration remaining();

    /** Whether the work was cancelled or its deadline has passed. Long loops should check this. */
    boolean cancelled();

    /**
     * Runs {@code action} when the work is cancelled, or at once if it is already. It runs at most once, on any
     * thread.
     */
    void onCancel(Runnable action);

    /** The W3C {@code traceparent} to pass on to engines, or null. */
    @Nullable
    String traceparent();

    /** Is told of requests to engines. */
    default CallSteps steps() {
        return CallSteps.NONE;
    }

    /** Work that belongs to no call: it ends {@code limit} from now, is never cancelled, and is not traced. */
    static Lifetime within(Duration limit) {
        return new Limited(System.nanoTime() + limit.toNanos());
    }

    /** A part of this work that may take {@code limit} at most. It is cancelled with the whole. */
    default Lifetime atMost(Duration limit) {
        return new Nested(this, within(limit));
    }

    /**
     * A part with a deadline of its own.
     *
     * @param whole the work that it belongs to
     * @param own its own limit
     */
    record Nested(Lifetime whole, Lifetime own) implements Lifetime {
        @Override
        public Duration remaining() {
            return Collections.min(List.of(own.remaining(), whole.remaining()));
        }

        @Override
        public boolean cancelled() {
            return own.cancelled() || whole.cancelled();
        }

        @Override
        public void onCancel(Runnable action) {
            whole.onCancel(action);
        }

        @Override
        public @Nullable String traceparent() {
            return whole.traceparent();
        }

        @Override
        public CallSteps steps() {
            return whole.steps();
        }
    }

    /**
     * Work with a deadline only.
     *
     * @param end a value of {@code System.nanoTime()}
     */
    record Limited(long end) implements Lifetime {
        @Override
        public Duration remaining() {
            return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
        }

        @Override
        public boolean cancelled() {
            return remaining().isZero();
        }

        @Override
        public void onCancel(Runnable action) {
            // Nothing cancels it.
        }

        @Override
        public @Nullable String traceparent() {
            return null;
        }
    }
}
