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

    private final Intake intake;
    private final ModernEndpoint modern;
    private final LegacyEra legacy;
    private final Inbound opening;
    private final ReplySink stream;
    private final Set<Turn> turns = new HashSet<>();
    private final Map<JsonNode, Turn> modernTurns = new HashMap<>();
    private final Set<Turn> standing = new HashSet<>();
    private final Promise<Void> finished = Promise.promise();
    private @Nullable Conversation conversation;
    private boolean finishing;
    private boolean modernLast;

    Connection(Intake intake, ModernEndpoint modern, LegacyEra legacy, Inbound opening, ReplySink stream) {
        this.intake = intake;
        this.modern = modern;
        this.legacy = legacy;
        this.opening = opening;
        this.stream = stream;
    }

    /**
     * Takes one message or batch of {@code sender}, who is who opened the connection, with the rights of today.
     *
     * @return when nothing more comes of it; never fails
     */
    public Future<Void> take(Principal sender, byte[] message) {
        Inbound inbound =
                new Inbound(opening.view(), opening.transport(), sender, opening.address(), opening.headers(), message);
        Turn turn = new Turn(stream);
        turns.add(turn);
        turn.over().onComplete(_ -> {
            turns.remove(turn);
            settle();
        });
        intake.read(inbound, turn, this::unknownId).ifPresent(body -> route(inbound, body, turn));
        return turn.over();
    }

    /** Answers a message that could not be taken, in words that say why. */
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
        Set.copyOf(standing).forEach(Turn::takeBack);
        settle();
        return finished.future();
    }

    /** The client is gone: whatever is under way is given up. */
    public void lost() {
        Set.copyOf(turns).forEach(Turn::takeBack);
        if (conversation != null) {
            conversation.end();
        }
    }

    /** By the revision of the last message: a client speaks one. */
    private JsonNode unknownId() {
        Conversation live = conversation;
        ProtocolVersion agreed = live == null ? ProtocolVersion.ASSUMED : live.version();
        return UnknownId.in(modernLast ? ProtocolVersion.V2026_07_28 : agreed);
    }

    private void settle() {
        if (finishing && turns.isEmpty()) {
            finished.tryComplete();
        }
    }

    private void route(Inbound inbound, JsonNode body, Turn turn) {
        if (body.isArray()) {
            batch(inbound, body, turn);
            return;
        }
        switch (RpcCodec.decode(body)) {
            case RpcMessage.Request request when Meta.claims(request.params()) -> modern(inbound, request, turn);
            case RpcMessage.Notification notification
            when modernTurn(notification) instanceof Turn cancelled -> {
                cancelled.takeBack();
                turn.close();
            }
            case RpcMessage.Notification notification
            when Meta.claims(notification.params()) -> modern.notification(inbound, notification, turn);
            case RpcMessage.Malformed malformed ->
                turn.end(RpcError.INVALID_REQUEST.status(), Map.of(), RpcCodec.malformed(malformed, unknownId()));
            case RpcMessage.Request _ -> {
                modernLast = false;
                converse(inbound, body, turn);
            }
            case RpcMessage.Notification _, RpcMessage.Response _ -> converse(inbound, body, turn);
        }
    }

    private void batch(Inbound inbound, JsonNode batch, Turn turn) {
        boolean modern =
                UnknownId.claimed(batch).map(ProtocolVersion::modern).orElse(modernLast && conversation == null);
        if (modern) {
            turn.end(
                    RpcError.INVALID_REQUEST.status(),
                    Map.of(),
                    RpcCodec.error(
                            UnknownId.in(ProtocolVersion.V2026_07_28),
                            RpcError.INVALID_REQUEST.code(),
                            NO_BATCHES,
                            null));
        } else {
            modernLast = false;
            converse(inbound, batch, turn);
        }
    }

    private void modern(Inbound inbound, RpcMessage.Request request, Turn turn) {
        modernLast = true;
        modernTurns.put(request.id(), turn);
        if (request.method().equals(LISTEN)) {
            standing.add(turn);
        }
        turn.over().onComplete(_ -> {
            modernTurns.remove(request.id(), turn);
            standing.remove(turn);
        });
        modern.request(inbound, request, turn);
    }

    private void converse(Inbound inbound, JsonNode body, Turn turn) {
        Conversation live = conversation(inbound);
        if (live == null) {
            turn.end(
                    RpcError.INTERNAL.status(),
                    Map.of(),
                    RpcCodec.error(
                            UnknownId.answering(body, unknownId()),
                            RpcError.INTERNAL.code(),
                            "No more sessions can be opened now. Try again later.",
                            null));
        } else {
            live.take(inbound, body).onComplete(_ -> turn.close());
        }
    }

    private @Nullable Conversation conversation(Inbound inbound) {
        Conversation last = conversation;
        if (last == null || last.over()) {
            Optional<Conversation> begun = last == null ? legacy.converse(inbound, stream) : last.renew(inbound);
            begun.ifPresent(live -> conversation = live);
            return begun.orElse(null);
        }
        return last;
    }

    private @Nullable Turn modernTurn(RpcMessage.Notification notification) {
        return notification.method().equals(CANCELLED)
                ? modernTurns.get(notification.params().path("requestId"))
                : null;
    }
}
