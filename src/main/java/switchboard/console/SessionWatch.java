package switchboard.console;

import com.github.benmanes.caffeine.cache.Ticker;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Principal;
import switchboard.console.ConsoleSignIn.SignedIn;

/**
 * Whether somebody who has a stream open is still signed in. What the person may do is looked up each time; the session at
 * intervals, without waiting for the answer. While nobody can say whether the session goes on, the last answer holds for
 * {@link #HOLDS}. Used on one event loop only.
 */
public final class SessionWatch {
    /** How long the last answer holds without another one. */
    public static final Duration HOLDS = Duration.ofMinutes(1);

    private final Supplier<Future<Optional<SignedIn>>> find;
    private final Function<Principal, Optional<Principal>> current;
    private final Duration every;
    private final Ticker ticker;
    private SignedIn last;
    private long askedNanos;
    private long answeredNanos;
    private @Nullable Future<?> asking;
    private boolean failing;
    private long failingSinceNanos;
    private boolean over;

    /** What is known of a session now. */
    public sealed interface WatchedState {
        /** It goes on. */
        record GoesOn(SignedIn person) implements WatchedState {}

        /** The person is not signed in any more. */
        record Over() implements WatchedState {}

        /** Nobody could say for too long. */
        record NotKnown() implements WatchedState {}
    }

    /**
     * Of a session that was there a moment ago.
     *
     * @param find looks the session up
     * @param current what somebody who has signed in may do now; empty if the key is no longer valid
     * @param person who was found
     * @param every how often the session is looked up; zero for each time
     */
    public SessionWatch(
            Supplier<Future<Optional<SignedIn>>> find,
            Function<Principal, Optional<Principal>> current,
            SignedIn person,
            Duration every,
            Ticker ticker) {
        this.find = find;
        this.current = current;
        this.every = every;
        this.ticker = ticker;
        this.last = person;
        this.askedNanos = ticker.read();
        this.answeredNanos = askedNanos;
    }

    /** What is known now, which may be as old as the interval, or older if the answer takes long. */
    public WatchedState now() {
        long time = ticker.read();
        if (asking == null && time - askedNanos >= every.toNanos()) {
            ask();
        }
        return known(time);
    }

    /** The same, which waits for an answer if the last one is older than the interval. */
    public Future<WatchedState> checked() {
        long time = ticker.read();
        if (asking == null && time - answeredNanos >= every.toNanos()) {
            ask();
        }
        Future<?> answer = asking;
        return answer == null
                ? Future.succeededFuture(known(time))
                : answer.transform(_ -> Future.succeededFuture(known(ticker.read())));
    }

    private WatchedState known(long time) {
        if (over) {
            return new WatchedState.Over();
        }
        if (failing && time - failingSinceNanos > HOLDS.toNanos()) {
            return new WatchedState.NotKnown();
        }
        return current.apply(last.principal())
                .<WatchedState>map(person -> new WatchedState.GoesOn(new SignedIn(person, last.expires())))
                .orElseGet(WatchedState.Over::new);
    }

    private void ask() {
        askedNanos = ticker.read();
        Future<Optional<SignedIn>> answer = find.get();
        Future<?> told = answer.andThen(done -> {
            asking = null;
            if (done.succeeded()) {
                answered(done.result());
            } else if (!failing) {
                failing = true;
                failingSinceNanos = askedNanos;
            }
        });
        asking = told.isComplete() ? null : told;
    }

    private void answered(Optional<SignedIn> found) {
        answeredNanos = askedNanos;
        failing = false;
        over = found.isEmpty();
        last = found.orElse(last);
    }
}
