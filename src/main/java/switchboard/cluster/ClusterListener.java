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

    /**
     * Compares some of this node's sessions with the table, because notices may have been lost. Called every two seconds, and each
     * time when the connection for notices is open again. Never called again before its future has completed.
     */
    Future<Void> poll();

    /** This node is about to leave; the future completes when other nodes have what they were about to get from it, or after a moment. */
    Future<Void> leaving();
}
