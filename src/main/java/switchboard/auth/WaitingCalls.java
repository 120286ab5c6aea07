package switchboard.auth;

import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Calls and messages that wait until a slice was exchanged, in their order. Not thread-safe; a decision is told after the lock is given up. */
final class WaitingCalls {
    private static final int MOST = 10_000;

    private final Deque<Waiting> all = new ArrayDeque<>();

    /** What waits. */
    sealed interface Waiting {
        /** When it came, by a steady clock in nanoseconds. */
        long since();
    }

    /**
     * A message or batch that waits for the rate.
     *
     * @param count how many messages
     */
    record WaitingMessages(int count, long since, Promise<Budget.Verdict.DecidedVerdict> verdict) implements Waiting {}

    /** A call that waits for its entry. */
    record WaitingCall(long since, Promise<Account.Entry.DecidedEntry> entry) implements Waiting {}

    /** Lets {@code one} wait behind the others. */
    void add(Waiting one) {
        all.add(one);
    }

    /** Removes {@code one}; returns whether it still waited. */
    boolean remove(Waiting one) {
        return all.remove(one);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** Whether as many wait as may, so that another one has to be refused. */
    boolean full() {
        return all.size() >= MOST;
    }

    /** How many calls wait. */
    int calls() {
        return (int) all.stream().filter(WaitingCall.class::isInstance).count();
    }

    /** How many messages wait. */
    long messages() {
        return all.stream()
                .mapToLong(one -> one instanceof WaitingMessages messages ? messages.count() : 0)
                .sum();
    }

    /**
     * Decides what can be decided.
     *
     * @param verdict of messages, or null
     * @param entry of a call, or null
     * @return tells those who waited
     */
    List<Runnable> decide(
            Function<WaitingMessages, Budget.Verdict.@Nullable DecidedVerdict> verdict,
            Function<WaitingCall, Account.Entry.@Nullable DecidedEntry> entry) {
        List<Runnable> decided = new ArrayList<>();
        all.removeIf(one -> switch (one) {
            case WaitingMessages messages -> decided(verdict.apply(messages), messages.verdict(), decided);
            case WaitingCall call -> decided(entry.apply(call), call.entry(), decided);
        });
        return decided;
    }

    private static <D> boolean decided(@Nullable D decision, Promise<D> promise, List<Runnable> decided) {
        if (decision == null) {
            return false;
        }
        decided.add(() -> promise.complete(decision));
        return true;
    }
}
