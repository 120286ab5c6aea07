package switchboard.protocol;

import io.vertx.core.Future;
import java.util.Set;
import switchboard.auth.Principal;

/** Passes on to other servers which of their resources clients watch. Thread-safe; never blocks. */
public interface ResourceWatching {
    /** A client that wants to be notified of changed resources. */
    interface Watcher {
        /** The principal when its stream was opened. */
        Principal principal();

        /** The name of the view it is on. */
        String view();

        /** The URIs that it watches, as its view shows them. */
        default Set<String> watched() {
            return Set.of();
        }
    }

    /** Passes nothing on. */
    ResourceWatching NONE = new ResourceWatching() {
        @Override
        public Future<Void> look() {
            return Future.succeededFuture();
        }

        @Override
        public void keep(Object client, Watcher watcher) {}

        @Override
        public void forget(Object client) {}
    };

    /**
     * What is watched, or who may read it, may have changed. Completes when the servers were asked, or after a short time;
     * never fails.
     */
    Future<Void> look();

    /** A client without a stream counts as one that watches for a short time, in which it can open one. */
    void keep(Object client, Watcher watcher);

    /** Undoes {@link #keep}. */
    void forget(Object client);
}
