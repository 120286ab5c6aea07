package switchboard.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import switchboard.auth.Principal;
import switchboard.auth.PrincipalId;
import switchboard.catalog.View;
import switchboard.protocol.modern.ModernEndpoint;

/**
 * The one way in: takes a message from a transport, decodes it once, finds out which era of the protocol it speaks, and
 * sees to its answer. Thread-safe; each call does its work on the calling event loop, which must be the sink's.
 *
 * <p>A request is modern when its {@code _meta} claims a protocol version, whatever its method: nothing else counts as a
 * claim. Without one, a modern version in the header is an incomplete modern request, and everything else is legacy.
 */
public final class McpEndpoint {
    private final ProtocolServices services;
    private final ModernEndpoint modern;
    private final LegacyHandler legacy;
    private final MessageDecoder messageDecoder;

    /** An endpoint for both eras. */
    public McpEndpoint(ProtocolServices services, LegacyHandler legacy) {
        this.services = services;
        this.modern = new ModernEndpoint(services);
        this.legacy = legacy;
        this.messageDecoder = new MessageDecoder(services.budget(), services.observer());
    }

    /**
     * Answers a message or a batch. The transport has checked host, origin, URL, credential, view, method, media
     * type and size before; every other refusal is made here.
     */
    public void post(InboundMessage inboundMessage, ReplySink sink) {
        messageDecoder.read(inboundMessage, sink, () -> unknownId(inboundMessage), incoming -> {
            switch (incoming) {
                case IncomingMessages.Single single -> single(inboundMessage, single, sink);
                case IncomingMessages.Batch batch -> batch(inboundMessage, batch, sink);
            }
        });
    }

    /** Opens the standing stream of a legacy session. */
    public void get(InboundMessage inboundMessage, ReplySink sink) {
        legacy.get(inboundMessage, sink);
    }

    /** Ends a legacy session. */
    public void delete(InboundMessage inboundMessage, ReplySink sink) {
        legacy.delete(inboundMessage, sink);
    }

    /**
     * Opens the stream of the HTTP+SSE transport (2024-11-05).
     *
     * @param announce sends the session id for posting to the client on the open stream
     */
    public void openPair(InboundMessage inboundMessage, Consumer<String> announce, ReplySink sink) {
        legacy.openPair(inboundMessage, announce, sink);
    }

    /** Accepts a message for the stream of the session {@code id}. The sink only gets whether it was accepted. */
    public void postPair(InboundMessage inboundMessage, String id, ReplySink sink) {
        messageDecoder.read(
                inboundMessage,
                sink,
                () -> UnknownRequestId.of(inboundMessage, legacy.agreed(inboundMessage, id)),
                incoming -> legacy.postPair(inboundMessage, id, incoming, sink));
    }

    /** A client on a two-way connection, of either era; its answers go to {@code stream}. */
    public Connection connect(InboundMessage opening, ReplySink stream) {
        return new Connection(messageDecoder, modern, legacy, opening, stream);
    }

    /** Ends the open streams of change notifications. Requests under way continue. */
    public void shutdown() {
        services.changes().shutdown();
    }

    /**
     * The rights of principals have changed.
     *
     * @param outdated matches principals whose open streams are notified and end
     * @param gone matches owners whose legacy sessions end, and whose work under way as tasks of this gateway is cancelled
     */
    public void accessChanged(Predicate<Principal> outdated, Predicate<PrincipalId> gone) {
        services.changes().outdate(stream -> outdated.test(stream.principal()));
        legacy.endSessions(gone);
        services.tasks().cancelAll(gone);
    }

    /**
     * The views were replaced. Streams with a changed list of tools are notified; those of removed views are notified
     * and end; sessions stay.
     */
    public void viewsChanged(Function<String, Optional<View>> before, Function<String, Optional<View>> after) {
        ChangeSubscribers changeSubscribers = new ChangeSubscribers(services);
        services.changes().relist(stream -> before.apply(stream.view())
                .flatMap(old -> after.apply(stream.view())
                        .map(now -> changeSubscribers.seesOther(stream.principal(), old, now)))
                .orElse(false));
        services.changes().relistResources(stream -> before.apply(stream.view())
                .flatMap(old -> after.apply(stream.view()).map(now -> changeSubscribers.seesOtherResources(old, now)))
                .orElse(false));
        services.changes().outdate(stream -> after.apply(stream.view()).isEmpty());
    }

    /** The sessions that a restarted process can go on with; nothing if there are none. */
    public byte[] saveSessions() {
        return legacy.saveSessions();
    }

    /** Goes on with sessions that another process has saved, as far as they can be read. */
    public void restoreSessions(byte[] saved) {
        legacy.restoreSessions(saved);
    }

    /** How many streams of change notifications are open. */
    public int openStreams() {
        return services.changes().openStreams();
    }

    /** How many legacy sessions are alive. */
    public int liveSessions() {
        return legacy.sessions();
    }

    /** How many legacy sessions were replaced by newer ones so far. */
    public long evictedSessions() {
        return legacy.evictedSessions();
    }

    private JsonNode unknownId(InboundMessage inboundMessage) {
        return UnknownRequestId.of(inboundMessage, legacy.agreed(inboundMessage));
    }

    private void batch(InboundMessage inboundMessage, IncomingMessages.Batch batch, ReplySink sink) {
        if (batch.modern() || headerIsModern(inboundMessage)) {
            sink.refuse(
                    UnknownRequestId.in(ProtocolVersion.V2026_07_28), RpcError.INVALID_REQUEST, Connection.NO_BATCHES);
        } else {
            legacy.post(inboundMessage, batch, sink);
        }
    }

    private void single(InboundMessage inboundMessage, IncomingMessages.Single single, ReplySink sink) {
        switch (single.message()) {
            case RpcMessage.Malformed malformed ->
                sink.end(
                        RpcError.INVALID_REQUEST.status(),
                        Map.of(),
                        RpcCodec.malformed(malformed, unknownId(inboundMessage)));
            case RpcMessage.Response response -> {
                if (headerIsModern(inboundMessage)) {
                    sink.refuse(
                            response.id(),
                            RpcError.INVALID_REQUEST,
                            "Protocol 2026-07-28 has no requests to clients, so there is nothing to respond to.");
                } else {
                    legacy.post(inboundMessage, single, sink);
                }
            }
            case RpcMessage.Request request -> {
                if (MetaKeys.claims(request.params())) {
                    modern.request(inboundMessage, request, sink);
                } else if (headerIsModern(inboundMessage)) {
                    incomplete(request, sink);
                } else {
                    legacy.post(inboundMessage, single, sink);
                }
            }
            case RpcMessage.Notification notification -> {
                if (MetaKeys.claims(notification.params()) || headerIsModern(inboundMessage)) {
                    modern.notification(inboundMessage, notification, sink);
                } else {
                    legacy.post(inboundMessage, single, sink);
                }
            }
        }
    }

    private static void incomplete(RpcMessage.Request request, ReplySink sink) {
        if (request.method().equals("initialize")) {
            sink.refuse(
                    request.id(),
                    RpcError.HEADER_MISMATCH,
                    "The MCP-Protocol-Version header names a version without \"initialize\". Leave the header out to"
                            + " negotiate an older version.");
        } else {
            JsonNode meta = request.params().path("_meta");
            List<String> missing = Stream.of(MetaKeys.PROTOCOL_VERSION, MetaKeys.CLIENT_CAPABILITIES)
                    .filter(key -> !meta.has(key))
                    .toList();
            sink.refuse(
                    request.id(),
                    RpcError.INVALID_ENVELOPE,
                    "params._meta lacks " + String.join(" and ", missing)
                            + ", required in every request of the version that the MCP-Protocol-Version header names.");
        }
    }

    private static boolean headerIsModern(InboundMessage inboundMessage) {
        String header = inboundMessage.header("MCP-Protocol-Version");
        return header != null && ProtocolVersion.namesModern(header);
    }
}
