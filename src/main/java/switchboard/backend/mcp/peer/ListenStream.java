package switchboard.backend.mcp.peer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * {@code subscriptions/listen} at a server: one stream for its lists and for the watched resources. If these change, another
 * stream replaces it once the server has acknowledged that one, so that nothing is missed. Thread-safe.
 */
final class ListenStream {
    private static final String ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

    private final JsonNode capabilities;
    private final BiFunction<ObjectNode, Consumer<ObjectNode>, Transport.Sent> opener;
    private Set<String> watched = Set.of();
    private Consumer<ObjectNode> notifications = _ -> {};
    private @Nullable Promise<Void> listening;
    private @Nullable Opened current;
    /** The stream before, until {@link #current} is acknowledged. */
    private @Nullable Opened previous;

    /** A stream that was asked for. */
    private static final class Opened {
        private final Promise<Void> acknowledged = Promise.promise();
        private final Set<String> uris;
        private Runnable giveUp = () -> {};

        Opened(Set<String> uris) {
            this.uris = uris;
        }
    }

    /**
     * A stream of a server with these capabilities, not open yet.
     *
     * @param opener sends the request with these parameters; passes on the messages of the stream
     */
    ListenStream(JsonNode capabilities, BiFunction<ObjectNode, Consumer<ObjectNode>, Transport.Sent> opener) {
        this.capabilities = capabilities;
        this.opener = opener;
    }

    /** Listens until the stream ends, as {@link Peer#listen} says. */
    synchronized Future<Void> listen(Consumer<ObjectNode> consumer) {
        Promise<Void> begun = Promise.promise();
        listening = begun;
        notifications = consumer;
        previous = null;
        current = null;
        if (!wanted(watched).isEmpty()) {
            open(watched);
        } else if (!subscribable()) {
            begun.fail(new Peer.NoStream());
        } // else it is opened when a resource is watched
        return begun.future();
    }

    /** Asks for these resources from now on. Completes when the server has acknowledged it, or at the end of the stream. */
    synchronized Future<Void> watch(Set<String> uris) {
        boolean same = uris.equals(watched);
        watched = uris;
        if (listening == null || listening.future().isComplete() || !subscribable()) {
            return Future.succeededFuture();
        }
        if (same) {
            return current == null ? Future.succeededFuture() : current.acknowledged.future();
        }
        if (wanted(uris).isEmpty()) {
            leave();
            return Future.succeededFuture();
        }
        return open(uris).acknowledged.future();
    }

    /** Ends the stream. */
    synchronized void leave() {
        end(previous);
        previous = null;
        Opened last = current;
        current = null;
        end(last);
    }

    private Opened open(Set<String> uris) {
        end(previous); // at most two are open
        previous = current;
        Opened opened = new Opened(uris);
        current = opened;
        ObjectNode params = Json.object();
        params.set("notifications", wanted(uris));
        Transport.Sent sent = opener.apply(params, message -> {
            acknowledged(opened);
            if (!message.path("method").asText().equals(ACKNOWLEDGED)) {
                notifications.accept(message);
            }
        });
        opened.giveUp = sent.giveUp();
        sent.answer().onComplete(answer -> {
            boolean refused = answer.succeeded()
                    && (answer.result().message() == null
                            || answer.result().message().has("error"));
            ended(opened, refused ? new Peer.NoStream() : answer.cause());
        });
        return opened;
    }

    private synchronized void acknowledged(Opened opened) {
        if (opened.equals(current) && opened.acknowledged.tryComplete()) {
            end(previous);
            previous = null;
        }
    }

    private synchronized void ended(Opened opened, @Nullable Throwable why) {
        boolean stood = !opened.acknowledged.tryComplete();
        if (opened.equals(previous)) {
            previous = null;
        } else if (opened.equals(current)) {
            current = null;
            if (!stood && previous != null) { // the one before goes on
                current = previous;
                previous = null;
            } else if (!stood && why instanceof Peer.NoStream && !opened.uris.isEmpty() && hasLists()) {
                open(Set.of()); // then at least the lists
            } else {
                over(why);
            }
        }
    }

    private void over(@Nullable Throwable why) {
        Promise<Void> begun = listening;
        if (begun != null && why == null) {
            begun.tryComplete();
        } else if (begun != null) {
            begun.tryFail(why);
        }
    }

    private static void end(@Nullable Opened opened) {
        if (opened != null) {
            opened.giveUp.run();
        }
    }

    private boolean hasLists() {
        return !wanted(Set.of()).isEmpty();
    }

    private boolean subscribable() {
        return capabilities.path("resources").path("subscribe").asBoolean();
    }

    private ObjectNode wanted(Set<String> uris) {
        ObjectNode wanted = Json.object();
        for (String list : new String[] {"tools", "prompts", "resources"}) {
            if (capabilities.path(list).path("listChanged").asBoolean()) {
                wanted.put(list + "ListChanged", true);
            }
        }
        if (!uris.isEmpty() && subscribable()) {
            uris.stream().sorted().forEach(wanted.putArray("resourceSubscriptions")::add);
        }
        return wanted;
    }
}
