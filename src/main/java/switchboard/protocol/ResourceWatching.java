package switchboard.protocol;

import io.vertx.core.Future;
import java.util.Map;
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

        /**
         * Resources of {@code backendId}, another server, or standing questions have changed. Called on any thread: must not block.
         *
         * @param changed by URIs of {@link #watched}: what they are, or what is a part of them, as the server calls it
         */
        default void updated(String backendId, Map<String, Set<String>> changed) {}
    }

    /** Passes nothing on. */
    ResourceWatching NONE = new ResourceWatching() {
        @Override
        public void look() {}

        @Override
        public Future<Void> lookAndAsk(String view, Set<String> uris) {
            return Future.succeededFuture();
        }

        @Override
        public void updated(String backendId, Set<String> uris) {}

        @Override
        public void keep(Object client, Watcher watcher) {}

        @Override
        public void forget(Object client) {}
    };

    /**
     * Looks soon, in the background, at what clients watch and may read, and asks the servers for that. To be called when either may
     * have changed.
     */
    void look();

    /**
     * Looks, and completes when the servers that have these resources, by their URIs in {@code view}, were asked for them, or after
     * three seconds; never fails. Does nothing if {@code uris} is empty.
     */
    Future<Void> lookAndAsk(String view, Set<String> uris);

    /** Notifies the clients that watch these resources of {@code backendId}, another server, that they have changed. */
    void updated(String backendId, Set<String> uris);

    /** A client without a stream counts as one that watches for a short time, in which it can open one. */
    void keep(Object client, Watcher watcher);

    /** The client has a stream again, or its session has ended: it no longer counts as one without a stream. */
    void forget(Object client);
}
