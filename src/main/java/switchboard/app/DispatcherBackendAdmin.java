package switchboard.app;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.dispatch.DisabledBackends;
import switchboard.http.BackendAdmin;

/** Switches backends off and on in the dispatcher, for the management port. Each change is logged. */
final class DispatcherBackendAdmin implements BackendAdmin {
    private static final Logger LOG = LoggerFactory.getLogger(DispatcherBackendAdmin.class);

    private final Set<String> backends;
    private final DisabledBackends disabledBackends;

    DispatcherBackendAdmin(Collection<String> backends, DisabledBackends disabledBackends) {
        this.backends = Set.copyOf(backends);
        this.disabledBackends = disabledBackends;
    }

    @Override
    public Future<Switching> off(String id, String reason) {
        if (!backends.contains(id)) {
            return Future.succeededFuture(Switching.NO_SUCH_BACKEND);
        }
        disabledBackends.off(id, reason);
        LOG.info("backend {} switched off: {}", id, reason.isEmpty() ? "no reason given" : reason);
        return Future.succeededFuture(Switching.MADE);
    }

    @Override
    public Future<Switching> on(String id) {
        if (!backends.contains(id)) {
            return Future.succeededFuture(Switching.NO_SUCH_BACKEND);
        }
        disabledBackends.on(id);
        LOG.info("backend {} switched on", id);
        return Future.succeededFuture(Switching.MADE);
    }
}
