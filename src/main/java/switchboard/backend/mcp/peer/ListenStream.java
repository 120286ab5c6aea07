package switchboard.backend.mcp.peer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;

/**
 * {@code subscriptions/listen} at a server: one stream for its lists and for the watched resources. If these change, another
 * stream replaces it once the server has acknowledged that one, so that nothing is missed. A server that refuses a request is
 * asked for fewer of the resources that are new in it, until those are known that it refuses. Thread-safe.
 */
final class ListenStream {
    /** How long a request without an acknowledgement is waited for before it is replaced, in nanoseconds. */
    private static final long PATIENCE_NS = 5_000_000_000L;

    private static final String ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
    /** So many refused resources in a row have all others wait that are not known to be accepted. */
    private static final int MOST_REFUSALS = 8;

    private final JsonNode capabilities;
    private final BiFunction<ObjectNode, Consumer<ObjectNode>, Transport.Sent> opener;
    private final LongSupplier nanos;
    private final Postponed postponed;
    private Set<String> watched = Set.of();
    private Consumer<ObjectNode> notifications = _ -> {};
    private @Nullable Promise<Void> listening;
    /** The stream that the server has acknowledged. */
    private @Nullable Opened standing;
    /** The one that is to replace it. */
    private @Nullable Opened pending;

    /** How many resources are asked for that the server has not acknowledged yet. */
    private int mostNew = Integer.MAX_VALUE;

    private int refusals;
    /** Until then the server is not asked to announce less: it has just refused, or given no answer (nanoTime). */
    private long asIsUntil;
    /** Whether lists are asked for; false once the server has refused even these. */
    private boolean lists = true;
    /** Whether the server has acknowledged a stream, so that it has this method. */
    private boolean listens;
    /** Whether changes may have been missed, because there was no stream. */
    private boolean missed;

    private boolean left;

    /** A stream that was asked for. */
    private static final class Opened {
        private final Promise<Void> acknowledged = Promise.promise();
        private final Set<String> uris;
        private final long begun;
        private Runnable giveUp = () -> {};

        Opened(Set<String> uris, long begun) {
            this.uris = uris;
            this.begun = begun;
        }
    }

    /**
     * A stream of a server with these capabilities, not open yet.
     *
     * @param opener sends the request with these parameters; passes on the messages of the stream
     */
    ListenStream(
            JsonNode capabilities,
            BiFunction<ObjectNode, Consumer<ObjectNode>, Transport.Sent> opener,
            LongSupplier nanos) {
        this.capabilities = capabilities;
        this.opener = opener;
        this.nanos = nanos;
        this.postponed = new Postponed(nanos);
        this.asIsUntil = nanos.getAsLong();
    }

    /** Listens until the stream ends, as {@link Peer#listen} says. */
    synchronized Future<Void> listen(Consumer<ObjectNode> consumer) {
        if (left) {
            return Future.failedFuture(new Peer.NoStream());
        }
        Promise<Void> begun = Promise.promise();
        listening = begun;
        notifications = consumer;
        missed = true;
        settle();
        if (pending == null && !subscribable()) {
            begun.tryFail(new Peer.NoStream());
        } // else it is opened when a resource is watched
        return begun.future();
    }

    /** Asks for these resources from now on. Completes when the server has acknowledged it, or at the end of the stream. */
    synchronized Future<Void> watch(Set<String> uris) {
        watched = uris;
        postponed.retain(uris);
        return settle();
    }

    /** Ends the stream for good. */
    synchronized void leave() {
        left = true;
        end();
    }

    private void end() {
        Opened last = standing;
        Opened next = pending;
        standing = null;
        pending = null;
        end(next);
        end(last);
    }

    private static void end(@Nullable Opened opened) {
        if (opened != null) {
            opened.giveUp.run();
        }
    }

    /** Opens another stream if the one that was asked for last is not the one that is wanted. */
    private synchronized Future<Void> settle() {
        if (left || listening == null || listening.future().isComplete()) {
            return Future.succeededFuture();
        }
        Set<String> target = target();
        Opened newest = pending == null ? standing : pending;
        if (newest != null && newest.uris.equals(target)) {
            return newest.acknowledged.future();
        }
        if (pending != null && nanos.getAsLong() - pending.begun < PATIENCE_NS) {
            return settled(pending);
        }
        if (wanted(target).isEmpty()) {
            end();
            return Future.succeededFuture();
        }
        if (newest != null && newest.uris.containsAll(target) && nanos.getAsLong() - asIsUntil < 0) {
            return Future.succeededFuture(); // the server has just refused to announce less
        }
        return settled(open(target));
    }

    private Future<Void> settled(Opened opened) {
        return opened.acknowledged.future().compose(_ -> settle());
    }

    /** What is watched and was accepted, and at most {@link #mostNew} others. */
    private Set<String> target() {
        Set<String> target = new TreeSet<>();
        if (subscribable()) {
            Set<String> accepted = accepted();
            Set<String> others = new TreeSet<>();
            for (String uri : watched) {
                if (accepted.contains(uri)) {
                    target.add(uri);
                } else if (!postponed.waits(uri)) {
                    others.add(uri);
                }
            }
            others.stream().limit(mostNew).forEach(target::add);
        }
        return target;
    }

    private Set<String> accepted() {
        return standing == null ? Set.of() : standing.uris;
    }

    private Set<String> others(Set<String> uris) {
        Set<String> others = new TreeSet<>(uris);
        others.removeAll(accepted());
        return others;
    }

    private Opened open(Set<String> uris) {
        Opened slow = pending;
        Opened opened = new Opened(uris, nanos.getAsLong());
        pending = opened;
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
            ObjectNode message = answer.succeeded() ? answer.result().message() : null;
            // A status without a message is one of a proxy, if the server is known to have the method.
            boolean refused = answer.succeeded() && (message == null ? !listens : message.has("error"));
            ended(opened, refused, answer.cause());
        });
        end(slow);
        return opened;
    }

    private synchronized void acknowledged(Opened opened) {
        if (!opened.equals(pending)) {
            return;
        }
        Opened before = standing;
        standing = opened;
        pending = null;
        listens = true;
        refusals = 0;
        mostNew = mostNew > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : 2 * mostNew;
        end(before);
        if (missed) {
            opened.uris.forEach(uri -> notifications.accept(Peer.updated(uri)));
            missed = false;
        }
        opened.acknowledged.complete();
        settle();
    }

    private synchronized void ended(Opened opened, boolean refused, @Nullable Throwable why) {
        if (opened.equals(standing)) {
            standing = null;
            missed = true;
            if (pending == null) {
                over(why);
            }
        } else if (opened.equals(pending)) {
            pending = null;
            if (refused) {
                refused(opened.uris);
            } else if (standing == null) {
                over(why);
            } else { // the one before goes on
                others(opened.uris).forEach(postponed::unanswered);
                asIsUntil = nanos.getAsLong() + PATIENCE_NS;
            }
        }
        opened.acknowledged.tryComplete();
    }

    private void refused(Set<String> uris) {
        Set<String> others = others(uris);
        if (others.size() > 1) {
            mostNew = others.size() / 2;
        } else if (!others.isEmpty()) {
            refusals++;
            (refusals < MOST_REFUSALS ? others : others(watched)).forEach(postponed::refused);
            refusals %= MOST_REFUSALS;
        } else if (standing != null) {
            asIsUntil = nanos.getAsLong() + PATIENCE_NS;
        } else if (listens) {
            over(new ToolException(FailureKind.UNAVAILABLE, "it refuses to announce changes now"));
        } else if (lists) { // not even the lists: perhaps resources alone
            lists = false;
            mostNew = Integer.MAX_VALUE;
            postponed.clear();
        }
        if (standing == null && !subscribable() && !lists) {
            over(new Peer.NoStream());
        }
        settle();
    }

    private void over(@Nullable Throwable why) {
        Promise<Void> begun = listening;
        if (begun != null && why == null) {
            begun.tryComplete();
        } else if (begun != null) {
            begun.tryFail(why);
        }
    }

    private boolean subscribable() {
        return capabilities.path("resources").path("subscribe").asBoolean();
    }

    private ObjectNode wanted(Set<String> uris) {
        ObjectNode wanted = Json.object();
        for (String list : new String[] {"tools", "prompts", "resources"}) {
            if (lists && capabilities.path(list).path("listChanged").asBoolean()) {
                wanted.put(list + "ListChanged", true);
            }
        }
        if (!uris.isEmpty()) {
            uris.forEach(wanted.putArray("resourceSubscriptions")::add);
        }
        return wanted;
    }
}
