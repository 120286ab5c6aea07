package switchboard.backend.embedded;

import io.vertx.core.Future;
import java.util.function.Supplier;
import switchboard.backend.ExclusiveBackend;
import switchboard.call.BackendCall;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.Health;
import switchboard.call.ToolReply;

/** A backend whose data is in an embedded store of its own. Its {@link #stop} closes the store last. */
public interface EmbeddedBackend extends ExclusiveBackend {
    /** The store. */
    BackendStore store();

    @Override
    default Concurrency concurrency() {
        return Concurrency.ONE_EVENT_LOOP;
    }

    @Override
    default Future<Void> start() {
        return store().open();
    }

    /** Each call sees what was acknowledged before it, wherever. */
    @Override
    default Future<BackendReply> answer(BackendCall call, CallContext context, Supplier<Future<BackendReply>> here) {
        return store().get().refresh().compose(_ -> here.get());
    }

    @Override
    default Future<ToolReply> maintain(BackendRequest.Maintain.Chore chore, CallContext context) {
        return store().maintain(chore, context);
    }

    @Override
    default Future<Void> announce(String address) {
        return store().get().announce(address);
    }

    @Override
    default Future<Health> health() {
        return Future.succeededFuture(store().health());
    }
}
