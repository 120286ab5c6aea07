package switchboard.backend.mcp.peer;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.call.CallContext;
import switchboard.call.EngineMessageSanitizer;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.LogLevel;
import switchboard.call.ToolException;
import switchboard.upstream.UpstreamClient;

/**
 * A server up to 2025-11-25, with its handshake and, if it uses one, a session. If the server has forgotten the
 * session, a new one is made, once for each request: the refused request had not started.
 */
final class LegacyPeer implements Peer {
    private static final String NEWEST = "2025-11-25";
    private static final Duration RENEWAL = Duration.ofSeconds(30);

    /** The server has forgotten the session. */
    private static final class SessionLost extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Transport.TransportReply answer;

        SessionLost(Transport.TransportReply answer) {
            super("the server has forgotten the session", null, false, false);
            this.answer = answer;
        }
    }

    /** The result of the handshake. */
    private record NegotiatedSession(
            String version, @Nullable String id, JsonNode description) {
        Map<String, String> headers() {
            Map<String, String> headers = new LinkedHashMap<>();
            headers.put("MCP-Protocol-Version", version);
            if (id != null) {
                headers.put(StreamableHttpTransport.SESSION_HEADER, id);
            }
            return headers;
        }
    }

    private final Transport transport;
    private final ClientProfile client;
    private final AtomicReference<NegotiatedSession> session;
    /** Take the server's questions, one for each request of a caller under way. */
    private final Set<ServerRequests> calls = ConcurrentHashMap.newKeySet();

    private final AtomicReference<@Nullable Future<NegotiatedSession>> renewal = new AtomicReference<>();
    private volatile LogLevel requestedLevel = LogLevel.EMERGENCY;
    private final LegacySubscriptions subscriptions = new LegacySubscriptions(
            request -> request(request, InternalCallContext.within(LegacySubscriptions.PATIENCE)), System::nanoTime);
    private volatile Runnable stopListening = () -> {};
    /** The last session whose stream of notifications was opened. */
    private volatile @Nullable NegotiatedSession listenedTo;

    private volatile boolean left;
    private volatile boolean doubtful;

    private LegacyPeer(Transport transport, ClientProfile client, NegotiatedSession session) {
        this.transport = transport;
        this.client = client;
        this.session = new AtomicReference<>(session);
    }

    /** Makes the handshake; fails with {@link RpcFailure}, {@link Peer.NoSession} or {@code ToolException}. */
    static Future<Peer> initialize(Transport transport, ClientProfile client, CallContext context) {
        return handshake(transport, client, context).map(session -> new LegacyPeer(transport, client, session));
    }

    private static Future<NegotiatedSession> handshake(Transport transport, ClientProfile client, CallContext context) {
        ObjectNode message = Json.object()
                .put("jsonrpc", "2.0")
                .put("id", transport.nextId())
                .put("method", "initialize");
        ObjectNode params = message.putObject("params").put("protocolVersion", NEWEST);
        params.set("capabilities", client.declared().json());
        params.set("clientInfo", client.info().json());
        Transport.Sent sent =
                transport.send(new Transport.Outgoing(message, Map.of(), context.remaining(), null, true), _ -> {});
        return sent.answer().compose(answer -> {
            if (answer.message() == null && answer.status() >= 400 && answer.status() < 500) {
                throw new NoSession(noResult(answer).failed().message());
            }
            ObjectNode result = result(answer);
            NegotiatedSession begun =
                    new NegotiatedSession(result.path("protocolVersion").asText(NEWEST), answer.session(), result);
            ObjectNode ready = Json.object().put("jsonrpc", "2.0").put("method", "notifications/initialized");
            return transport.post(ready, begun.headers()).map(begun);
        });
    }

    @Override
    public JsonNode description() {
        return session.get().description();
    }

    @Override
    public String version() {
        return session.get().version();
    }

    @Override
    public boolean asksInReply() {
        return false;
    }

    @Override
    public Future<ObjectNode> request(Request request, CallContext context) {
        NegotiatedSession current = session.get();
        return attempt(current, request, context)
                .recover(failure -> failure instanceof SessionLost
                        ? renew(current, context).compose(renewed -> attempt(renewed, request, context))
                        : Future.failedFuture(failure))
                .recover(failure ->
                        failure instanceof SessionLost lost ? refused(lost.answer) : Future.failedFuture(failure));
    }

    @Override
    public Future<Void> listen(Consumer<ObjectNode> notifications, Runnable opened) {
        if (left) {
            return Future.failedFuture(new NoStream());
        }
        NegotiatedSession current = session.get();
        Promise<Void> open = Promise.promise();
        Transport.Sent sent = transport.listen(
                current.headers(),
                message -> {
                    if (message.has("method") && message.has("id")) {
                        unrelated(current).accept(message);
                    } else {
                        notifications.accept(message);
                    }
                },
                () -> {
                    listenedTo = current;
                    opened.run();
                    open.tryComplete();
                });
        stopListening = sent.giveUp();
        if (left) {
            sent.giveUp().run();
        }
        // Asked for before the stream is open, because some servers send its head with their first message only. What
        // changed before
        // it is open may have been missed.
        Futures.finish(
                Future.all(open.future(), subscriptions.listening(subscribable())),
                _ -> subscriptions.subscribed().forEach(uri -> notifications.accept(Peer.updated(uri))),
                _ -> {});
        return sent.answer().compose(answer -> ended(current, answer)).onFailure(failure -> {
            if (failure instanceof NoStream) {
                subscriptions.unheard();
            }
        });
    }

    /** The end of the stream of {@code current}. */
    private Future<Void> ended(NegotiatedSession current, Transport.TransportReply answer) {
        if (answer.status() == 200) {
            return Future.succeededFuture();
        }
        ToolException noStreamNow = new ToolException(FailureKind.UNAVAILABLE, "it opens no stream now");
        if (!answer.forgetsSession() || current.id() == null) {
            // A server that had a stream before has one again.
            return Future.failedFuture(listenedTo == null ? new NoStream() : noStreamNow);
        }
        // Calls may have sessions of their own, so that nothing else shows that the server has forgotten this one.
        if (current.equals(listenedTo)) {
            return renew(current, InternalCallContext.within(RENEWAL)).mapEmpty();
        }
        // It has no stream, or has forgotten the session since the handshake, which a request shows.
        return request(Request.reading("ping", Json.object()), InternalCallContext.within(RENEWAL))
                .transform(asked -> {
                    boolean known = asked.succeeded() || asked.cause() instanceof RpcFailure;
                    return Future.failedFuture(
                            known && listenedTo == null && session.get().equals(current)
                                    ? new NoStream()
                                    : noStreamNow);
                });
    }

    @Override
    public Future<Void> watch(Set<String> uris) {
        return subscriptions.want(uris);
    }

    private boolean subscribable() {
        return description().at("/capabilities/resources/subscribe").asBoolean();
    }

    /**
     * What answers a request of the server that comes with no request of ours: many servers send theirs so, though it belongs
     * to a call. It is for the only call under way, or the only one that does not wait for its client, where it can't be for somebody else's.
     */
    private ServerRequests unrelated(NegotiatedSession current) {
        return (client.ofOnePrincipal() && !doubtful
                        ? ServerRequests.asking(calls.stream(), ServerRequests::waits)
                        : Optional.<ServerRequests>empty())
                .orElseGet(() -> new ServerRequests(transport, current.headers(), InternalCallContext.standing()));
    }

    @Override
    public boolean doubtful() {
        return doubtful;
    }

    @Override
    public Future<Void> leave() {
        left = true;
        subscriptions.end();
        return over();
    }

    @Override
    public Future<Void> close() {
        return over().compose(_ -> transport.close());
    }

    private Future<Void> over() {
        stopListening.run();
        return transport instanceof StreamableHttpTransport http
                        && session.get().id() != null
                ? http.delete(session.get().headers()).otherwiseEmpty()
                : Future.succeededFuture();
    }

    private Future<ObjectNode> attempt(NegotiatedSession current, Request request, CallContext context) {
        LogLevel wanted = context.logLevel();
        if (wanted != null
                && wanted.compareTo(requestedLevel) < 0
                && current.description().path("capabilities").has("logging")) {
            requestedLevel = wanted;
            Request level = Request.reading("logging/setLevel", Json.object().put("level", wanted.word()));
            return send(current, level, InternalCallContext.within(context.remaining()))
                    .otherwiseEmpty()
                    .compose(_ -> send(current, request, context));
        }
        return send(current, request, context);
    }

    private static Transport.Outgoing outgoing(
            long id, NegotiatedSession current, Request request, CallContext context) {
        ObjectNode message = Json.object().put("jsonrpc", "2.0").put("id", id).put("method", request.method());
        ObjectNode params = message.putObject("params");
        params.setAll(request.params());
        if (context.wantsEvents()) {
            params.putObject("_meta").put("progressToken", id);
        }
        return new Transport.Outgoing(
                message,
                current.headers(),
                context.longest(),
                context.traceparent(),
                request.repeatable(),
                context::waitsForClient);
    }

    private Future<ObjectNode> send(NegotiatedSession current, Request request, CallContext context) {
        long id = transport.nextId();
        PeerEventRelay peerEventRelay = new PeerEventRelay(context, id);
        ServerRequests requests = new ServerRequests(transport, current.headers(), context);
        Transport.Outgoing outgoing = outgoing(id, current, request, context);
        if (outgoing.ofCaller()) {
            calls.add(requests);
        }
        Consumer<ObjectNode> related = event -> (event.has("id") ? requests : peerEventRelay).accept(event);
        Transport.Sent sent = LegacySubscriptions.isSubscription(request)
                ? transport.stand(outgoing, related)
                : transport.send(outgoing, related);
        AtomicBoolean told = new AtomicBoolean();
        Runnable abandon = () -> {
            if (client.ofOnePrincipal() && client.declared().asks() && outgoing.ofCaller()) {
                doubtful = true; // before the request is gone: from now on, no other one is taken for it
            }
            if (told.compareAndSet(false, true)) {
                transport.cancel(id, current.headers());
            }
        };
        Runnable end = () -> {
            if (!sent.answer().isComplete()) {
                abandon.run();
                sent.giveUp().run();
            }
        };
        context.onCancel(end);
        requests.onLost(end);
        return result(current, requests, answered(sent, requests, abandon));
    }

    private Future<Transport.TransportReply> answered(Transport.Sent sent, ServerRequests requests, Runnable abandon) {
        return sent.answer()
                .onFailure(failure -> {
                    if (reached(failure)) {
                        abandon.run(); // The server may still be busy with it, and ask.
                    }
                })
                .onComplete(_ -> calls.remove(requests))
                .recover(failure -> Future.failedFuture(requests.lost().orElse(failure)));
    }

    /** Whether the server may have got the request that failed so. */
    private static boolean reached(Throwable failure) {
        return !UpstreamClient.neverSent(failure)
                && (!(failure instanceof ToolException e)
                        || switch (e.failed().kind()) {
                            case TIMEOUT, CANCELLED, INVALID_ARGUMENT -> true;
                            // A pause after failures says when it ends.
                            case UNAVAILABLE -> e.failed().retryAfterMs() == null;
                            default -> false;
                        });
    }

    private static Future<ObjectNode> result(
            NegotiatedSession current, ServerRequests requests, Future<Transport.TransportReply> answered) {
        return answered.map(answer -> {
            if (current.id() != null && answer.forgetsSession()) {
                throw new SessionLost(answer);
            }
            requests.unbridged().ifPresent(why -> {
                throw why;
            });
            return result(answer);
        });
    }

    /** The failure of a request that was refused in a new session, too. */
    private static Future<ObjectNode> refused(Transport.TransportReply answer) {
        return answer.status() == 404
                ? Future.failedFuture(new ToolException(
                        FailureKind.UNAVAILABLE,
                        "The server keeps forgetting its session. " + EngineMessageSanitizer.LATER))
                : Future.succeededFuture(answer).map(LegacyPeer::result);
    }

    /** A new session that replaces {@code lost}; the same for all requests that failed with it. */
    private Future<NegotiatedSession> renew(NegotiatedSession lost, CallContext context) {
        NegotiatedSession current = session.get();
        if (left) {
            return Future.failedFuture(new ToolException(
                    FailureKind.UNAVAILABLE,
                    "The connection to the server has ended. " + EngineMessageSanitizer.LATER));
        }
        if (!current.equals(lost)) {
            return Future.succeededFuture(current);
        }
        Future<NegotiatedSession> running = renewal.get();
        if (running != null && !running.isComplete()) {
            return running;
        }
        Future<NegotiatedSession> begun = handshake(transport, client, InternalCallContext.within(context.remaining()))
                .recover(failure -> Future.failedFuture(failure instanceof NoSession none ? none.explained() : failure))
                .map(also(fresh -> {
                    requestedLevel = LogLevel.EMERGENCY;
                    session.set(fresh);
                    if (left) {
                        over();
                    }
                    stopListening.run(); // listeners reconnect with the new session
                    subscriptions.begunAnew(subscribable());
                }));
        renewal.set(begun);
        return begun;
    }

    private static ObjectNode result(Transport.TransportReply answer) {
        return answer.result(() -> noResult(answer));
    }

    private static ToolException noResult(Transport.TransportReply answer) {
        return new ToolException(
                FailureKind.UNAVAILABLE,
                "The server answered " + answer.status() + " without a result. The operator has to check that"
                        + " the configured URL is that of an MCP server.");
    }
}
