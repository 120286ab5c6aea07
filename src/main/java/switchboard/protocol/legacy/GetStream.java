package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Principal;
import switchboard.call.BackendEvent.ListChanged;
import switchboard.call.Json;
import switchboard.protocol.AcceptedTypes;
import switchboard.protocol.ChangeHub;
import switchboard.protocol.ChangeNotice;
import switchboard.protocol.ChangeSubscribers;
import switchboard.protocol.InboundMessage;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.ReplySink;
import switchboard.protocol.RpcCodec;
import switchboard.session.Session;
import switchboard.session.SessionStore;

/**
 * The stream that GET opens, or that is the connection: notifies a session of changed lists, and keeps it alive while
 * the client reads.
 */
final class GetStream implements ChangeHub.Listener {
    private final ProtocolServices services;
    private final SessionStore<LegacySession> sessions;
    private final SessionSharing sharing;
    private final InboundMessage inboundMessage;
    private final Session<LegacySession> session;
    private final ReplySink sink;
    private final Runnable after;
    private final ChangeSubscribers changeSubscribers;
    private ChangeHub.@Nullable Subscription subscription;
    /** Whether its principal has other rights now. */
    private boolean outdated;

    private volatile boolean written;

    /** A stream of {@code session}, not open yet; {@code after} runs once when it is over. */
    GetStream(
            ProtocolServices services,
            SessionStore<LegacySession> sessions,
            SessionSharing sharing,
            InboundMessage inboundMessage,
            Session<LegacySession> session,
            ReplySink sink,
            Runnable after) {
        this.services = services;
        this.sessions = sessions;
        this.sharing = sharing;
        this.inboundMessage = inboundMessage;
        this.session = session;
        this.sink = sink;
        this.after = after;
        this.changeSubscribers = new ChangeSubscribers(services);
    }

    /** Opens it, unless the session has one already. */
    void open() throws LegacyHttpException {
        if (!AcceptedTypes.of(inboundMessage.header("Accept")).stream()) {
            throw new LegacyHttpException(406, "Accept must allow text/event-stream.");
        }
        if (!session.state().attach(this)) {
            throw new LegacyHttpException(409, "This session has a stream already.");
        }
        subscription = services.changes().subscribe(this).orElse(null);
        if (subscription == null) {
            session.state().detach(this);
            throw new LegacyHttpException(
                    503, "No more streams can be opened now. List again from time to time instead.");
        }
        if (!sessions.hold(session)) {
            // It ended since it was looked up, when there was no stream to tell.
            letGo();
            throw LegacyHttpException.unknownSession();
        }
        services.changes().watching().forget(session.state());
        sharing.streamOpened(session);
        if (!watched().isEmpty()) {
            services.changes().watching().look();
        }
        sink.open(Map.of());
        sink.onGone(this::letGo);
        if (session.state().missedChanges()) {
            sayMissed();
        }
        session.state().takeUpdates().forEach(this::updated);
    }

    /** The shared row says now that it is open on this node. */
    void written() {
        written = true;
    }

    /** Whether the shared row has said that it is open on this node. */
    boolean isWritten() {
        return written;
    }

    /** Tells the client that it may have missed changes of any kind; on any thread. */
    void missed() {
        sink.execute(() -> {
            if (!sink.closed()) {
                sayMissed();
            }
        });
    }

    private void sayMissed() {
        for (ListChanged.ListType list : ListChanged.ListType.values()) {
            sayRelisted(list);
        }
        session.state().subscribed().stream().sorted().forEach(this::sayUpdated);
    }

    /** Sends a message that belongs to no request of the client; on any thread. */
    void deliver(byte[] json) {
        sink.execute(() -> {
            if (!sink.closed()) {
                sink.event(json, ReplySink.Urgency.KEEP);
            }
        });
    }

    @Override
    public void changed(String backendId, ListChanged change) {
        sink.execute(() -> announce(backendId, change));
    }

    @Override
    public void updated(String backendId, Map<String, Set<String>> changed) {
        sink.execute(() -> {
            if (sink.closed()) {
                session.state().keepUpdates(backendId, changed);
            } else {
                changeSubscribers.updatesFor(this, backendId, changed).forEach(this::sayUpdated);
            }
        });
    }

    @Override
    public Set<String> watched() {
        return session.state().subscribed();
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
    public void relisted(ListChanged.ListType kind) {
        sink.execute(() -> sayRelisted(kind));
    }

    @Override
    public void outdated() {
        sink.execute(() -> {
            outdated = true;
            sayRelisted(ListChanged.ListType.TOOLS);
            end();
        });
    }

    private void sayRelisted(ListChanged.ListType kind) {
        if (!sink.closed()) {
            send(ChangeNotice.method(kind), Json.object());
        }
    }

    @Override
    public void shutdown() {
        sink.execute(this::end);
    }

    private void end() {
        letGo();
        if (!sink.closed()) {
            sink.close();
        }
    }

    private void letGo() {
        if (subscription != null) {
            ChangeHub.Subscription place = subscription;
            subscription = null;
            session.state().detach(this);
            if (sessions.release(session) && !outdated) {
                services.changes()
                        .watching()
                        .keep(session.state(), session.state().watcher(principal(), view()));
            }
            sharing.streamClosed(session);
            place.close();
            after.run();
        }
    }

    private void announce(String backendId, ListChanged change) {
        if (sink.closed()
                || !changeSubscribers.isNotified(
                        inboundMessage.principal(), inboundMessage.view(), backendId, change)) {
            return;
        }
        send(ChangeNotice.method(change.kind()), Json.object());
        if (change.kind() == ListChanged.ListType.RESOURCES) {
            session.state().subscribed().stream()
                    .filter(uri -> changeSubscribers.isNotifiedOf(
                            inboundMessage.principal(), inboundMessage.view(), backendId, change, uri))
                    .sorted()
                    .forEach(this::sayUpdated);
        }
    }

    private void sayUpdated(String uri) {
        send(ChangeNotice.RESOURCE_UPDATED, Json.object().put("uri", uri));
    }

    private void send(String method, ObjectNode params) {
        sink.event(RpcCodec.notification(method, params), ReplySink.Urgency.KEEP);
    }
}
