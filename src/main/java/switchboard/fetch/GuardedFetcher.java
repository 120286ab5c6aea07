package switchboard.fetch;

import com.github.benmanes.caffeine.cache.Ticker;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.PoolOptions;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import switchboard.async.Futures;
import switchboard.async.HttpConnections;
import switchboard.call.FailureKind;
import switchboard.call.Lifetime;
import switchboard.call.ToolException;
import switchboard.concurrent.FairSemaphore;
import switchboard.concurrent.TeamShare;

/**
 * Fetches from the public Internet only. A host is resolved once for each hop, all its addresses are checked, and the
 * connection is made to a checked address instead of the name, so a changed DNS answer has no effect (DNS rebinding).
 * Redirects go through the same checks. No cookies, no credentials, no reused connections. Thread-safe; does not block.
 */
public final class GuardedFetcher {
    private static final int CONCURRENT = 16;
    private static final int RESOLVER_THREADS = 4;
    private static final int PENDING_RESOLUTIONS = 32;
    private static final int MAX_HEADER_BYTES = 32 * 1024;
    /** Minimum duration of a refusal in milliseconds. Otherwise the time would reveal whether a private name exists. */
    private static final int LEAST_REFUSAL_MS = 500;

    private static final int CONNECT_TIMEOUT_MS = 5_000;
    /** How long closing waits for DNS lookups under way, in milliseconds. */
    private static final long LOOKUP_MS = 5_000;

    private final Vertx vertx;
    private final HttpClientAgent client;
    private final WorkerExecutor resolverThreads;
    private final HostResolver resolver;
    private final Predicate<InetAddress> allowed;
    private final boolean privateToo;
    private final String userAgent;
    private final Optional<RobotsRules> robots;
    private final FairSemaphore fetches;
    private final FairSemaphore lookups;
    private final Set<Future<?>> resolving = ConcurrentHashMap.newKeySet();

    /**
     * A fetcher.
     *
     * @param policy the operator's choices
     * @param resolver resolves names, usually {@link HostResolver#SYSTEM}
     * @param share the part of concurrent fetches that one team may use
     */
    public GuardedFetcher(Vertx vertx, FetchPolicy policy, HostResolver resolver, TeamShare share) {
        this(vertx, policy, resolver, Ticker.systemTicker(), share);
    }

    GuardedFetcher(Vertx vertx, FetchPolicy policy, HostResolver resolver, Ticker ticker, TeamShare share) {
        this(vertx, policy, policy.allowPrivate() ? _ -> true : AddressRules::isPublic, resolver, ticker, share);
    }

    GuardedFetcher(
            Vertx vertx,
            FetchPolicy policy,
            Predicate<InetAddress> allowed,
            HostResolver resolver,
            Ticker ticker,
            TeamShare share) {
        this.vertx = vertx;
        this.allowed = allowed;
        this.privateToo = policy.allowPrivate();
        this.resolver = resolver;
        this.userAgent = policy.userAgent();
        this.robots = switch (policy.robots()) {
            case IGNORE -> Optional.empty();
            case OBEY -> Optional.of(new RobotsRules(this::unasked, userAgent, ticker));
        };
        this.fetches = new FairSemaphore(CONCURRENT, 0, share);
        this.lookups = new FairSemaphore(RESOLVER_THREADS, PENDING_RESOLUTIONS - RESOLVER_THREADS, share);
        this.resolverThreads = vertx.createSharedWorkerExecutor("switchboard-fetch-dns", RESOLVER_THREADS);
        this.client = HttpConnections.client(
                vertx,
                new HttpClientOptions()
                        .setKeepAlive(false)
                        .setPipelining(false)
                        .setDecompressionSupported(true)
                        .setConnectTimeout(CONNECT_TIMEOUT_MS)
                        .setMaxHeaderSize(MAX_HEADER_BYTES),
                new PoolOptions());
    }

    /**
     * Fetches {@code uri}, following redirects, as a part of {@code work}: with no more time than it has left, and
     * cancelled with it.
     *
     * @param uri absolute, http or https; see {@link WebAddress#parse}
     * @param conditional validators of an earlier answer, or {@link HttpValidators#NONE}
     * @return the document; fails with {@link ToolException}
     */
    public Future<FetchResult> get(URI uri, FetchLimits limits, HttpValidators conditional, Lifetime work) {
        Duration time = work.atMost(limits.timeout()).remaining();
        if (time.toMillis() < 1) {
            return Future.failedFuture(
                    new ToolException(FailureKind.TIMEOUT, "No time was left to fetch " + uri + ". Try again."));
        }
        return get(uri, new FetchLimits(limits.maxBytes(), time, limits.maxRedirects()), conditional, work::onCancel)
                .recover(failure ->
                        Future.failedFuture(failure instanceof FetchException e ? e.toToolException() : failure));
    }

    /**
     * The same with the time limit of {@code limits} only.
     *
     * @param onCancel receives an action that cancels the fetch
     * @return the document; fails with {@link FetchException}
     */
    Future<FetchResult> get(URI uri, FetchLimits limits, HttpValidators conditional, Consumer<Runnable> onCancel) {
        return fetches.run(
                () -> {
                    FetchRequest fetchRequest = new FetchRequest(
                            vertx, client, hop -> permitted(hop, limits), userAgent, uri, limits, conditional);
                    Future<FetchResult> fetched = Futures.here(fetchRequest.run());
                    onCancel.accept(fetchRequest::cancel);
                    return fetched;
                },
                () -> new FetchException(
                        FetchException.Reason.OVERLOADED,
                        "Too many pages are being fetched at once (at most " + CONCURRENT
                                + ", of which a team has its share); try again shortly."));
    }

    /**
     * Sends a POST to {@code uri} and follows no redirect. The body of the answer is not read. The caller bounds how many
     * are under way.
     *
     * @param headers of the request
     * @param onCancel receives an action that cancels it
     * @return the status of the answer; fails with {@link FetchException}
     */
    public Future<Integer> post(
            URI uri, Map<String, String> headers, Buffer body, Duration timeout, Consumer<Runnable> onCancel) {
        PostRequest request = new PostRequest(vertx, client, this::resolve, userAgent, uri);
        Future<Integer> sent = Futures.here(request.run(headers, body, timeout));
        onCancel.accept(request::cancel);
        return sent;
    }

    /** The addresses of the URI's host, if {@code robots.txt} allows fetching it or is ignored. */
    private Future<List<InetAddress>> permitted(URI uri, FetchLimits limits) {
        return robots.map(rules -> rules.allow(uri, limits.timeout()).compose(_ -> resolve(uri)))
                .orElseGet(() -> resolve(uri));
    }

    /** Fetches {@code robots.txt} itself, without checking rules, as a part of the fetch that needs it. */
    private Future<FetchResult> unasked(URI uri, FetchLimits limits) {
        return new FetchRequest(vertx, client, this::resolve, userAgent, uri, limits, HttpValidators.NONE).run();
    }

    /** The addresses of the URI's host, all of them allowed. */
    private Future<List<InetAddress>> resolve(URI uri) {
        Future<?> least = isAddress(uri.getHost())
                ? Future.succeededFuture()
                : vertx.timer(LEAST_REFUSAL_MS, TimeUnit.MILLISECONDS);
        Future<List<InetAddress>> found = lookups.run(
                () -> resolverThreads.executeBlocking(() -> vetted(uri), false).map(Objects::requireNonNull),
                () -> new FetchException(
                        FetchException.Reason.OVERLOADED,
                        "Too many host names are being looked up; try again shortly."));
        resolving.add(found);
        return found.onComplete(_ -> resolving.remove(found))
                .recover(failure -> least.compose(_ -> Future.failedFuture(failure)));
    }

    private List<InetAddress> vetted(URI uri) {
        List<InetAddress> addresses;
        try {
            addresses = resolver.resolve(uri.getHost());
        } catch (UnknownHostException _) {
            if (privateToo) {
                throw new FetchException(
                        FetchException.Reason.NETWORK,
                        "Network error fetching '" + uri + "': there is no host " + uri.getHost());
            }
            addresses = List.of();
        }
        if (addresses.isEmpty() || !addresses.stream().allMatch(allowed)) {
            throw refused(uri);
        }
        return addresses;
    }

    /**
     * The refusal. For a name it is the same whether the name is unknown or private, so that callers learn nothing
     * about the network.
     */
    private static FetchException refused(URI uri) {
        String host = uri.getHost();
        return new FetchException(
                FetchException.Reason.REFUSED,
                "Refused to fetch '" + uri + "': " + host
                        + (isAddress(host)
                                ? " is not an address of the public Internet."
                                : " was not found among the hosts of the public Internet. Check the name.")
                        + " The operator can allow private networks with fetch.allowPrivate.");
    }

    private static boolean isAddress(String host) {
        return host.startsWith("[")
                || host.substring(host.lastIndexOf('.') + 1).chars().allMatch(Character::isDigit);
    }

    /** Closes connections and threads. Requests under way fail. */
    public Future<Void> close() {
        return client.close().eventually(this::resolved).eventually(resolverThreads::close);
    }

    /** Completes when no DNS lookup is under way, or after a while, because lookups can't be cancelled. */
    private Future<Void> resolved() {
        Promise<Void> done = Promise.promise();
        long timer = vertx.setTimer(LOOKUP_MS, _ -> done.tryComplete());
        Future.join(List.copyOf(resolving)).onComplete(_ -> {
            vertx.cancelTimer(timer);
            done.tryComplete();
        });
        return done.future();
    }
}
