package switchboard.backend.agentroot.schedule;

import io.vertx.core.Future;
import switchboard.call.Lifetime;
import switchboard.call.ToolReply;
import switchboard.store.Namespace;

/** The collections of a backend, as their schedule needs them. */
public interface CollectionUpdates {
    /** Whether there is such a collection now. */
    Future<Boolean> exists(Namespace collection);

    /** Updates a collection as {@code collection_update} does; never fails. */
    Future<ToolReply> update(Namespace collection, Lifetime lifetime);
}
