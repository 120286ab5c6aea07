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

    /**
     * One that waits.
     *
     * @param messages how many messages, or 0 for a call
     * @param since when it came, by a steady clock
     */
    record Waiting(int messages, long since, Promise<Budget.Verdict> verdict, Promise<Account.Entry> entry) {}

    /** Has one wait. */
    Waiting add(int messages, long now) {
        Waiting one = new Waiting(messages, now, Promise.promise(), Promise.promise());
        all.add(one);
        return one;
    }

    /** Has one wait no longer; returns whether it was not decided. */
    boolean remove(Waiting one) {
        return all.remove(one);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** Whether no more can wait. */
    boolean full() {
        return all.size() >= MOST;
    }

    /** How many calls wait. */
    int calls() {
        return (int) all.stream().filter(one -> one.messages() == 0).count();
    }

    /** How many messages wait. */
    long messages() {
        return all.stream().mapToLong(Waiting::messages).sum();
    }

    /**
     * Decides what can be decided.
     *
     * @param verdict of messages, or null
     * @param entry of a call, or null
     * @return tells those who waited
     */
    List<Runnable> decide(
            Function<Waiting, Budget.@Nullable Verdict> verdict, Function<Waiting, Account.@Nullable Entry> entry) {
        List<Runnable> decided = new ArrayList<>();
        all.removeIf(one -> {
            if (one.messages() > 0) {
                Budget.Verdict said = verdict.apply(one);
                if (said != null) {
                    decided.add(() -> one.verdict().complete(said));
                }
                return said != null;
            }
            Account.Entry said = entry.apply(one);
            if (said != null) {
                decided.add(() -> one.entry().complete(said));
            }
            return said != null;
        });
        return decided;
    }
}
