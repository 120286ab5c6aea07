package switchboard.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import switchboard.auth.Identity;
import switchboard.auth.Principal;
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
    private final LegacyEra legacy;
    private final Intake intake;

    /** An endpoint for both eras. */
    public McpEndpoint(ProtocolServices services, LegacyEra legacy) {
        this.services = services;
        this.modern = new ModernEndpoint(services);
        this.legacy = legacy;
        this.intake = new Intake(services.budget(), services.observer());
    }

    /**
     * Answers a message or a batch. The transport has checked host, origin, credential, method, media type and size
     * before; every other refusal is made here.
     */
    public void post(Inbound inbound, ReplySink sink) {
        Optional<JsonNode> message = intake.read(inbound, sink, () -> unknownId(inbound));
        if (message.isEmpty()) {
            return;
        }
        JsonNode body = message.get();
        if (body instanceof ArrayNode batch) {
            batch(inbound, batch, sink);
        } else {
            single(inbound, RpcCodec.decode(body), sink);
        }
    }

    /** Opens the standing stream of a legacy session. */
    public void get(Inbound inbound, ReplySink sink) {
        legacy.get(inbound, sink);
    }

    /** Ends a legacy session. */
    public void delete(Inbound inbound, ReplySink sink) {
        legacy.delete(inbound, sink);
    }

    /**
     * Opens the stream of the HTTP+SSE transport (2024-11-05).
     *
     * @param announce tells the client on the open stream by which session id it posts
     */
    public void openPair(Inbound inbound, Consumer<String> announce, ReplySink sink) {
        legacy.openPair(inbound, announce, sink);
    }

    /** Takes a message for the stream of the session {@code id}; the sink is only told whether it was taken. */
    public void postPair(Inbound inbound, String id, ReplySink sink) {
        intake.read(inbound, sink, () -> UnknownId.of(inbound, legacy.agreed(inbound, id)))
                .ifPresent(body -> legacy.postPair(inbound, id, body, sink));
    }

    /** A client on a two-way connection, of either era; its answers go to {@code stream}. */
    public Connection connect(Inbound opening, ReplySink stream) {
        return new Connection(intake, modern, legacy, opening, stream);
    }

    /** Ends the open streams of change notifications; requests under way go on. */
    public void shutdown() {
        services.changes().shutdown();
    }

    /**
     * What principals may do has changed.
     *
     * @param outdated whose open streams are told, and end
     * @param gone whose legacy sessions end
     */
    public void accessChanged(Predicate<Principal> outdated, Predicate<Identity> gone) {
        services.changes().outdate(stream -> outdated.test(stream.principal()));
        legacy.endSessions(gone);
    }

    /**
     * The views were replaced. Streams whose principal sees other tools now are told, and so are those on views that are
     * gone, which end; sessions stay.
     */
    public void viewsChanged(Function<String, Optional<View>> before, Function<String, Optional<View>> after) {
        Audience audience = new Audience(services);
        services.changes().relist(stream -> before.apply(stream.view())
                .flatMap(old -> after.apply(stream.view()).map(now -> audience.seesOther(stream.principal(), old, now)))
                .orElse(false));
        services.changes().relistResources(stream -> before.apply(stream.view())
                .flatMap(old -> after.apply(stream.view()).map(now -> audience.seesOtherResources(old, now)))
                .orElse(false));
        services.changes().outdate(stream -> after.apply(stream.view()).isEmpty());
    }

    /** How many streams of change notifications are open. */
    public int openStreams() {
        return services.changes().openStreams();
    }

    /** How many legacy sessions are alive. */
    public int liveSessions() {
        return legacy.sessions();
    }

    /** How many legacy sessions had to give way to others so far. */
    public long evictedSessions() {
        return legacy.evictedSessions();
    }

    private JsonNode unknownId(Inbound inbound) {
        return UnknownId.of(inbound, legacy.agreed(inbound));
    }

    private void batch(Inbound inbound, ArrayNode batch, ReplySink sink) {
        List<RpcMessage> elements = new ArrayList<>(batch.size());
        for (JsonNode element : batch) {
            if (Meta.claims(element.path("params"))) {
                refuse(
                        sink,
                        UnknownId.answering(batch, unknownId(inbound)),
                        RpcError.INVALID_REQUEST,
                        Connection.NO_BATCHES);
                return;
            }
            elements.add(RpcCodec.decode(element));
        }
        if (elements.isEmpty()) {
            refuse(sink, unknownId(inbound), RpcError.INVALID_REQUEST, "The batch is empty.");
        } else if (headerIsModern(inbound)) {
            refuse(sink, unknownId(inbound), RpcError.INVALID_REQUEST, Connection.NO_BATCHES);
        } else {
            legacy.batch(inbound, elements, sink);
        }
    }

    private void single(Inbound inbound, RpcMessage message, ReplySink sink) {
        switch (message) {
            case RpcMessage.Malformed malformed ->
                sink.end(
                        RpcError.INVALID_REQUEST.status(), Map.of(), RpcCodec.malformed(malformed, unknownId(inbound)));
            case RpcMessage.Response response -> {
                if (headerIsModern(inbound)) {
                    refuse(
                            sink,
                            response.id(),
                            RpcError.INVALID_REQUEST,
                            "Protocol 2026-07-28 has no requests to clients, so there is nothing to respond to.");
                } else {
                    legacy.single(inbound, response, sink);
                }
            }
            case RpcMessage.Request request -> {
                if (Meta.claims(request.params())) {
                    modern.request(inbound, request, sink);
                } else if (headerIsModern(inbound)) {
                    incomplete(request, sink);
                } else {
                    legacy.single(inbound, request, sink);
                }
            }
            case RpcMessage.Notification notification -> {
                if (Meta.claims(notification.params()) || headerIsModern(inbound)) {
                    modern.notification(inbound, notification, sink);
                } else {
                    legacy.single(inbound, notification, sink);
                }
            }
        }
    }

    private static void incomplete(RpcMessage.Request request, ReplySink sink) {
        if (request.method().equals("initialize")) {
            refuse(
                    sink,
                    request.id(),
                    RpcError.HEADER_MISMATCH,
                    "The MCP-Protocol-Version header names a version without \"initialize\". Leave the header out to"
                            + " negotiate an older version.");
        } else {
            JsonNode meta = request.params().path("_meta");
            List<String> missing = Stream.of(Meta.PROTOCOL_VERSION, Meta.CLIENT_CAPABILITIES)
                    .filter(key -> !meta.has(key))
                    .toList();
            refuse(
                    sink,
                    request.id(),
                    RpcError.INVALID_ENVELOPE,
                    "params._meta lacks " + String.join(" and ", missing)
                            + ", required in every request of the version that the MCP-Protocol-Version header names.");
        }
    }

    private static boolean headerIsModern(Inbound inbound) {
        String header = inbound.header("MCP-Protocol-Version");
        return header != null && ProtocolVersion.namesModern(header);
    }

    private static void refuse(ReplySink sink, JsonNode id, RpcError error, String message) {
        sink.end(error.status(), Map.of(), RpcCodec.error(id, error.code(), message, null));
    }
}
