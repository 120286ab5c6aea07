package switchboard.cluster;

import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;

/** The messages by which nodes show each other their calls, while somebody watches. Losing one is no harm. Thread-safe. */
public final class CallMessages {
    private static final Logger LOG = LoggerFactory.getLogger(CallMessages.class);

    private final String node;
    private final String name;
    private final MessageTable messages;
    private final Supplier<Set<String>> others;
    private final BooleanSupplier reachable;
    private final Consumer<List<String>> announce;
    private volatile @Nullable CallListener listener;

    /** Takes the messages of others. Called on any thread; must not block. */
    public interface CallListener {
        /** Somebody watches at {@code node}. */
        void watched(String node, String body);

        /** Calls of {@code node}. */
        void calls(String node, String body);
    }

    /**
     * Of a node.
     *
     * @param node its id
     * @param name its name
     * @param others the nodes that run besides it
     * @param reachable whether they can be reached
     * @param announce tells nodes that they have messages
     */
    CallMessages(
            String node,
            String name,
            MessageTable messages,
            Supplier<Set<String>> others,
            BooleanSupplier reachable,
            Consumer<List<String>> announce) {
        this.node = node;
        this.name = name;
        this.messages = messages;
        this.others = others;
        this.reachable = reachable;
        this.announce = announce;
    }

    /** The id of this node. */
    public String node() {
        return node;
    }

    /** Its name: what the configuration says, else that of the host. */
    public String name() {
        return name;
    }

    /** The other nodes that run, as last seen. */
    public Set<String> others() {
        return others.get();
    }

    /** Whether messages can be sent and read now. */
    public boolean reachable() {
        return reachable.getAsBoolean();
    }

    /** Has {@code own} take what others send. */
    public void listen(CallListener own) {
        listener = own;
    }

    /** Tells all others that somebody watches here. */
    public Future<Void> watch(String body) {
        return messages.toOthers(new NodeMessage(NodeMessage.Kind.WATCH, node, body), node)
                .map(Futures.also(announce))
                .mapEmpty();
    }

    /** Sends calls of this node to {@code nodes}; returns those that get them, which others do not that are slow to read. */
    public Future<List<String>> send(String body, Set<String> nodes) {
        return messages.toReaders(new NodeMessage(NodeMessage.Kind.CALLS, node, body), nodes)
                .map(Futures.also(announce));
    }

    /** Takes a message if it is about calls; returns whether it is. */
    boolean received(NodeMessage message) {
        boolean watch = message.kind() == NodeMessage.Kind.WATCH;
        if (!watch && message.kind() != NodeMessage.Kind.CALLS) {
            return false;
        }
        CallListener own = listener;
        if (own != null) {
            try {
                if (watch) {
                    own.watched(message.session(), message.body());
                } else {
                    own.calls(message.session(), message.body());
                }
            } catch (RuntimeException e) {
                LOG.warn(
                        "what another node says of calls can't be used: {}",
                        e.getClass().getSimpleName());
            }
        }
        return true;
    }
}
