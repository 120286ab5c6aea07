package switchboard.relay;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.async.HttpConnections;
import switchboard.call.BackendCall;
import switchboard.call.BackendEvent;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.concurrent.BlockingExecutor;
import switchboard.dispatch.CallOptions;
import switchboard.dispatch.ClientInteraction;
import switchboard.dispatch.PendingCall;

/**
 * Accepts calls of other processes of this machine for data that this process owns. Listens on a free loopback port,
 * opened when the first such data is. Uses TLS: this process proves that it has the key of the certificate stored
 * beside the data, then callers send the token stored there. Calls were authorized where they came from.
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

    private static final Logger LOG = LoggerFactory.getLogger(RelayServer.class);
    private static final String HOST = "127.0.0.1";
    private static final int MAX_CALL_BYTES = 64 * 1024 * 1024;
    private static final long MAX_REMAINING_MS = Duration.ofHours(12).toMillis();
    private static final int TOKEN_BYTES = 32;
    private static final long GRACE_SECONDS = 10;

    private final Vertx vertx;
    private final Calls calls;
    private final BlockingExecutor executor;
    private final String token;
    private final Map<String, String> backends = new ConcurrentHashMap<>();
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

    /** Accepts calls for the backend {@code id}; returns the address. */
    Future<OwnerAddress> offer(String type, String id) {
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

    /** Accepts no more calls. Completes when those under way are answered, or after ten seconds. */
    public synchronized Future<Void> close() {
        backends.clear();
        return listening == null
                ? Future.succeededFuture()
                : listening.compose(open -> open.server().shutdown(GRACE_SECONDS, TimeUnit.SECONDS));
    }

    private void take(HttpServerRequest request) {
        String id = backends.get(request.path());
        if (!authentic(request.getHeader("Authorization"))) {
            request.response().setStatusCode(401).end();
        } else if (id == null) {
            request.response().setStatusCode(404).end();
        } else if (request.method().equals(HttpMethod.GET)) {
            request.response().setStatusCode(204).end();
        } else {
            read(request, id);
        }
    }

    private boolean authentic(@Nullable String credential) {
        byte[] wanted = ("Bearer " + token).getBytes(StandardCharsets.UTF_8);
        return credential != null && MessageDigest.isEqual(wanted, credential.getBytes(StandardCharsets.UTF_8));
    }

    private void read(HttpServerRequest request, String id) {
        Buffer body = Buffer.buffer();
        request.handler(part -> {
            if (body.length() + part.length() <= MAX_CALL_BYTES) {
                body.appendBuffer(part);
            } else {
                request.connection().close();
            }
        });
        request.endHandler(_ -> answer(request, id, body));
    }

    private void answer(HttpServerRequest request, String id, Buffer body) {
        HttpServerResponse response = request.response();
        BackendCall call;
        try {
            call = RelayProtocol.CALL.read(0, body);
        } catch (IllegalStateException | IndexOutOfBoundsException e) {
            LOG.warn("a call from another process can't be parsed: {}", e.toString());
            response.setStatusCode(400).end("it is of another version (" + e.getMessage() + ")");
            return;
        }
        response.setChunked(true);
        PendingCall pending = calls.send(
                id,
                call.request(),
                call.caller(),
                new CallOptions(
                                remaining(request),
                                call.events().any() ? event -> tell(response, event) : null,
                                call.events().logLevel(),
                                call.traceparent(),
                                call.session(),
                                ClientInteraction.with(call.client()))
                        .patiently());
        response.closeHandler(_ -> pending.cancel());
        response.exceptionHandler(_ -> pending.cancel());
        Futures.finish(
                pending.reply(),
                reply -> {
                    if (!response.closed()) {
                        response.end(RelayProtocol.frame(reply));
                    }
                },
                _ -> request.connection().close());
    }

    private static void tell(HttpServerResponse response, BackendEvent event) {
        // Progress is dropped if it is not read; only the reply matters.
        if (!response.ended() && !response.closed() && !response.writeQueueFull()) {
            response.write(RelayProtocol.frame(event));
        }
    }

    private static Duration remaining(HttpServerRequest request) {
        long asked = Optional.ofNullable(request.getHeader(RelayProtocol.REMAINING))
                .filter(text -> text.matches("[0-9]{1,15}"))
                .map(Long::parseLong)
                .orElse(MAX_REMAINING_MS);
        return Duration.ofMillis(Math.clamp(asked, 1, MAX_REMAINING_MS));
    }
}
