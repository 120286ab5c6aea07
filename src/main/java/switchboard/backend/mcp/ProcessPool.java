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
import switchboard.backend.mcp.peer.Peer;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.concurrent.TeamShare;

/**
 * Keeps a process for each principal, so that the state, questions and messages of a server belong to that principal.
 * The process that lists are read from also serves the first principal. If there are several teams, each may only use
 * its share of processes. A process with a cancelled call gets no further calls, and is stopped when those under way
 * are done. Thread-safe.
 */
final class ProcessPool implements UpstreamCalls {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessPool.class);

    /** When a refused caller may try again, in milliseconds. */
    private static final long RETRY_AFTER_MS = 1_000;

    /** The owner of a process. */
    private record ProcessOwner(String team, String principal) {
        static ProcessOwner of(Caller caller) {
            return new ProcessOwner(caller.team(), caller.principal());
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
    private final Map<ProcessOwner, ProcessSlot> seats = new LinkedHashMap<>(16, 0.75f, true);

    /** All processes that have not ended, including those that only finish their calls. */
    private final Set<ProcessSlot> live = new LinkedHashSet<>();

    private boolean closed;

    /**
     * ProcessPool in addition to that of {@code upstream}.
     *
     * @param bounds maximum number, including that one, and how long an idle process is kept
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
        return seat(ProcessOwner.of(context.caller())).compose(seat -> seat.connection
                .peer()
                .compose(peer -> context.cancelled()
                        ? Future.<T>failedFuture(new ToolException(FailureKind.CANCELLED, "Cancelled before it began."))
                        : call.apply(peer))
                .onComplete(_ -> release(seat)));
    }

    @Override
    public synchronized void close() {
        closed = true;
        seats.values().forEach(seat -> vertx.cancelTimer(seat.timer));
        seats.clear();
        live.clear();
    }

    /** The process of {@code owner}, with one more call. */
    private synchronized Future<ProcessSlot> seat(ProcessOwner owner) {
        ProcessSlot known = seats.get(owner);
        if (known != null) {
            return Future.succeededFuture(taken(known));
        }
        Upstream.PeerConnection main = upstream.connection();
        if (closed || main == null) {
            return Future.failedFuture(upstream.unavailable());
        }
        if (live.stream().filter(seat -> seat.owner.team.equals(owner.team)).count() >= share.of(most)) {
            return idle(seat -> seat.owner.team.equals(owner.team))
                    .map(seat -> end(seat).compose(_ -> seat(owner)))
                    .orElseGet(() -> overloaded("All " + share.of(most) + " processes of " + id
                            + " that one team may have are busy with other callers of your team."));
        }
        boolean free = unclaimed(main);
        if (free && main.transport().doubtful().isComplete()) {
            return upstream.replace(main).compose(_ -> seat(owner));
        }
        if (transports.serving() < (free ? most + 1 : most)) {
            return free ? Future.succeededFuture(begun(owner, main)) : another(owner);
        }
        return idle(_ -> true)
                .map(seat -> end(seat).compose(_ -> seat(owner)))
                .orElseGet(() -> overloaded("All " + most + " processes of " + id + " are busy with other callers."));
    }

    /** The least recently used process without calls. */
    private Optional<ProcessSlot> idle(Predicate<ProcessSlot> among) {
        return seats.values().stream()
                .filter(seat -> seat.calls == 0 && among.test(seat))
                .findFirst();
    }

    private Future<ProcessSlot> another(ProcessOwner owner) {
        try {
            return Future.succeededFuture(begun(owner, upstream.another()));
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
        return seats.values().stream().noneMatch(seat -> seat.connection.equals(connection));
    }

    private ProcessSlot taken(ProcessSlot seat) {
        vertx.cancelTimer(seat.timer);
        seat.calls++;
        return seat;
    }

    private ProcessSlot begun(ProcessOwner owner, Upstream.PeerConnection connection) {
        ProcessSlot seat = new ProcessSlot(owner, connection);
        seats.put(owner, seat);
        live.add(seat);
        connection.transport().doubtful().onComplete(_ -> retire(seat));
        connection.transport().broken().onComplete(_ -> retire(seat));
        connection.peer().onFailure(_ -> retire(seat));
        return taken(seat);
    }

    private synchronized void release(ProcessSlot seat) {
        seat.calls--;
        if (seat.calls > 0 || closed) {
            return;
        }
        if (seat.retired) {
            ended(seat);
        } else {
            seat.timer = vertx.setTimer(idle.toMillis(), _ -> idled(seat));
        }
    }

    private synchronized void idled(ProcessSlot seat) {
        if (seat.calls == 0 && !seat.retired && !seat.connection.equals(upstream.connection())) {
            LOG.debug("a process of {} was idle", id);
            end(seat);
        }
    }

    /** Stops an idle process; completes when it has ended and its permit is free. */
    private Future<Void> end(ProcessSlot seat) {
        seats.remove(seat.owner, seat);
        seat.retired = true;
        return upstream.replace(seat.connection).compose(_ -> ended(seat));
    }

    /** Stops the process of a seat that accepts no more calls. */
    private synchronized Future<Void> ended(ProcessSlot seat) {
        live.remove(seat);
        return transports.end(seat.connection.transport());
    }

    /** Gives a process no further calls. */
    private synchronized void retire(ProcessSlot seat) {
        if (seat.retired || closed) {
            return;
        }
        seats.remove(seat.owner, seat);
        seat.retired = true;
        vertx.cancelTimer(seat.timer);
        Future<Void> replaced = seat.connection.transport().broken().isComplete()
                        || seat.connection.peer().failed()
                ? Future.succeededFuture() // The upstream notices itself, and knows when to try again.
                : upstream.replace(seat.connection);
        if (seat.calls == 0) {
            replaced.onComplete(_ -> ended(seat));
        }
    }
}
