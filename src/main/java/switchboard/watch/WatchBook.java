package switchboard.watch;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import switchboard.auth.PrincipalId;

/**
 * All standing questions. What a future has given is kept: a process that is killed forgets no news, and tells none twice.
 * Thread-safe; nothing blocks but {@link #open} and {@link #close}.
 */
public abstract sealed class WatchBook permits FolderWatches, SharedWatches {
    private final WatchSettings settings;
    private final Map<String, KnownWatch> known = new ConcurrentHashMap<>();
    private volatile @Nullable WatchListener listener;

    WatchBook(WatchSettings settings) {
        this.settings = settings;
    }

    /**
     * A question as it is known here.
     *
     * @param revision grows with each change that others can see
     * @param ran when it was asked last, as others see it, in milliseconds since 1970
     */
    record KnownWatch(Watch watch, long revision, long ran) {
        KnownWatch(Watch watch, long revision) {
            this(watch, revision, watch.times().ran());
        }
    }

    /** Begins to keep questions. Blocks. False if another process keeps these, or if there is nothing to keep. */
    public abstract boolean open() throws IOException;

    /** Whether there may be questions. */
    public abstract boolean exists();

    /** Whether this process keeps questions. */
    public abstract boolean isOpen();

    /** Whether this process asks them again. */
    public abstract boolean asks();

    /** Lets another process ask them. Completes in any case, soon. */
    public abstract Future<Void> leave();

    /** Lets another process keep them. */
    public abstract void close() throws IOException;

    /** Completes when all is known that was kept before; fails with a {@code ToolException} if that can't be known now. */
    public abstract Future<Void> fresh();

    /** Whether {@code team} has as many as it may have. */
    public abstract boolean full(String team);

    /** Adds one; empty if its team has as many as it may have. */
    public abstract Future<Optional<Watch>> add(Watch watch);

    /**
     * Changes the one with that URI, after all earlier changes of it.
     *
     * @param change may be called several times, the last one of which counts
     * @return what it is then; empty if there is none. If it can't be written, it stays as it was
     */
    public abstract Future<Optional<Watch>> change(String uri, UnaryOperator<Watch> change);

    /** Ends the one with that URI; whether there was one. */
    public abstract Future<Boolean> end(String uri);

    /** The same because its asker is nobody any more. It may be kept for a while, because another process may know better. */
    public abstract Future<Boolean> gone(String uri);

    /** Forgets what a command has left a note of, if commands can't do it themselves. A note stays until all of it is done. */
    public abstract Future<Void> forgetNoted();

    /** Has {@code watch} be asked again by the process that asks. */
    public abstract void wake(Watch watch);

    /** Tells {@code own}, and nobody else. */
    public void listen(WatchListener own) {
        listener = own;
    }

    Optional<WatchListener> listener() {
        return Optional.ofNullable(listener);
    }

    Map<String, KnownWatch> known() {
        return known;
    }

    /** How teams may use this. */
    public WatchSettings settings() {
        return settings;
    }

    /** How many there are. */
    public int size() {
        return known.size();
    }

    /** All of them, in no particular order. */
    public List<Watch> all() {
        return known.values().stream().map(KnownWatch::watch).toList();
    }

    /** Those of {@code owner}, the oldest first. */
    public List<Watch> of(PrincipalId owner) {
        List<Watch> own = new ArrayList<>(all());
        own.removeIf(watch -> !watch.owner().equals(owner));
        own.sort(Comparator.comparingLong((Watch watch) -> watch.times().created())
                .thenComparing(Watch::uri));
        return own;
    }

    /** The one with that URI, if there is one. */
    public Optional<Watch> find(String uri) {
        return Optional.ofNullable(known.get(uri)).map(KnownWatch::watch);
    }

    /** The one with that URI, if it is one of {@code owner}. */
    public Optional<Watch> find(String uri, PrincipalId owner) {
        return find(uri).filter(watch -> watch.owner().equals(owner));
    }

    /** How many {@code team} may have. */
    int most(String team) {
        return settings.of(team).map(WatchSettings.TeamWatches::most).orElse(0);
    }

    /**
     * What came with an answer.
     *
     * @param fresh how much news
     * @param displaced how many older news found no room any more
     */
    public record Arrived(long fresh, long displaced) {}

    /** Notes another answer to what {@code asked} was; nothing comes of it if its asker has changed the question meanwhile. */
    public Future<Arrived> answered(Watch asked, WatchReply reply, Instant now) {
        AtomicReference<Arrived> arrived = new AtomicReference<>(new Arrived(0, 0));
        return change(asked.uri(), watch -> {
                    if (!watch.asks(asked)) {
                        arrived.set(new Arrived(0, 0));
                        return watch;
                    }
                    Watch next = watch.answered(reply, now);
                    arrived.set(next.answers().since(watch.answers()));
                    return next;
                })
                .map(_ -> arrived.get());
    }

    /** Those that their askers have not used for as long as they are kept. */
    public List<Watch> forgotten(Instant now) {
        return all().stream()
                .filter(watch -> Instant.ofEpochMilli(watch.times().used())
                        .plus(settings.keepFor(watch.owner().team()))
                        .isBefore(now))
                .toList();
    }
}
