package switchboard.app;

import java.util.Collection;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.dispatch.SwitchedOff;
import switchboard.http.BackendSwitch;

/** What the management port switches: the dispatcher's list, for backends that exist, and a line in the log. */
final class OperatorSwitch implements BackendSwitch {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorSwitch.class);

    private final Set<String> backends;
    private final SwitchedOff switchedOff;

    OperatorSwitch(Collection<String> backends, SwitchedOff switchedOff) {
        this.backends = Set.copyOf(backends);
        this.switchedOff = switchedOff;
    }

    @Override
    public boolean off(String id, String reason) {
        if (!backends.contains(id)) {
            return false;
        }
        switchedOff.off(id, reason);
        LOG.info("backend {} switched off: {}", id, reason.isEmpty() ? "no reason given" : reason);
        return true;
    }

    @Override
    public boolean on(String id) {
        if (!backends.contains(id)) {
            return false;
        }
        switchedOff.on(id);
        LOG.info("backend {} switched on", id);
        return true;
    }
}
