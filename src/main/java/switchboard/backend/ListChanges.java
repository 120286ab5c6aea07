package switchboard.backend;

import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import java.util.Set;
import java.util.function.Predicate;
import switchboard.call.BackendEvent;
import switchboard.call.BackendEvent.DocumentsChanged;
import switchboard.call.BackendEvent.ListChanged;
import switchboard.call.BackendEvent.ResourcesUpdated;
import switchboard.call.BusAddresses;
import switchboard.call.Caller;

/**
 * Announces that the tools, prompts or resources of a backend instance have changed, so that clients with an open
 * stream list them again. Thread-safe; never blocks. Announce a change of many items once, after it can be read.
 */
public final class ListChanges {
    private final EventBus bus;
    private final String backendId;

    /** Announces changes of the instance {@code backendId}. */
    public ListChanges(EventBus bus, String backendId) {
        this.bus = bus;
        this.backendId = backendId;
    }

    /** Announces that the list of that kind has changed. */
    public void announce(ListChanged.ListType kind) {
        publish(new ListChanged(kind));
    }

    /**
     * Announces that the list has changed for {@code resource}. Only callers who may see that resource are notified.
     *
     * @param audience who of them may know of the change; must not block; it throws a {@code ToolException} for a caller who
     *     lacks a claim
     */
    public void announce(ListChanged.ListType kind, String resource, Predicate<Caller> audience) {
        publish(new ListChanged(kind, resource, audience));
    }

    /** Announces that these resources of another server have changed. Only clients that watch them are notified. */
    public void updated(Set<String> uris) {
        publish(new ResourcesUpdated(uris));
    }

    /** Announces that documents of {@code owner}'s {@code source} have been stored, changed or removed. Searches find them as they are now. */
    public void documents(String source, String owner) {
        publish(new DocumentsChanged(source, owner));
    }

    private void publish(BackendEvent changed) {
        bus.publish(BusAddresses.changes(backendId), changed, new DeliveryOptions().setLocalOnly(true));
    }
}
