package switchboard.protocol;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
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
 * has changed, so that nothing has to be counted. If more are watched than a server is asked for, teams get equal parts.
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
    /** How many parts of a URI, from its start, are looked up as a watched URI above it. */
    private static final int DEEPEST = 64;

    private final ProtocolServices services;
    private final ChangeSubscribers changeSubscribers;
    private final Function<Callable<WatchedResources>, Future<WatchedResources>> background;
    private final Vertx vertx;
    private final Map<Object, KeptWatcher> kept = new ConcurrentHashMap<>();
    private volatile WatchedResources found = WatchedResources.NOTHING;
    private @Nullable Promise<Told> next;
    private boolean looking;
    private long again = -1;

    /** A client without a stream, and the timer that ends it. */
    private record KeptWatcher(Watcher watcher, long timer) {}

    /** A client, and what it calls a resource. */
    private record Watch(Watcher watcher, String shown) {}

    /** A URI in a view. */
    private record ShownUri(String view, String uri) {}

    /**
     * What a look has found.
     *
     * @param wanted what each server is to be asked for
     * @param owners the servers that have what is watched, and what they call it
     * @param watches who watches it, by server and by what that calls it
     */
    public record WatchedResources(
            Map<String, Set<String>> wanted,
            Map<ShownUri, List<OwnedResource>> owners,
            Map<String, Map<String, List<Watch>>> watches) {
        private static final WatchedResources NOTHING = new WatchedResources(Map.of(), Map.of(), Map.of());
    }

    /** What a look has found, and each server's answer. */
    private record Told(WatchedResources found, Map<String, Future<Void>> answers) {}

    /** The resources that each server was last asked for. Read and written by one look at a time. */
    private final Map<String, Set<String>> asked = new HashMap<>();

    /**
     * Watches of the clients of {@code services}.
     *
     * @param background runs a look, which takes time if there are many clients
     */
    public ResourceWatches(
            ProtocolServices services,
            Function<Callable<WatchedResources>, Future<WatchedResources>> background,
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
    public void look() {
        begun();
    }

    @Override
    public Future<Void> lookAndAsk(String view, Set<String> uris) {
        if (uris.isEmpty()) {
            return Future.succeededFuture();
        }
        Promise<Void> done = Promise.promise();
        long timer = vertx.setTimer(PATIENCE_MS, _ -> done.tryComplete());
        begun().compose(told -> Future.join(uris.stream()
                        .flatMap(uri -> told.found().owners().getOrDefault(new ShownUri(view, uri), List.of()).stream())
                        .map(OwnedResource::backend)
                        .distinct()
                        .map(backend -> told.answers().getOrDefault(backend, Future.succeededFuture()))
                        .toList()))
                .onComplete(_ -> {
                    vertx.cancelTimer(timer);
                    done.tryComplete();
                });
        return done.future();
    }

    /** A look that begins now, or after the one under way. */
    private Future<Told> begun() {
        Promise<Told> mine;
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

    private void begin(Promise<Told> mine) {
        Map<String, Integer> most = services.providers().watchable();
        if (most.isEmpty()) {
            over(mine, WatchedResources.NOTHING);
            return;
        }
        Futures.finish(
                background.apply(() -> find(most)),
                all -> {
                    found = all;
                    mine.complete(new Told(all, tell(all.wanted())));
                    vertx.setTimer(PAUSE_MS, _ -> over(mine, all));
                },
                _ -> over(mine, WatchedResources.NOTHING)); // only when the gateway stops
    }

    /** A look is over, though servers may not have answered yet. */
    private void over(Promise<Told> mine, WatchedResources all) {
        boolean any = !all.watches().isEmpty();
        Promise<Told> following;
        synchronized (this) {
            found = all;
            following = next;
            next = null;
            looking = following != null;
            vertx.cancelTimer(again);
            again = any ? vertx.setTimer(AGAIN_MS, _ -> look()) : -1;
        }
        mine.tryComplete(new Told(all, Map.of()));
        if (following != null) {
            begin(following);
        }
    }

    private Map<String, Future<Void>> tell(Map<String, Set<String>> wanted) {
        Map<String, Future<Void>> told = new HashMap<>();
        wanted.forEach((backend, uris) -> {
            if (!uris.isEmpty() || !asked.getOrDefault(backend, Set.of()).isEmpty()) {
                told.put(backend, services.providers().watch(backend, uris));
            }
            asked.put(backend, uris);
        });
        return told;
    }

    /** Who watches what, and what each server is to be asked for: what may be read of it, at most as many as it takes. */
    private WatchedResources find(Map<String, Integer> most) {
        Map<String, WatchedUris> all = new HashMap<>();
        most.forEach((backend, number) -> all.put(backend, new WatchedUris(number, new TreeMap<>())));
        Map<ShownUri, List<OwnedResource>> owners = new HashMap<>();
        Map<String, Map<String, List<Watch>>> watches = new HashMap<>();
        for (Watcher watcher : watchers()) {
            for (String shown : watcher.watched()) {
                List<OwnedResource> owned = owners.computeIfAbsent(
                        new ShownUri(watcher.view(), shown),
                        _ -> changeSubscribers.owners(watcher.view(), all.keySet(), shown));
                for (OwnedResource own : owned) {
                    WatchedUris ofServer = all.get(own.backend());
                    if (ofServer != null) {
                        ofServer.add(watcher, own, changeSubscribers);
                    }
                    watches.computeIfAbsent(own.backend(), _ -> new HashMap<>())
                            .computeIfAbsent(own.uri(), _ -> new ArrayList<>())
                            .add(new Watch(watcher, shown));
                }
            }
        }
        Map<String, Set<String>> wanted = new LinkedHashMap<>();
        all.forEach((backend, uris) -> wanted.put(backend, uris.inTurn()));
        return new WatchedResources(wanted, owners, watches);
    }

    @Override
    public void updated(String backendId, Set<String> uris) {
        Map<String, List<Watch>> watches = found.watches().getOrDefault(backendId, Map.of());
        Map<Watcher, Map<String, Set<String>>> changed = new IdentityHashMap<>();
        for (String uri : watches.isEmpty() ? Set.<String>of() : uris) {
            for (String whole : wholes(uri)) {
                for (Watch watch : watches.getOrDefault(whole, List.of())) {
                    changed.computeIfAbsent(watch.watcher(), _ -> new HashMap<>())
                            .computeIfAbsent(watch.shown(), _ -> new HashSet<>())
                            .add(uri);
                }
            }
        }
        changed.forEach((watcher, which) -> watcher.updated(backendId, which));
    }

    /** {@code uri}, and what it may be a part of: with and without the slash at its end. */
    private static Set<String> wholes(String uri) {
        Set<String> wholes = new HashSet<>();
        wholes.add(uri);
        int slash = uri.indexOf('/');
        for (int level = 0; slash >= 0 && level < DEEPEST; level++) {
            wholes.add(uri.substring(0, slash));
            wholes.add(uri.substring(0, slash + 1));
            slash = uri.indexOf('/', slash + 1);
        }
        return wholes;
    }

    /** What each team watches at a server, at most {@code most}. */
    private record WatchedUris(int most, Map<String, Set<String>> byTeam) {
        void add(Watcher watcher, OwnedResource own, ChangeSubscribers changeSubscribers) {
            Set<String> uris = byTeam.computeIfAbsent(watcher.principal().team(), _ -> new LinkedHashSet<>());
            if (uris.size() < most
                    && !uris.contains(own.uri())
                    && changeSubscribers.mayRead(watcher.principal(), watcher.view(), own.backend(), own.uri())) {
                uris.add(own.uri());
            }
        }

        /** At most as many as the server is asked for, one of each team in turn. */
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
