package switchboard.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Principal;
import switchboard.protocol.modern.ModernEndpoint;

/**
 * One client on a two-way connection such as standard input and output. Requests that claim a version in their {@code
 * _meta} are modern, each for itself; all others belong to one legacy session, which ends with the connection. Used on the
 * stream's event loop only.
 */
public final class Connection {
    private static final String CANCELLED = "notifications/cancelled";
    static final String NO_BATCHES = "Protocol 2026-07-28 has no batches. Send one message.";
    private static final String LISTEN = "subscriptions/listen";

    private final MessageDecoder messageDecoder;
    private final ModernEndpoint modern;
    private final LegacyHandler legacy;
    private final InboundMessage opening;
    private final ReplySink stream;
    private final Set<StreamedReply> streamedReplies = new HashSet<>();
    private final Map<JsonNode, StreamedReply> modernTurns = new HashMap<>();
    private final Set<StreamedReply> standing = new HashSet<>();
    private final Promise<Void> finished = Promise.promise();
    private @Nullable StreamConversation conversation;
    private boolean finishing;
    private boolean modernLast;

    Connection(
            MessageDecoder messageDecoder,
            ModernEndpoint modern,
            LegacyHandler legacy,
            InboundMessage opening,
            ReplySink stream) {
        this.messageDecoder = messageDecoder;
        this.modern = modern;
        this.legacy = legacy;
        this.opening = opening;
        this.stream = stream;
    }

    /**
     * Takes one message or batch of {@code sender}: the principal that opened the connection, with its present rights.
     *
     * @return when nothing more comes of it; never fails
     */
    public Future<Void> take(Principal sender, byte[] message) {
        InboundMessage inboundMessage = new InboundMessage(
                opening.view(), opening.transport(), sender, opening.address(), opening.headers(), message);
        StreamedReply streamedReply = new StreamedReply(stream);
        streamedReplies.add(streamedReply);
        streamedReply.over().onComplete(_ -> {
            streamedReplies.remove(streamedReply);
            settle();
        });
        messageDecoder.read(
                inboundMessage,
                streamedReply,
                this::unknownId,
                incoming -> route(inboundMessage, incoming, streamedReply));
        return streamedReply.over();
    }

    /** Answers a message that can't be accepted with the reason. */
    public void refuse(String why) {
        stream.event(
                RpcCodec.error(unknownId(), RpcError.INVALID_REQUEST.code(), why, null)
                        .bytes(),
                ReplySink.Urgency.KEEP);
    }

    /**
     * Takes no more input: streams of change notifications end, everything else under way is answered.
     *
     * @return when the last answer has been handed to the stream
     */
    public Future<Void> finish() {
        finishing = true;
        Set.copyOf(standing).forEach(StreamedReply::takeBack);
        settle();
        return finished.future();
    }

    /** The client is gone: whatever is under way is given up. */
    public void lost() {
        Set.copyOf(streamedReplies).forEach(StreamedReply::takeBack);
        if (conversation != null) {
            conversation.end();
        }
    }

    /** By the revision of the last message: a client speaks one. */
    private JsonNode unknownId() {
        StreamConversation live = conversation;
        ProtocolVersion agreed = live == null ? ProtocolVersion.ASSUMED : live.version();
        return UnknownRequestId.in(modernLast ? ProtocolVersion.V2026_07_28 : agreed);
    }

    private void settle() {
        if (finishing && streamedReplies.isEmpty()) {
            finished.tryComplete();
        }
    }

    private void route(InboundMessage inboundMessage, IncomingMessages incoming, StreamedReply streamedReply) {
        switch (incoming) {
            case IncomingMessages.Single single -> single(inboundMessage, single, streamedReply);
            case IncomingMessages.Batch batch -> batch(inboundMessage, batch, streamedReply);
        }
    }

    private void single(InboundMessage inboundMessage, IncomingMessages.Single single, StreamedReply streamedReply) {
        switch (single.message()) {
            case RpcMessage.Request request
            when MetaKeys.claims(request.params()) -> modern(inboundMessage, request, streamedReply);
            case RpcMessage.Notification notification
            when modernTurn(notification) instanceof StreamedReply cancelled -> {
                cancelled.takeBack();
                streamedReply.close();
            }
            case RpcMessage.Notification notification
            when MetaKeys.claims(notification.params()) ->
                modern.notification(inboundMessage, notification, streamedReply);
            case RpcMessage.Malformed malformed ->
                streamedReply.end(
                        RpcError.INVALID_REQUEST.status(), Map.of(), RpcCodec.malformed(malformed, unknownId()));
            case RpcMessage.Request _ -> {
                modernLast = false;
                converse(inboundMessage, single, streamedReply);
            }
            case RpcMessage.Notification _, RpcMessage.Response _ -> converse(inboundMessage, single, streamedReply);
        }
    }

    private void batch(InboundMessage inboundMessage, IncomingMessages.Batch batch, StreamedReply streamedReply) {
        if (batch.claimed().map(ProtocolVersion::modern).orElse(modernLast && conversation == null)) {
            streamedReply.end(
                    RpcError.INVALID_REQUEST.status(),
                    Map.of(),
                    RpcCodec.error(
                            UnknownRequestId.in(ProtocolVersion.V2026_07_28),
                            RpcError.INVALID_REQUEST.code(),
                            NO_BATCHES,
                            null));
        } else {
            modernLast = false;
            converse(inboundMessage, batch, streamedReply);
        }
    }

    private void modern(InboundMessage inboundMessage, RpcMessage.Request request, StreamedReply streamedReply) {
        modernLast = true;
        modernTurns.put(request.id(), streamedReply);
        if (request.method().equals(LISTEN)) {
            standing.add(streamedReply);
        }
        streamedReply.over().onComplete(_ -> {
            modernTurns.remove(request.id(), streamedReply);
            standing.remove(streamedReply);
        });
        modern.request(inboundMessage, request, streamedReply);
    }

    private void converse(InboundMessage inboundMessage, IncomingMessages incoming, StreamedReply streamedReply) {
        StreamConversation live = conversation(inboundMessage);
        if (live == null) {
            streamedReply.end(
                    RpcError.INTERNAL.status(),
                    Map.of(),
                    RpcCodec.error(
                            UnknownRequestId.answering(incoming, unknownId()),
                            RpcError.INTERNAL.code(),
                            "No more sessions can be opened now. Try again later.",
                            null));
        } else {
            live.take(inboundMessage, incoming).onComplete(_ -> streamedReply.close());
        }
    }

    private @Nullable StreamConversation conversation(InboundMessage inboundMessage) {
        StreamConversation last = conversation;
        if (last == null || last.over()) {
            Optional<StreamConversation> begun =
                    last == null ? legacy.converse(inboundMessage, stream) : last.renew(inboundMessage);
            begun.ifPresent(live -> conversation = live);
            return begun.orElse(null);
        }
        return last;
    }

    private @Nullable StreamedReply modernTurn(RpcMessage.Notification notification) {
        return notification.method().equals(CANCELLED)
                ? modernTurns.get(notification.params().path("requestId"))
                : null;
    }
}
