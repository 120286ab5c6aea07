package switchboard.upstream;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.ProxyOptions;
import io.vertx.core.net.ProxyType;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import switchboard.async.HttpConnections;
import switchboard.config.Secret;

/** The connections to one engine, and how a request to it is made up. */
final class HttpTransport {
    private static final Pattern HEADER_VALUE = Pattern.compile("[\\x20-\\x7e]*");
    private static final long GRACE_SECONDS = 5;
    private static final int UNBOUNDED = -1;

    private final Vertx vertx;
    private final HttpClientAgent client;
    private final WebClient web;
    private final String backend;
    private final Clock clock;
    private final int maxBytes;
    private final long idleMs;
    private final URI base;
    private final String prefix;
    private final Map<String, Secret> headers;
    private final UpstreamSettings.@Nullable Proxy proxy;
    private final LiveTls tls;
    private final Set<UpstreamExchange> underWay = ConcurrentHashMap.newKeySet();

    /**
     * Prepares connections; none is opened yet.
     *
     * @param backend who is asked, for messages
     * @param base the URL, {@code http} or {@code https}, with an optional path
     * @param headers sent with every request, as they are then
     * @param connections maximum number of connections of HTTP/1.1
     * @throws IllegalArgumentException with a message for the operator
     */
    HttpTransport(
            String backend,
            URI base,
            UpstreamSettings settings,
            Map<String, Secret> headers,
            Vertx vertx,
            Clock clock,
            int connections) {
        this.vertx = vertx;
        this.backend = backend;
        this.clock = clock;
        this.base = checked(base);
        this.prefix = base.getRawPath() == null ? "" : base.getRawPath().replaceAll("(?<!/)/+$", "");
        headers.forEach((name, value) -> checkHeader(name, value.reveal()));
        this.headers = Map.copyOf(headers);
        this.proxy = settings.proxy();
        this.maxBytes = settings.maxResponseSize().toInt();
        this.idleMs = settings.timeouts().idle().toMillis();
        this.tls = new LiveTls(backend, settings.tls());
        // The guard's bulkhead is the bound on waiting. An attempt that is over stays in the pool's queue until its
        // turn, so that a bound there would refuse others.
        this.client = HttpConnections.client(
                vertx,
                options(settings),
                new PoolOptions().setHttp1MaxSize(connections).setMaxWaitQueueSize(UNBOUNDED));
        this.web = WebClient.wrap(
                        client, new WebClientOptions().setFollowRedirects(false).setUserAgentEnabled(false))
                .addInterceptor(UpstreamExchange::watch);
    }

    private static URI checked(URI base) {
        String scheme = base.getScheme() == null ? "" : base.getScheme().toLowerCase(Locale.ROOT);
        if (base.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
            throw new IllegalArgumentException(
                    "url must be http://host[:port][/path] or https://..., not one without" + " scheme or host");
        }
        if (base.getRawUserInfo() != null || base.getRawQuery() != null || base.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "url must not hold a user, a query or a fragment; credentials have keys of their own");
        }
        return base;
    }

    /** The newest text that is valid in a header. The first one was checked at the start. */
    private static String sendable(Secret value) {
        return value.known().stream()
                .filter(text -> HEADER_VALUE.matcher(text).matches())
                .findFirst()
                .orElseGet(value::reveal);
    }

    private static void checkHeader(String name, String value) {
        if (!HEADER_VALUE.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "the value for header " + name + " holds characters that no header can carry (a line break?)");
        }
    }

    private HttpClientOptions options(UpstreamSettings settings) {
        HttpClientOptions options = new HttpClientOptions()
                .setConnectTimeout((int) settings.timeouts().connect().toMillis())
                .setKeepAliveTimeout((int) settings.pool().keepAlive().toSeconds());
        return tls.applied(options);
    }

    private static ProxyOptions proxy(UpstreamSettings.Proxy proxy) {
        ProxyOptions options =
                new ProxyOptions().setType(ProxyType.HTTP).setHost(proxy.host()).setPort(proxy.port());
        if (proxy.username() != null) {
            options.setUsername(proxy.username());
        }
        if (proxy.password() != null) {
            options.setPassword(proxy.password().reveal());
        }
        return options;
    }

    /**
     * Sends {@code request} once.
     *
     * @param timeout until the answer's last byte
     * @return the answer, of any status; fails with {@link UpstreamFault} only
     */
    Future<UpstreamResponse> send(UpstreamRequest request, Duration timeout) {
        return prepare(request, null, timeout).start();
    }

    /** One attempt, not yet started, that is over after {@code timeout} whatever happens. */
    UpstreamExchange prepare(UpstreamRequest request, @Nullable String traceparent, Duration timeout) {
        long timeoutMs = Math.max(1, timeout.toMillis());
        return prepare(
                request,
                traceparent,
                new UpstreamExchange.TimeLimits(timeoutMs, Math.min(idleMs, timeoutMs)),
                ResponseConsumer.NONE);
    }

    /** The same for an answer that is read while it arrives, which may pause for any time. */
    UpstreamExchange prepare(
            UpstreamRequest request, @Nullable String traceparent, Duration timeout, ResponseConsumer taker) {
        long timeoutMs = Math.max(1, timeout.toMillis());
        return prepare(request, traceparent, new UpstreamExchange.TimeLimits(timeoutMs, timeoutMs), taker);
    }

    private UpstreamExchange prepare(
            UpstreamRequest request,
            @Nullable String traceparent,
            UpstreamExchange.TimeLimits waits,
            ResponseConsumer taker) {
        return new UpstreamExchange(
                new UpstreamExchange.Limits(vertx, backend, clock, waits, maxBytes, underWay),
                web.request(request.method(), options(request, traceparent)),
                request.body(),
                taker);
    }

    private RequestOptions options(UpstreamRequest request, @Nullable String traceparent) {
        tls.follow(client, vertx);
        boolean https = "https".equalsIgnoreCase(base.getScheme());
        RequestOptions options = new RequestOptions()
                .setMethod(request.method())
                .setHost(base.getHost())
                .setPort(base.getPort() > 0 ? base.getPort() : https ? 443 : 80)
                .setSsl(https)
                .setURI(prefix + request.path())
                .putHeader(HttpHeaders.USER_AGENT, "switchboard");
        if (request.body() != null) {
            options.putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
        }
        if (traceparent != null) {
            options.putHeader("traceparent", traceparent);
        }
        headers.forEach((name, value) -> options.putHeader(name, sendable(value)));
        if (proxy != null) {
            options.setProxyOptions(proxy(proxy));
        }
        request.headers().forEach(options::putHeader);
        return options;
    }

    /** Ends all connections, after a short grace for what is under way. No attempt is under way when that is done. */
    Future<Void> close() {
        return client.shutdown(GRACE_SECONDS, TimeUnit.SECONDS).eventually(() -> {
            underWay.forEach(UpstreamExchange::cancel);
            return Future.succeededFuture();
        });
    }

    Vertx vertx() {
        return vertx;
    }

    String backend() {
        return backend;
    }
}
