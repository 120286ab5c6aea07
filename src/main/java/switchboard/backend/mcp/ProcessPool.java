package switchboard.backend.mcp;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.backend.mcp.peer.DeclaredCapabilities;
import switchboard.backend.mcp.peer.Peer;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.concurrent.TeamShare;

/**
 * Keeps a process for each principal, so that the state, questions and messages of a server belong to that principal; for a
 * server up to 2025-11-25 also for what the principal's client declares. The process that lists are read from also serves the first
 * principal whose client declares the same. If there are several teams, each may only use
 * its share of processes. A process with a cancelled call gets no further calls, and is stopped when those under way
 * are done. Thread-safe.
 */
final class ProcessPool implements UpstreamCalls {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessPool.class);

    /** When a refused caller may try again, in milliseconds. */
    private static final long RETRY_AFTER_MS = 1_000;

    /** A principal with this many processes ends an idle one of its own before it gets another. */
    private static final int OF_PRINCIPAL = 2;

    /**
     * The owner of a process.
     *
     * @param team the team whose share it is part of
     */
    private record ProcessOwner(String team, Caller.Identity caller, DeclaredCapabilities declared) {
        boolean sameCaller(ProcessOwner other) {
            return caller.equals(other.caller);
        }

        /** A modern server hears with each request what the client can do. */
        static ProcessOwner of(CallContext context, boolean modern) {
            Caller caller = context.caller();
            DeclaredCapabilities declared =
                    modern ? DeclaredCapabilities.LISTING : DeclaredCapabilities.of(context.client());
            return new ProcessOwner(caller.chargedTeam(), caller.identity(), declared);
        }
    }

    /** A process and its calls; guarded by this object. */
    private static final class ProcessSlot {
        private final ProcessOwner owner;
        private final Upstream.PeerConnection connection;
        private int calls;
        private boolean retired;
        private long timer = -1;

        ProcessSlot(ProcessOwner owner, Upstream.PeerConnection connection) {
            this.owner = owner;
            this.connection = connection;
        }
    }

    private final String id;
    private final Vertx vertx;
    private final ProcessTransportFactory transports;
    private final Upstream upstream;
    private final int most;
    private final Duration idle;
    private final TeamShare share;
    /** By owner, in the order of last use. */
    private final Map<ProcessOwner, ProcessSlot> slots = new LinkedHashMap<>(16, 0.75f, true);

    /** All processes that have not ended, including those that only finish their calls. */
    private final Set<ProcessSlot> live = new LinkedHashSet<>();

    private boolean closed;

    /**
     * A pool of processes in addition to the one of {@code upstream}.
     *
     * @param bounds maximum number of those that serve callers, and how long an idle process is kept
     * @param share the part of them that one team may use
     */
    ProcessPool(
            String id,
            Vertx vertx,
            ProcessTransportFactory transports,
            Upstream upstream,
            McpSettings.ProcessSettings bounds,
            TeamShare share) {
        this.id = id;
        this.vertx = vertx;
        this.transports = transports;
        this.upstream = upstream;
        this.most = bounds.most();
        this.idle = bounds.idle();
        this.share = share;
    }

    @Override
    public <T> Future<T> use(CallContext context, Function<Peer, Future<T>> call) {
        return upstream.modern()
                .compose(modern -> slot(ProcessOwner.of(context, modern)))
                .compose(slot -> used(slot, context, call));
    }

    private <T> Future<T> used(ProcessSlot slot, CallContext context, Function<Peer, Future<T>> call) {
        return slot.connection
                .peer()
                .compose(peer -> context.cancelled()
                        ? Future.<T>failedFuture(new ToolException(FailureKind.CANCELLED, "Cancelled before it began."))
                        : call.apply(peer))
                .onComplete(_ -> release(slot));
    }

    @Override
    public synchronized Future<Void> close() {
        closed = true;
        slots.values().forEach(slot -> vertx.cancelTimer(slot.timer));
        slots.clear();
        live.clear();
        return Future.succeededFuture(); // Their processes are ended with all others.
    }

    /** The process of {@code owner}, with one more call. */
    private synchronized Future<ProcessSlot> slot(ProcessOwner owner) {
        ProcessSlot known = slots.get(owner);
        if (known != null) {
            return Future.succeededFuture(taken(known));
        }
        Upstream.PeerConnection main = upstream.connection();
        if (closed || main == null) {
            return Future.failedFuture(upstream.unavailable());
        }
        Optional<Future<ProcessSlot>> instead = insteadOfAnother(owner);
        if (instead.isPresent()) {
            return instead.get();
        }
        if (live.stream().filter(slot -> slot.owner.team.equals(owner.team)).count() >= share.of(most)) {
            return idle(slot -> slot.owner.team.equals(owner.team))
                    .map(slot -> end(slot).compose(_ -> slot(owner)))
                    .orElseGet(() -> overloaded("All " + share.of(most) + " processes of " + id
                            + " that one team may have are busy with other callers of your team."));
        }
        boolean free = unclaimed(main);
        boolean fits = free && owner.declared.equals(DeclaredCapabilities.LISTING);
        if (fits && main.transport().doubtful().isComplete()) {
            return upstream.replace(main).compose(_ -> slot(owner));
        }
        if (transports.serving() < (free ? most + 1 : most)) {
            return fits ? Future.succeededFuture(begun(owner, main)) : another(owner);
        }
        return idle(_ -> true)
                .map(slot -> end(slot).compose(_ -> slot(owner)))
                .orElseGet(() -> overloaded("All " + most + " processes of " + id + " are busy with other callers."));
    }

    /**
     * If the principal has {@link #OF_PRINCIPAL} processes: a new one after an idle one of its own has ended, or {@code OVERLOADED}
     * if it may have no more; empty if it may have another.
     */
    private Optional<Future<ProcessSlot>> insteadOfAnother(ProcessOwner owner) {
        long own = live.stream().filter(slot -> slot.owner.sameCaller(owner)).count();
        if (own < OF_PRINCIPAL) {
            return Optional.empty();
        }
        return idle(slot -> slot.owner.sameCaller(owner))
                .map(slot -> end(slot).compose(_ -> slot(owner)))
                .or(() -> own < Math.max(OF_PRINCIPAL, most / 2)
                        ? Optional.empty()
                        : Optional.of(overloaded("All " + own + " processes of " + id
                                + " that one caller may have are busy with your other calls.")));
    }

    /** The least recently used process without calls. */
    private Optional<ProcessSlot> idle(Predicate<ProcessSlot> among) {
        return slots.values().stream()
                .filter(slot -> slot.calls == 0 && among.test(slot))
                .findFirst();
    }

    private Future<ProcessSlot> another(ProcessOwner owner) {
        try {
            return Future.succeededFuture(begun(owner, upstream.another(owner.declared)));
        } catch (ToolException e) {
            return Future.failedFuture(e);
        }
    }

    private static Future<ProcessSlot> overloaded(String why) {
        return Future.failedFuture(
                new ToolException(ToolReply.failed(FailureKind.OVERLOADED, why + " Try again in a moment.")
                        .withRetryAfterMs(RETRY_AFTER_MS)));
    }

    private boolean unclaimed(Upstream.PeerConnection connection) {
        return slots.values().stream().noneMatch(slot -> slot.connection.equals(connection));
    }

    private ProcessSlot taken(ProcessSlot slot) {
        vertx.cancelTimer(slot.timer);
        slot.calls++;
        return slot;
    }

    private ProcessSlot begun(ProcessOwner owner, Upstream.PeerConnection connection) {
        ProcessSlot slot = new ProcessSlot(owner, connection);
        slots.put(owner, slot);
        live.add(slot);
        connection.transport().doubtful().onComplete(_ -> retire(slot));
        connection.transport().broken().onComplete(_ -> retire(slot));
        connection.peer().onFailure(_ -> retire(slot));
        return taken(slot);
    }

    private synchronized void release(ProcessSlot slot) {
        slot.calls--;
        if (slot.calls > 0 || closed) {
            return;
        }
        if (slot.retired) {
            ended(slot);
        } else {
            slot.timer = vertx.setTimer(idle.toMillis(), _ -> idled(slot));
        }
    }

    private synchronized void idled(ProcessSlot slot) {
        if (slot.calls == 0 && !slot.retired && !slot.connection.equals(upstream.connection())) {
            LOG.debug("a process of {} was idle", id);
            end(slot);
        }
    }

    /** Stops an idle process; completes when it has ended and its permit is free. */
    private Future<Void> end(ProcessSlot slot) {
        slots.remove(slot.owner, slot);
        slot.retired = true;
        return upstream.replace(slot.connection).compose(_ -> ended(slot));
    }

    /** Stops the process of a slot that accepts no more calls. */
    private synchronized Future<Void> ended(ProcessSlot slot) {
        live.remove(slot);
        return transports.end(slot.connection.transport());
    }

    /** Gives a process no further calls. */
    private synchronized void retire(ProcessSlot slot) {
        if (slot.retired || closed) {
            return;
        }
        slots.remove(slot.owner, slot);
        slot.retired = true;
        vertx.cancelTimer(slot.timer);
        Future<Void> replaced = slot.connection.transport().broken().isComplete()
                        || slot.connection.peer().failed()
                ? Future.succeededFuture() // The upstream notices itself, and knows when to try again.
                : upstream.replace(slot.connection);
        if (slot.calls == 0) {
            replaced.onComplete(_ -> ended(slot));
        }
    }
}
