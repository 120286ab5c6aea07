package switchboard.relay;

import static switchboard.async.Futures.also;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.backend.ExclusiveBackend;
import switchboard.call.FailureKind;
import switchboard.call.NotOwnerException;
import switchboard.call.ToolException;

/**
 * Which process owns a backend's data: this one, another one, or none that answers. Finds out, and takes the data over if
 * nobody has it. The lock of the data folder decides between processes that want it at the same time. Thread-safe.
 */
final class DataOwner {
    private static final Logger LOG = LoggerFactory.getLogger(DataOwner.class);

    /** How long one search for the owner lasts: an owner that stops finishes what is under way first. */
    private static final Duration LONGEST = Duration.ofSeconds(20);

    private static final int PAUSE_MS = 100;
    private static final long ANNOUNCE_AGAIN_MS = 10_000;

    /** The owner, as far as this process knows. */
    sealed interface Ownership {
        /** No process that answers. */
        record NoOwner() implements Ownership {}

        /** This process. */
        record LocalOwner() implements Ownership {}

        /** Another process. */
        record RemoteOwner(OwnerConnection owner) implements Ownership {}
    }

    private final Vertx vertx;
    private final String type;
    private final String id;
    private final ExclusiveBackend own;
    private final RelayServer server;
    private volatile Ownership state = new Ownership.NoOwner();
    private volatile boolean stopped;
    private @Nullable Future<Void> settling;
    private @Nullable OwnerConnection connection;

    DataOwner(Vertx vertx, String type, String id, ExclusiveBackend own, RelayServer server) {
        this.vertx = vertx;
        this.type = type;
        this.id = id;
        this.own = own;
        this.server = server;
    }

    Ownership now() {
        return state;
    }

    boolean stopped() {
        return stopped;
    }

    /**
     * Takes the data or finds its owner; one search at a time, which all who call this share.
     *
     * @return fails with a {@link NotOwnerException} if another process has the data and does not answer
     */
    synchronized Future<Void> settle() {
        Future<Void> under = settling;
        if (under == null || under.failed()) {
            Promise<Void> promise = Promise.promise();
            under = promise.future();
            settling = under;
            attempt(System.nanoTime() + LONGEST.toNanos()).onComplete(promise);
        }
        return under;
    }

    /**
     * Forgets an owner that refuses calls or does not answer. Calls that it has are not cut off: it may only be slow.
     * Repeated calls do nothing.
     */
    synchronized void leave(Ownership.RemoteOwner there) {
        if (state.equals(there)) {
            LOG.info("{}: the process that owns the data is gone, or does not answer", id);
            state = new Ownership.NoOwner();
            settling = null;
        }
    }

    /** Leaves the data to others. */
    Future<Void> stop() {
        server.withdraw(type, id);
        OwnerConnection open = closed();
        return (open == null ? Future.<Void>succeededFuture() : open.close()).eventually(own::stop);
    }

    private synchronized @Nullable OwnerConnection closed() {
        stopped = true;
        state = new Ownership.NoOwner();
        settling = Future.failedFuture(isClosed());
        OwnerConnection open = connection;
        connection = null;
        return open;
    }

    private ToolException isClosed() {
        return new ToolException(FailureKind.UNAVAILABLE, "The data of " + id + " is closed.");
    }

    private Future<Void> attempt(long end) {
        if (stopped) {
            return Future.failedFuture(isClosed());
        }
        return own.start()
                .compose(_ -> owned())
                .recover(failure -> failure instanceof NotOwnerException elsewhere
                        ? join(elsewhere).recover(_ -> later(elsewhere, end))
                        : Future.failedFuture(failure));
    }

    private Future<Void> owned() {
        if (!become(new Ownership.LocalOwner(), null)) {
            return own.stop();
        }
        return announce().otherwiseEmpty();
    }

    /** Tells other processes where the owner is, as soon as that is possible: the disk may be full, for example. */
    private Future<Void> announce() {
        return server.offer(type, id)
                .compose(address -> own.announce(address.text()))
                .onFailure(failure -> {
                    LOG.warn("{}: other processes can't use the data: {}", id, failure.toString());
                    vertx.setTimer(ANNOUNCE_AGAIN_MS, _ -> {
                        if (state instanceof Ownership.LocalOwner) {
                            announce();
                        }
                    });
                });
    }

    private Future<Void> join(NotOwnerException elsewhere) {
        Optional<OwnerConnection> owner = elsewhere
                .address()
                .flatMap(OwnerAddress::parse)
                .filter(address -> address.url().getPath().startsWith(RelayServer.path(type, "")))
                .map(this::connection);
        if (owner.isEmpty()) {
            return Future.failedFuture(elsewhere);
        }
        return owner.get().ping().onFailure(_ -> discard(owner.get())).map(also(_ -> {
            LOG.info(
                    "{}: another process owns the data; calls go to {}",
                    id,
                    owner.get().address());
            if (!become(new Ownership.RemoteOwner(owner.get()), owner.get())) {
                owner.get().close();
            }
        }));
    }

    /** The connection to the process at {@code address}: the one that is there, if it is the same process. */
    private synchronized OwnerConnection connection(OwnerAddress address) {
        OwnerConnection open = connection;
        return open != null && open.address().equals(address) ? open : new OwnerConnection(vertx, address);
    }

    private synchronized void discard(OwnerConnection tried) {
        if (connection != tried) {
            tried.close();
        }
    }

    /** Whether it becomes so: not after a stop. */
    private synchronized boolean become(Ownership next, @Nullable OwnerConnection way) {
        if (stopped) {
            return false;
        }
        state = next;
        OwnerConnection before = connection;
        connection = way;
        if (before != null && before != way) {
            before.retire();
        }
        return true;
    }

    private Future<Void> later(NotOwnerException elsewhere, long end) {
        return end - System.nanoTime() <= 0
                ? Future.failedFuture(elsewhere)
                : vertx.timer(PAUSE_MS, TimeUnit.MILLISECONDS).compose(_ -> attempt(end));
    }
}
