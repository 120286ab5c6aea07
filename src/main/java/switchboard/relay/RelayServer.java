package switchboard.relay;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import switchboard.async.HttpConnections;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.concurrent.BlockingExecutor;
import switchboard.dispatch.CallOptions;
import switchboard.dispatch.PendingCall;

/**
 * Accepts calls of other processes of this machine for data that this process owns. Listens on a free loopback port,
 * opened when the first such data is. Uses TLS: this process proves that it has the key of the certificate stored
 * beside the data, then callers send the token stored there. Calls were authorized where they came from. Connections are
 * kept; callers close those that they don't use.
 */
public final class RelayServer {
    /** Sends a call to a backend of this process. */
    @FunctionalInterface
    public interface Calls {
        /** Sends a call, like the dispatcher. */
        PendingCall send(String backendId, BackendRequest request, Caller caller, CallOptions options);
    }

    /** The only TLS version, since both sides are of the same build. */
    static final String TLS = "TLSv1.3";

    private static final String HOST = "127.0.0.1";
    private static final int TOKEN_BYTES = 32;

    private final Vertx vertx;
    private final Calls calls;
    private final BlockingExecutor executor;
    private final String token;
    private final Map<String, String> backends = new ConcurrentHashMap<>();
    private final AtomicInteger underWay = new AtomicInteger();
    private final Promise<Void> answered = Promise.promise();
    private volatile boolean closing;
    private @Nullable Future<Listening> listening;

    /** The running server and its certificate. */
    private record Listening(HttpServer server, String certificate) {}

    /**
     * A server that does not listen yet.
     *
     * @param executor makes the certificate
     */
    public RelayServer(Vertx vertx, Calls calls, BlockingExecutor executor) {
        this.vertx = vertx;
        this.calls = calls;
        this.executor = executor;
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        this.token = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    /** Accepts calls for the backend {@code id}; returns the address. Fails when this process stops. */
    Future<OwnerAddress> offer(String type, String id) {
        if (closing) {
            return Future.failedFuture("this process stops");
        }
        String path = path(type, id);
        return listening().map(open -> {
            backends.put(path, id);
            return new OwnerAddress(
                    URI.create("https://" + HOST + ":" + open.server().actualPort() + path), token, open.certificate());
        });
    }

    /** Accepts no more calls for it. */
    void withdraw(String type, String id) {
        backends.remove(path(type, id));
    }

    /**
     * The path of a backend. It contains the type, so that two backends that share a folder by mistake are not
     * confused.
     */
    static String path(String type, String id) {
        return "/" + type + "/" + id;
    }

    private synchronized Future<Listening> listening() {
        Future<Listening> open = listening;
        if (open == null || open.failed()) {
            open = executor.run(RelayCertificate::make).compose(this::listen);
            listening = open;
        }
        return open;
    }

    private Future<Listening> listen(RelayCertificate certificate) {
        HttpServerOptions options = new HttpServerOptions()
                .setSsl(true)
                .setUseAlpn(false)
                .setKeyCertOptions(certificate.options())
                .setEnabledSecureTransportProtocols(Set.of(TLS));
        return vertx.createHttpServer(options)
                .connectionHandler(HttpConnections::quiet)
                .requestHandler(this::take)
                .listen(0, HOST)
                .map(server -> new Listening(server, certificate.pem()));
    }

    /**
     * Accepts no more calls. Callers are told so on their connections, and wait for the next owner. Completes when the
     * calls under way are answered, or after {@code longest}. A gateway that stops begins with this, because calls of other
     * processes may come all the time.
     */
    public Future<Void> close(Duration longest) {
        backends.clear();
        closing = true;
        settle();
        Future<Listening> open = opened();
        return open == null
                ? Future.succeededFuture()
                : open.compose(listening -> answered.future()
                        .timeout(Math.max(1, longest.toMillis()), TimeUnit.MILLISECONDS)
                        .eventually(() -> listening.server().close()));
    }

    private synchronized @Nullable Future<Listening> opened() {
        return listening;
    }

    private void take(HttpServerRequest request) {
        if (!authentic(request.getHeader("Authorization"))) {
            request.response().setStatusCode(401).end();
            return;
        }
        underWay.incrementAndGet(); // before it is looked whether calls are accepted, so that close() waits for it
        String id = backends.get(request.path());
        if (id == null) {
            request.response().setStatusCode(404).end().onComplete(_ -> ended());
        } else if (request.method().equals(HttpMethod.GET)) {
            request.response().setStatusCode(204).end().onComplete(_ -> ended());
        } else {
            new IncomingCall(request, id, calls, this::ended).take();
        }
    }

    private void ended() {
        underWay.decrementAndGet();
        settle();
    }

    private void settle() {
        if (closing && underWay.get() == 0) {
            answered.tryComplete();
        }
    }

    private boolean authentic(@Nullable String credential) {
        byte[] wanted = ("Bearer " + token).getBytes(StandardCharsets.UTF_8);
        return credential != null && MessageDigest.isEqual(wanted, credential.getBytes(StandardCharsets.UTF_8));
    }
}
