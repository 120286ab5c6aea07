package switchboard.app;

import java.util.Collection;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.dispatch.DisabledBackends;
import switchboard.http.BackendAdmin;

/** What the management port switches: the dispatcher's list, for backends that exist, and a line in the log. */
final class DispatcherBackendAdmin implements BackendAdmin {
    private static final Logger LOG = LoggerFactory.getLogger(DispatcherBackendAdmin.class);

    private final Set<String> backends;
    private final DisabledBackends disabledBackends;

    DispatcherBackendAdmin(Collection<String> backends, DisabledBackends disabledBackends) {
        this.backends = Set.copyOf(backends);
        this.disabledBackends = disabledBackends;
    }

    @Override
    public boolean off(String id, String reason) {
        if (!backends.contains(id)) {
            return false;
        }
        disabledBackends.off(id, reason);
        LOG.info("backend {} switched off: {}", id, reason.isEmpty() ? "no reason given" : reason);
        return true;
    }

    @Override
    public boolean on(String id) {
        if (!backends.contains(id)) {
            return false;
        }
        disabledBackends.on(id);
        LOG.info("backend {} switched on", id);
        return true;
    }
}
