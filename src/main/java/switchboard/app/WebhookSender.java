package switchboard.app;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import switchboard.concurrent.TeamShare;
import switchboard.fetch.FetchPolicy;
import switchboard.fetch.GuardedFetcher;
import switchboard.fetch.HostResolver;
import switchboard.fetch.RobotsPolicy;

/** Sends messages to receivers on the public Internet, or anywhere. Opens what it needs with the first message. Thread-safe. */
final class WebhookSender {
    private final Vertx vertx;
    private final TeamShare share;
    private final Map<Boolean, GuardedFetcher> fetchers = new ConcurrentHashMap<>();
    private final Set<Runnable> cancels = ConcurrentHashMap.newKeySet();

    WebhookSender(Vertx vertx, TeamShare share) {
        this.vertx = vertx;
        this.share = share;
    }

    /** The status of the answer; fails with a FetchException. */
    Future<Integer> post(boolean allowPrivate, URI url, Map<String, String> headers, Buffer body, Duration longest) {
        GuardedFetcher fetcher = fetchers.computeIfAbsent(allowPrivate, this::open);
        AtomicReference<Runnable> own = new AtomicReference<>(() -> {});
        return fetcher.post(url, headers, body, longest, cancel -> {
                    own.set(cancel);
                    cancels.add(cancel);
                })
                .onComplete(_ -> cancels.remove(own.get()));
    }

    private GuardedFetcher open(boolean allowPrivate) {
        return new GuardedFetcher(
                vertx,
                new FetchPolicy(allowPrivate, RobotsPolicy.IGNORE, "switchboard/" + Installation.version()),
                HostResolver.SYSTEM,
                share);
    }

    /** Cancels what is under way. */
    void cancel() {
        List.copyOf(cancels).forEach(Runnable::run);
    }

    Future<Void> close() {
        List<Future<Void>> closing = new ArrayList<>();
        fetchers.values().forEach(fetcher -> closing.add(fetcher.close()));
        return Future.join(closing).mapEmpty();
    }
}
