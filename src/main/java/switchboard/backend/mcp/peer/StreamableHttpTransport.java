package switchboard.backend.mcp.peer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.call.EngineMessageSanitizer;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.Secrets;
import switchboard.call.ToolException;
import switchboard.upstream.Authorization;
import switchboard.upstream.UpstreamClient;
import switchboard.upstream.UpstreamRequest;
import switchboard.upstream.UpstreamResponse;

/** Streamable HTTP: each message is a POST, answered by a document or by a stream of events. */
public final class StreamableHttpTransport implements Transport {
    static final String SESSION_HEADER = "Mcp-Session-Id";
    private static final String BOTH = "application/json, text/event-stream";
    private static final Duration POST_TIMEOUT = Duration.ofSeconds(10);
    /** A notification stream is reopened after this time. */
    private static final Duration LONGEST_STREAM = Duration.ofHours(1);

    private final UpstreamClient client;
    private final Vertx vertx;
    private final String backend;
    private final String path;
    private final int maxEventBytes;
    private final Authorization authorization;
    private final Supplier<Secrets> configured;
    private final AtomicReference<AuthHeaders> known;
    private final AtomicLong ids = new AtomicLong();

    /**
     * A transport.
     *
     * @param client its base is the server's URL up to the last segment
     * @param path the last segment and the query
     * @param maxEventBytes maximum size of an event
     * @param authorization what authorizes each request
     * @param secrets removed from all messages of the server, in addition to those headers; read for each message
     */
    public StreamableHttpTransport(
            UpstreamClient client,
            Vertx vertx,
            String backend,
            String path,
            int maxEventBytes,
            Authorization authorization,
            Supplier<Secrets> secrets) {
        this.client = client;
        this.vertx = vertx;
        this.backend = backend;
        this.path = path;
        this.maxEventBytes = maxEventBytes;
        this.authorization = authorization;
        this.configured = secrets;
        this.known = new AtomicReference<>(new AuthHeaders(Map.of(), Secrets.NONE));
    }

    /**
     * Authorization headers. A token stays secret while answers to requests with it may still come.
     *
     * @param headers the headers
     * @param secrets the values of these headers and of previous ones
     */
    private record AuthHeaders(Map<String, String> headers, Secrets secrets) {
        AuthHeaders with(Map<String, String> own) {
            return own.equals(headers)
                    ? this
                    : new AuthHeaders(own, Secrets.of(headers.values()).and(own.values()));
        }
    }

    /** A transport on the same connections whose requests are authorized by {@code other}. */
    public StreamableHttpTransport as(Authorization other) {
        return new StreamableHttpTransport(client, vertx, backend, path, maxEventBytes, other, configured);
    }

    /** {@code message} without secrets. */
    private ObjectNode clean(ObjectNode message) {
        return MessageSanitizer.without(
                configured.get(), MessageSanitizer.without(known.get().secrets(), message));
    }

    @Override
    public Sent send(Outgoing request, Consumer<ObjectNode> related) {
        return sent(request, related, HttpCall::start);
    }

    /** Does not count as a request under way, and its failures don't count for the circuit breaker. */
    @Override
    public Sent stand(Outgoing request, Consumer<ObjectNode> related) {
        return sent(request, related, HttpCall::stand);
    }

    private Sent sent(Outgoing request, Consumer<ObjectNode> related, AuthorizedCall.Sending how) {
        AuthorizedCall call = new AuthorizedCall(authorization, () -> new HttpCall(this, request, related), how);
        return new Sent(call.send(), call::giveUp);
    }

    @Override
    public Future<Void> post(ObjectNode message, Map<String, String> headers) {
        return authorization
                .headers()
                .compose(own -> beside(message, headers, own)
                        .compose(response ->
                                response.status() == AuthorizedCall.UNAUTHORIZED && authorization.refused(own)
                                        ? authorization.headers().compose(fresh -> beside(message, headers, fresh))
                                        : Future.succeededFuture(response)))
                .compose(response -> response.success()
                        ? Future.<Void>succeededFuture()
                        : Future.failedFuture(new ToolException(authorization.refusal(response))));
    }

    /** Calls may hold all connections while they wait for just this message. */
    private Future<UpstreamResponse> beside(ObjectNode message, Map<String, String> headers, Map<String, String> own) {
        return client.beside(request(message, headers, own, false), POST_TIMEOUT);
    }

    @Override
    public Sent listen(Map<String, String> headers, Consumer<ObjectNode> unrelated, Runnable opened) {
        return sent(
                new Outgoing(Json.object(), headers, LONGEST_STREAM, null, true),
                unrelated,
                (call, own) -> call.follow(own, opened));
    }

    @Override
    public long nextId() {
        return ids.incrementAndGet();
    }

    @Override
    public boolean givingUpShows() {
        return true;
    }

    /** Never completes: {@link Peer#doubtful} says it of one session, not of all sessions on these connections. */
    @Override
    public Future<Void> doubtful() {
        return Promise.<Void>promise().future();
    }

    /** Never completes: the transport stays usable when connections break. */
    @Override
    public Future<Void> broken() {
        return Promise.<Void>promise().future();
    }

    /** Forgets failures of earlier calls. */
    public void beginAnew() {
        client.forgetFailures();
    }

    @Override
    public Future<Void> close() {
        return client.close();
    }

    /** Tells the server that the session has ended. Refusals are ignored. */
    Future<Void> delete(Map<String, String> headers) {
        return authorization
                .headers()
                .compose(own -> client.beside(request(HttpMethod.DELETE, headers, own), POST_TIMEOUT))
                .mapEmpty();
    }

    UpstreamClient client() {
        return client;
    }

    Vertx vertx() {
        return vertx;
    }

    int maxEventBytes() {
        return maxEventBytes;
    }

    UpstreamRequest request(
            ObjectNode message, Map<String, String> headers, Map<String, String> own, boolean repeatable) {
        return with(
                UpstreamRequest.withBody(HttpMethod.POST, path, message, repeatable)
                        .header("Accept", BOTH),
                headers,
                own);
    }

    UpstreamRequest request(HttpMethod method, Map<String, String> headers, Map<String, String> own) {
        return with(
                new UpstreamRequest(method, path, null, Map.of(), true).header("Accept", "text/event-stream"),
                headers,
                own);
    }

    private UpstreamRequest with(UpstreamRequest request, Map<String, String> headers, Map<String, String> own) {
        known.updateAndGet(before -> before.with(own));
        UpstreamRequest complete = request;
        for (Map<String, String> some : java.util.List.of(headers, own)) {
            for (Map.Entry<String, String> header : some.entrySet()) {
                complete = complete.header(header.getKey(), header.getValue());
            }
        }
        return complete;
    }

    /**
     * The answer from a complete document.
     *
     * @throws AuthorizedCall.RefusedException for 401 and 403
     */
    TransportReply answer(UpstreamResponse response, @Nullable String session) {
        if (response.status() == 401 || response.status() == 403) {
            throw new AuthorizedCall.RefusedException(response);
        }
        ObjectNode message = null;
        if (response.claimsJson() && response.body().length() > 0) {
            message = document(response) instanceof ObjectNode object ? clean(object) : null;
        } else if (response.success() && response.status() != 202) {
            response.json(); // says what came instead
        } else if (response.status() >= 500) {
            throw new ToolException(response.unexplained());
        }
        return new TransportReply(response.status(), message, session);
    }

    private JsonNode document(UpstreamResponse response) {
        try {
            return Json.parseDeep(response.body().getBytes());
        } catch (JsonProcessingException _) {
            throw new ToolException(
                    FailureKind.UNAVAILABLE,
                    backend + " answered " + response.status() + " with what is not JSON. "
                            + EngineMessageSanitizer.LATER);
        }
    }

    /** The message in an event, or null if there is none. */
    @Nullable
    ObjectNode message(String data) {
        if (data.isBlank()) {
            return null; // opens a stream that can be resumed
        }
        try {
            JsonNode node = Json.parseDeep(data.getBytes(StandardCharsets.UTF_8));
            if (node instanceof ObjectNode object) {
                return clean(object);
            }
        } catch (JsonProcessingException _) {
            // said below
        }
        throw unreadable();
    }

    ToolException unreadable() {
        return new ToolException(
                FailureKind.UNAVAILABLE,
                backend + " sent an event that is not a JSON-RPC message. " + EngineMessageSanitizer.LATER);
    }

    ToolException tooLarge() {
        return new ToolException(
                FailureKind.INVALID_ARGUMENT,
                backend + " answered more than the gateway accepts; ask for less: a smaller limit, or fewer fields");
    }

    ToolException cutShort() {
        return new ToolException(
                FailureKind.UNAVAILABLE,
                backend + " ended the stream before its answer; it is unknown whether it acted, so"
                        + " look before repeating it");
    }
}
