package switchboard.backend;

import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import switchboard.call.BackendEvent.ListChanged;
import switchboard.call.BusAddresses;

/**
 * How one instance of a backend says that its tools, prompts or resources have changed, so that clients with an open
 * stream list again. Thread-safe; never blocks. Announce once for a change of many items, after it can be read.
 */
public final class ListChanges {
    private final EventBus bus;
    private final String backendId;

    ListChanges(EventBus bus, String backendId) {
        this.bus = bus;
        this.backendId = backendId;
    }

    /** Announces that the list of that kind has changed. */
    public void announce(ListChanged.ListType kind) {
        publish(new ListChanged(kind));
    }

    /** Announces that the part of the list that belongs to {@code resource} has changed: only who may see it hears. */
    public void announce(ListChanged.ListType kind, String resource) {
        publish(new ListChanged(kind, resource));
    }

    private void publish(ListChanged changed) {
        bus.publish(BusAddresses.changes(backendId), changed, new DeliveryOptions().setLocalOnly(true));
    }
}
