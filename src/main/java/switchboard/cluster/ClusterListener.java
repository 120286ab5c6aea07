package switchboard.cluster;

import io.vertx.core.Future;

/** What happens on other nodes. Called on any thread; must not block. */
public interface ClusterListener {
    /** A session has ended; the future completes when this node knows. */
    Future<Void> ended(String key);

    /** A session has changed; the future completes when this node knows. */
    Future<Void> changed(String key);

    /** A message for this node. */
    void received(NodeMessage message);

    /** Notices may have been lost: everything is compared. Called every two seconds, and after a connection was lost. */
    Future<Void> poll();
}
