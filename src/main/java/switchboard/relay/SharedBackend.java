package switchboard.relay;

import static switchboard.async.Futures.also;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.backend.Backend;
import switchboard.backend.DeclaredTool;
import switchboard.backend.ExclusiveBackend;
import switchboard.backend.PromptProvider;
import switchboard.backend.ResourceProvider;
import switchboard.backend.SearchProvider;
import switchboard.backend.ToolHandler;
import switchboard.call.BackendCall;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Health;
import switchboard.call.NotOwnerException;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/**
 * A backend whose data several processes use. The process that owns the data serves the others, and they send it their
 * calls. The first one to notice that the owner is gone, in a call or in the periodic health check, takes over the
 * data.
 */
public final class SharedBackend implements Backend {
    private static final Logger LOG = LoggerFactory.getLogger(SharedBackend.class);

    /** Maximum number of attempts, because an owner that starts or stops needs a moment. */
    private static final int ATTEMPTS = 50;

    private static final int PAUSE_MS = 100;

    private sealed interface Ownership {
        record NoOwner() implements Ownership {}

        record LocalOwner() implements Ownership {}

        record RemoteOwner(OwnerConnection owner) implements Ownership {}
    }

    private final Vertx vertx;
    private final String type;
    private final String id;
    private final ExclusiveBackend own;
    private final RelayServer server;
    private final Predicate<BackendRequest> repeatable;
    private volatile Ownership state = new Ownership.NoOwner();
    private volatile boolean stopped;
    private @Nullable Future<Void> settling;

    /**
     * A backend that is not started yet.
     *
     * @param type the backend's type
     * @param id its id in this process
     * @param own the backend that works on the data itself
     * @param server accepts the calls of other processes
     * @param repeatable which requests may be repeated safely, because they change nothing
     */
    public SharedBackend(
            Vertx vertx,
            String type,
            String id,
            ExclusiveBackend own,
            RelayServer server,
            Predicate<BackendRequest> repeatable) {
        this.vertx = vertx;
        this.type = type;
        this.id = id;
        this.own = own;
        this.server = server;
        this.repeatable = repeatable;
    }

    @Override
    public Future<Void> start() {
        return settle();
    }

    @Override
    public Future<Void> stop() {
        stopped = true;
        server.withdraw(type, id);
        Future<Void> left =
                switch (state) {
                    case Ownership.RemoteOwner(OwnerConnection owner) -> owner.close();
                    case Ownership.LocalOwner _, Ownership.NoOwner _ -> Future.succeededFuture();
                };
        state = new Ownership.NoOwner();
        return left.eventually(own::stop);
    }

    @Override
    public Future<Health> health() {
        return switch (state) {
            case Ownership.LocalOwner _ -> own.health();
            case Ownership.NoOwner _ ->
                stopped
                        ? Future.succeededFuture(Health.down("closed"))
                        // Also if the owner did not answer for so long that the last attempt ended.
                        : settle().compose(_ -> health())
                                .otherwise(failure -> Health.down(String.valueOf(failure.getMessage())));
            case Ownership.RemoteOwner there ->
                there.owner()
                        .ping()
                        .map(_ -> Health.up("up, in the process that owns the data"))
                        .recover(_ -> leave(there).compose(_ -> settle()).compose(_ -> health()))
                        .otherwise(failure -> Health.down(String.valueOf(failure.getMessage())));
        };
    }

    @Override
    public Future<BackendReply> answer(BackendCall call, CallContext context, Supplier<Future<BackendReply>> here) {
        return switch (state) {
            case Ownership.LocalOwner _ -> here.get();
            case Ownership.NoOwner _ -> Future.failedFuture(unavailable("is not ready"));
            case Ownership.RemoteOwner there ->
                there.owner()
                        .send(call, context)
                        .recover(failure -> failure instanceof OwnerUnavailableException gone && !context.cancelled()
                                ? again(there, gone, call, context, here)
                                : Future.failedFuture(failure));
        };
    }

    private Future<BackendReply> again(
            Ownership.RemoteOwner there,
            OwnerUnavailableException gone,
            BackendCall call,
            CallContext context,
            Supplier<Future<BackendReply>> here) {
        return leave(there)
                .compose(_ -> settle())
                .recover(failure -> Future.failedFuture(
                        unavailable("is owned by a process that does not answer: " + failure.getMessage())))
                .compose(_ -> gone.reached() && !repeatable.test(call.request())
                        ? Future.failedFuture(unavailable(
                                "changed its owner during the call. Acknowledged changes are kept. Check whether this call"
                                        + " was carried out, and call again if not"))
                        : answer(call, context, here));
    }

    private ToolException unavailable(String what) {
        return new ToolException(FailureKind.UNAVAILABLE, "The data of " + id + " " + what + ".");
    }

    /** Forgets an owner that is gone. Repeated calls do nothing. */
    private synchronized Future<Void> leave(Ownership.RemoteOwner there) {
        if (!state.equals(there)) {
            return Future.succeededFuture();
        }
        LOG.info("{}: the process that owned the data is gone", id);
        state = new Ownership.NoOwner();
        settling = null;
        return there.owner().close();
    }

    /** Takes the data or finds its owner; one attempt at a time. */
    private synchronized Future<Void> settle() {
        Future<Void> under = settling;
        if (under == null || under.failed()) {
            Promise<Void> promise = Promise.promise();
            under = promise.future();
            settling = under;
            attempt(ATTEMPTS).onComplete(promise);
        }
        return under;
    }

    private Future<Void> attempt(int left) {
        if (stopped) {
            return Future.failedFuture(unavailable("is closed"));
        }
        return own.start()
                .compose(_ -> owned())
                .recover(failure -> failure instanceof NotOwnerException elsewhere
                        ? join(elsewhere).recover(_ -> later(elsewhere, left))
                        : Future.failedFuture(failure));
    }

    private Future<Void> owned() {
        if (stopped) {
            return own.stop();
        }
        state = new Ownership.LocalOwner();
        return server.offer(type, id)
                .compose(address -> own.announce(address.text()))
                .onFailure(failure -> LOG.warn("{}: other processes can't use the data: {}", id, failure.toString()))
                .otherwiseEmpty();
    }

    private Future<Void> join(NotOwnerException elsewhere) {
        Optional<OwnerConnection> owner = elsewhere
                .address()
                .flatMap(OwnerAddress::parse)
                .filter(address -> address.url().getPath().startsWith(RelayServer.path(type, "")))
                .map(address -> new OwnerConnection(vertx, address));
        if (owner.isEmpty()) {
            return Future.failedFuture(elsewhere);
        }
        return owner.get().ping().onFailure(_ -> owner.get().close()).map(also(_ -> {
            LOG.info(
                    "{}: another process owns the data; calls go to {}",
                    id,
                    owner.get().address());
            state = new Ownership.RemoteOwner(owner.get());
        }));
    }

    private Future<Void> later(NotOwnerException elsewhere, int left) {
        return left <= 1
                ? Future.failedFuture(elsewhere)
                : vertx.timer(PAUSE_MS, TimeUnit.MILLISECONDS).compose(_ -> attempt(left - 1));
    }

    @Override
    public Future<ToolReply> maintain(BackendRequest.Maintain.Chore chore, CallContext context) {
        return own.maintain(chore, context);
    }

    @Override
    public List<ToolHandler<?>> tools() {
        return own.tools();
    }

    @Override
    public List<DeclaredTool> declaredTools() {
        return own.declaredTools();
    }

    @Override
    public Set<String> gates() {
        return own.gates();
    }

    @Override
    public Optional<ResourceProvider> resources() {
        return own.resources();
    }

    @Override
    public Optional<SearchProvider> search() {
        return own.search();
    }

    @Override
    public Optional<PromptProvider> prompts() {
        return own.prompts();
    }

    @Override
    public Concurrency concurrency() {
        return own.concurrency();
    }
}
