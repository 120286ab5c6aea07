package switchboard.protocol;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.catalog.ResourceAliases.OwnedResource;

/**
 * Tells each relayed server the resources that clients watch and may read. It looks at all of them again whenever something
 * has changed, so that nothing has to be counted. If more are watched than a server is asked for, teams take turns.
 */
public final class ResourceWatches implements ResourceWatching {
    /** How long a session without a stream counts, in milliseconds. */
    private static final long KEPT_MS = 10_000;
    /** How long an answer waits until servers were asked, in milliseconds. */
    private static final long PATIENCE_MS = 3_000;
    /** The pause between two looks, in milliseconds. */
    private static final long PAUSE_MS = 50;
    /** What a server refused is asked for again by a later look; this is the longest time to the next one. */
    private static final long AGAIN_MS = 30_000;

    private final ProtocolServices services;
    private final ChangeSubscribers changeSubscribers;
    private final Function<Callable<Map<String, Set<String>>>, Future<Map<String, Set<String>>>> background;
    private final Vertx vertx;
    private final Map<Object, KeptWatcher> kept = new ConcurrentHashMap<>();
    private @Nullable Promise<Void> next;
    private boolean looking;
    private long again = -1;

    /** A client without a stream, and the timer that ends it. */
    private record KeptWatcher(Watcher watcher, long timer) {}

    /** The resources that each server was last asked for. Read and written by one look at a time. */
    private final Map<String, Set<String>> asked = new HashMap<>();

    /**
     * Watches of the clients of {@code services}.
     *
     * @param background runs a look, which takes time if there are many clients
     */
    public ResourceWatches(
            ProtocolServices services,
            Function<Callable<Map<String, Set<String>>>, Future<Map<String, Set<String>>>> background,
            Vertx vertx) {
        this.services = services;
        this.changeSubscribers = new ChangeSubscribers(services);
        this.background = background;
        this.vertx = vertx;
    }

    @Override
    public void keep(Object client, Watcher watcher) {
        if (watcher.watched().isEmpty()) {
            return;
        }
        long timer = vertx.setTimer(KEPT_MS, id -> {
            KeptWatcher known = kept.get(client);
            if (known != null && known.timer() == id && kept.remove(client, known)) {
                look();
            }
        });
        ended(kept.put(client, new KeptWatcher(watcher, timer)));
    }

    @Override
    public void forget(Object client) {
        if (ended(kept.remove(client))) {
            look();
        }
    }

    private boolean ended(@Nullable KeptWatcher known) {
        if (known != null) {
            vertx.cancelTimer(known.timer());
        }
        return known != null;
    }

    @Override
    public Future<Void> look() {
        Promise<Void> mine;
        synchronized (this) {
            if (next == null) {
                next = Promise.promise();
            }
            mine = next;
            if (looking) {
                return mine.future();
            }
            looking = true;
            next = null;
        }
        begin(mine);
        return mine.future();
    }

    private void begin(Promise<Void> mine) {
        Map<String, Integer> most = services.providers().watchable();
        if (most.isEmpty()) {
            over(mine, false);
            return;
        }
        Futures.finish(
                background.apply(() -> wanted(most)),
                wanted -> {
                    Future<?> told = tell(wanted);
                    long timer = vertx.setTimer(PATIENCE_MS, _ -> mine.tryComplete());
                    told.onComplete(_ -> {
                        vertx.cancelTimer(timer);
                        mine.tryComplete();
                    });
                    boolean any = wanted.values().stream().anyMatch(uris -> !uris.isEmpty());
                    vertx.setTimer(PAUSE_MS, _ -> over(mine, any));
                },
                _ -> over(mine, false)); // only when the gateway stops
    }

    /** A look is over, though servers may not have answered yet. */
    private void over(Promise<Void> mine, boolean any) {
        Promise<Void> following;
        synchronized (this) {
            following = next;
            next = null;
            looking = following != null;
            vertx.cancelTimer(again);
            again = any ? vertx.setTimer(AGAIN_MS, _ -> look()) : -1;
        }
        if (!any) {
            mine.tryComplete();
        }
        if (following != null) {
            begin(following);
        }
    }

    private Future<?> tell(Map<String, Set<String>> wanted) {
        List<Future<Void>> told = new ArrayList<>();
        wanted.forEach((backend, uris) -> {
            if (!uris.isEmpty() || !asked.getOrDefault(backend, Set.of()).isEmpty()) {
                told.add(services.providers().watch(backend, uris));
            }
            asked.put(backend, uris);
        });
        return Future.join(told);
    }

    /** The resources of each server that clients watch and may read, at most as many as it is asked for. */
    private Map<String, Set<String>> wanted(Map<String, Integer> most) {
        Map<String, WatchedUris> all = new HashMap<>();
        most.forEach((backend, number) -> all.put(backend, new WatchedUris(number, new TreeMap<>())));
        for (Watcher watcher : watchers()) {
            for (String shown : watcher.watched()) {
                for (OwnedResource own : changeSubscribers.owners(watcher.view(), all.keySet(), shown)) {
                    all.computeIfPresent(own.backend(), (_, uris) -> uris.add(watcher, own, changeSubscribers));
                }
            }
        }
        Map<String, Set<String>> wanted = new LinkedHashMap<>();
        all.forEach((backend, uris) -> wanted.put(backend, uris.inTurn()));
        return wanted;
    }

    /** What each team watches at a server, at most {@code most}. */
    private record WatchedUris(int most, Map<String, Set<String>> byTeam) {
        WatchedUris add(Watcher watcher, OwnedResource own, ChangeSubscribers changeSubscribers) {
            Set<String> uris = byTeam.computeIfAbsent(watcher.principal().team(), _ -> new LinkedHashSet<>());
            if (uris.size() < most
                    && !uris.contains(own.uri())
                    && changeSubscribers.mayRead(watcher.principal(), watcher.view(), own.backend(), own.uri())) {
                uris.add(own.uri());
            }
            return this;
        }

        /** At most as many as the server is asked for; teams take turns. */
        Set<String> inTurn() {
            List<Iterator<String>> turns = new ArrayList<>();
            byTeam.values().forEach(uris -> turns.add(uris.iterator()));
            Set<String> taken = new LinkedHashSet<>();
            while (!turns.isEmpty() && taken.size() < most) {
                turns.removeIf(uris -> !uris.hasNext());
                for (Iterator<String> uris : turns) {
                    if (taken.size() < most) {
                        taken.add(uris.next());
                    }
                }
            }
            return Set.copyOf(taken);
        }
    }

    private List<Watcher> watchers() {
        List<Watcher> all = new ArrayList<>(services.changes().listeners());
        kept.values().forEach(known -> all.add(known.watcher()));
        return all;
    }
}
