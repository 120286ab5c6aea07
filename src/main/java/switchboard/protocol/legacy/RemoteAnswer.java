package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.auth.Principal;
import switchboard.call.BackendEvent.ListChanged;
import switchboard.protocol.ChangeHub;
import switchboard.protocol.InboundMessage;
import switchboard.protocol.ReplySink;
import switchboard.protocol.RpcCodec;
import switchboard.protocol.RpcError;

/**
 * A stream that is resumed here and runs on another node: asks that node for one page of messages after the other, and writes them. It asks
 * again every few seconds, so that it finds out when the node is gone; then the request is answered with an error. While the
 * database is away, a stream that is open waits. It has a place among the streams of change notifications, so that their
 * number is bounded, and ends with them. Used on the event loop of the request, except where it says otherwise.
 */
final class RemoteAnswer implements ChangeHub.Listener {
    /** How often it looks whether something is to be done. */
    private static final Duration LOOK = Duration.ofSeconds(2);

    /** It asks again after this time. */
    private static final Duration AGAIN = Duration.ofSeconds(4);

    /** A client that reads slowly is looked at again after this time. */
    private static final Duration SLOW = Duration.ofMillis(100);

    private static final String LOST =
            "The gateway that ran this request has stopped, or does not keep its answer any more. The request may or may not have been"
                    + " carried out: look, and send it again if it was not.";

    private final String id;
    private final Peers peers;
    private final EventIds.Elsewhere elsewhere;
    private final InboundMessage inboundMessage;
    private final ReplySink sink;
    private final Duration retry;
    private final Consumer<LegacyHttpException> refuse;
    private final long stream;
    private final ByteArrayOutputStream partial = new ByteArrayOutputStream();
    private ReplayBuffer.EventId after;
    private long partialNumber;
    private long askedAt;
    private boolean asking;
    private boolean askAgain;
    private boolean waiting;
    private boolean reached;
    private boolean missing;
    private boolean open;
    private boolean over;
    private ChangeHub.@Nullable Subscription place;

    /** How nodes are reached. Futures complete on any thread. */
    interface Peers {
        /** Sends {@code pull} to the node {@code target}; returns whether it runs. */
        Future<Boolean> ask(ResumeMessage.Pull pull, String target);

        /** Whether that node is gone for good. */
        Future<Boolean> gone(String target);

        /** This node. */
        String self();

        /** The stream reads no more. */
        void over(RemoteAnswer answer);
    }

    /**
     * A stream that is not resumed yet.
     *
     * @param last the last message that the client has
     */
    RemoteAnswer(
            String id,
            Peers peers,
            ReplayBuffer.EventId last,
            EventIds.Elsewhere elsewhere,
            SessionSharing.Resumption resumption,
            Duration retry) {
        this.id = id;
        this.peers = peers;
        this.elsewhere = elsewhere;
        this.inboundMessage = resumption.inboundMessage();
        this.sink = resumption.sink();
        this.refuse = resumption.refuse();
        this.retry = retry;
        this.stream = last.stream();
        this.after = last;
    }

    String id() {
        return id;
    }

    /** Begins, with a place among the streams of {@code hub} if there is one. */
    void begin(ChangeHub hub) {
        place = hub.subscribe(this).orElse(null);
        if (place == null) {
            end(() -> refuse.accept(LegacyHttpException.noStream()));
            return;
        }
        sink.onGone(this::leave);
        if (over) {
            return; // the client is gone already
        }
        pull();
        var _ = sink.after(LOOK, this::look);
    }

    private void look() {
        if (over) {
            return;
        }
        var _ = sink.after(LOOK, this::look);
        if (reached || missing) {
            openStream();
        }
        boolean again = missing || System.nanoTime() - askedAt > AGAIN.toNanos();
        if (waiting && again) {
            pull();
        }
    }

    private void openStream() {
        if (!open) {
            open = true;
            sink.open(Map.of());
            sink.resumable(after.id() + elsewhere.suffix(), retry);
        }
    }

    private ResumeMessage.Pull message(boolean last) {
        return new ResumeMessage.Pull(id, peers.self(), after, partialNumber, partial.size(), last);
    }

    private void pull() {
        waiting = true;
        if (asking) {
            askAgain = true; // a page may come before it is known that it was asked for
            return;
        }
        asking = true;
        askedAt = System.nanoTime();
        onLoop(peers.ask(message(false), elsewhere.node()), this::asked);
    }

    private <T> void onLoop(Future<T> future, Consumer<AsyncResult<T>> then) {
        Futures.settle(
                future,
                done -> sink.execute(() -> {
                    if (!over) {
                        then.accept(done);
                    }
                }),
                _ -> {});
    }

    private void asked(AsyncResult<Boolean> done) {
        asking = false;
        if (askAgain) {
            askAgain = false;
            pull();
        }
        if (done.failed()) {
            away();
        } else if (done.result()) {
            reached = true;
            missing = false;
        } else {
            onLoop(peers.gone(elsewhere.node()), this::looked);
        }
    }

    /** The database can't be reached. */
    private void away() {
        if (!open) {
            end(() -> refuse.accept(LegacyHttpException.unreachable()));
        }
    }

    /** The node does not run. What it has sent before it went is still taken. */
    private void looked(AsyncResult<Boolean> gone) {
        if (gone.failed()) {
            away();
        } else if (gone.result() && (missing || !reached)) {
            lost();
        } else {
            missing = true;
        }
    }

    /** Nothing follows. The client's request gets an error, so that it does not wait for ever. */
    private void lost() {
        JsonNode request = elsewhere.request();
        if (request.isMissingNode() && !open) {
            end(() -> refuse.accept(LegacyHttpException.nothingFollows()));
            return;
        }
        openStream();
        end(() -> {
            if (request.isMissingNode()) {
                sink.close();
            } else {
                byte[] error = RpcCodec.error(request, RpcError.UNAVAILABLE.code(), LOST, null)
                        .bytes();
                sink.end(after.next().id() + elsewhere.suffix(), error);
            }
        });
    }

    /** A page has come; on any thread. */
    void received(ResumeMessage.StreamPage page) {
        sink.execute(() -> {
            if (!over) {
                read(page);
            }
        });
    }

    private void read(ResumeMessage.StreamPage page) {
        switch (page.outlook()) {
            case UNKNOWN -> {
                if (open) {
                    lost();
                } else {
                    end(() -> refuse.accept(LegacyHttpException.nothingFollows()));
                }
            }
            case BUSY ->
                end(() -> {
                    if (open) {
                        sink.close();
                    } else {
                        refuse.accept(LegacyHttpException.noStream());
                    }
                });
            case CLOSED -> {
                openStream();
                end(sink::close);
            }
            case MORE -> {
                openStream();
                ReplayBuffer.EventId before = after;
                int begun = partial.size();
                page.parts().forEach(this::write);
                // A page that came twice asks for nothing: what follows it has been asked for.
                if (!over && !(after.equals(before) && partial.size() == begun)) {
                    goOn();
                }
            }
        }
    }

    private void write(ResumeMessage.MessagePart part) {
        if (over || part.number() <= after.number()) {
            return; // it came twice, because it was asked for twice
        }
        if (part.number() != partialNumber || part.from() == 0) {
            partial.reset();
            partialNumber = part.number();
        }
        if (part.from() != partial.size()) {
            return;
        }
        partial.writeBytes(part.text().getBytes(StandardCharsets.UTF_8));
        if (!part.whole()) {
            return;
        }
        byte[] json = partial.toByteArray();
        partial.reset();
        after = new ReplayBuffer.EventId(stream, part.number());
        String eventId = after.id() + elsewhere.suffix();
        if (part.last()) {
            end(() -> sink.end(eventId, json));
        } else {
            sink.event(eventId, json, ReplySink.Urgency.KEEP);
        }
    }

    /** Asks for more once the client has taken what there was. */
    private void goOn() {
        waiting = false;
        if (over) {
            return;
        }
        if (sink.caughtUp()) {
            pull();
        } else {
            var _ = sink.after(SLOW, this::goOn);
        }
    }

    /** The client is gone, or is to come back: the other node need not wait for more. */
    private void leave() {
        if (!over) {
            end(() -> {});
            Futures.settle(peers.ask(message(true), elsewhere.node()), _ -> {}, _ -> {});
        }
    }

    private void end(Runnable how) {
        if (!over) {
            over = true;
            peers.over(this);
            how.run();
            if (place != null) {
                place.close();
            }
        }
    }

    @Override
    public void shutdown() {
        sink.execute(() -> {
            if (over) {
                return;
            }
            leave();
            if (open) {
                sink.close();
            } else {
                refuse.accept(LegacyHttpException.noStream());
            }
        });
    }

    /** With other rights the client has to come back. */
    @Override
    public void outdated() {
        shutdown();
    }

    @Override
    public Principal principal() {
        return inboundMessage.principal();
    }

    @Override
    public String view() {
        return inboundMessage.view();
    }

    @Override
    public void changed(String backendId, ListChanged change) {
        // It is the stream of one answer.
    }

    @Override
    public void relisted(ListChanged.ListType kind) {
        // The same.
    }
}
