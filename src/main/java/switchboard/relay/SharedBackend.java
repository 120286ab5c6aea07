package switchboard.relay;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import switchboard.backend.Backend;
import switchboard.backend.DeclaredTool;
import switchboard.backend.ExclusiveBackend;
import switchboard.backend.PromptProvider;
import switchboard.backend.ResourceProvider;
import switchboard.backend.ScheduleProvider;
import switchboard.backend.SearchProvider;
import switchboard.backend.ToolHandler;
import switchboard.call.BackendCall;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.Health;
import switchboard.call.ToolReply;
import switchboard.relay.DataOwner.Ownership;

/**
 * A backend whose data several processes use. The process that owns the data serves the others, and they send it their
 * calls on connections that are kept. The first one to notice that the owner is gone, in a call or in the periodic
 * health check, takes over the data; calls wait for that.
 */
public final class SharedBackend implements Backend {
    private static final Health UP_ELSEWHERE = Health.up("up, in the process that owns the data");

    /** How long a health check waits for an owner. The search goes on after that. */
    private static final long HEALTH_WAIT_MS = 2_000;

    private final Vertx vertx;
    private final String id;
    private final ExclusiveBackend own;
    private final Predicate<BackendRequest> repeatable;
    private final DataOwner owner;

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
        this.id = id;
        this.own = own;
        this.repeatable = repeatable;
        this.owner = new DataOwner(vertx, type, id, own, server);
    }

    @Override
    public Future<Void> start() {
        return owner.settle();
    }

    @Override
    public Future<Void> stop() {
        return owner.stop();
    }

    @Override
    public Future<Health> health() {
        return switch (owner.now()) {
            case Ownership.LocalOwner _ -> own.health();
            case Ownership.NoOwner _ ->
                owner.stopped()
                        ? Future.succeededFuture(Health.down("closed"))
                        // Also if the owner did not answer for so long that the last search ended.
                        : settled();
            case Ownership.RemoteOwner there ->
                there.owner().ping().map(_ -> UP_ELSEWHERE).recover(_ -> {
                    owner.leave(there);
                    return settled();
                });
        };
    }

    private Future<Health> settled() {
        return owner.settle()
                .timeout(HEALTH_WAIT_MS, TimeUnit.MILLISECONDS)
                .compose(_ -> switch (owner.now()) {
                    case Ownership.LocalOwner _ -> own.health();
                    case Ownership.RemoteOwner _ -> Future.succeededFuture(UP_ELSEWHERE); // it was asked just now
                    case Ownership.NoOwner _ -> Future.<Health>failedFuture(new TimeoutException());
                })
                .otherwise(failure -> Health.down(
                        failure instanceof TimeoutException
                                ? "the process that owns the data is stopping or does not answer"
                                : String.valueOf(failure.getMessage())));
    }

    @Override
    public Future<BackendReply> answer(BackendCall call, CallContext context, Supplier<Future<BackendReply>> here) {
        Supplier<Future<BackendReply>> mine = () -> own.answer(call, context, here);
        return owner.now() instanceof Ownership.LocalOwner
                ? mine.get()
                : new SharedCall(vertx, id, owner, call, context, repeatable.test(call.request()), mine).answer();
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
    public Optional<ScheduleProvider> schedules() {
        return own.schedules();
    }

    @Override
    public Concurrency concurrency() {
        return own.concurrency();
    }
}
