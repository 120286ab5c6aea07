package switchboard.app;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.backend.SharedApprovals;
import switchboard.cluster.Decisions;
import switchboard.cluster.OperatorDecisions;
import switchboard.dispatch.DisabledBackends;
import switchboard.http.BackendAdmin;

/** Applies what operators have decided for all gateways of a cluster. In a gateway by itself nothing is shared. Thread-safe. */
final class SharedOperators implements SharedApprovals {
    private static final Logger LOG = LoggerFactory.getLogger(SharedOperators.class);

    private final List<Runnable> approvalListeners = new CopyOnWriteArrayList<>();
    private volatile @Nullable OperatorDecisions decisions;
    private Map<String, String> off = Map.of();

    /** What was noted last of each backend, since the last decision. */
    private final Map<String, Map<String, String>> noted = new ConcurrentHashMap<>();

    /** Applies {@code shared} from now on to the backends, the teams, and those who listen for approvals. */
    void follow(OperatorDecisions shared, DisabledBackends backends, LiveTeams teams, ConfigReloader files) {
        decisions = shared;
        shared.listen(now -> {
            noted.clear();
            backends.replace(now.off());
            log(now);
            teams.revoke(now.revoked());
            files.teamsChanged();
            approvalListeners.forEach(Runnable::run);
        });
    }

    private synchronized void log(Decisions now) {
        now.off().forEach((id, reason) -> {
            if (!reason.equals(off.get(id))) {
                LOG.info("backend {} switched off: {}", id, reason.isEmpty() ? "no reason given" : reason);
            }
        });
        off.keySet().stream()
                .filter(id -> !now.off().containsKey(id))
                .forEach(id -> LOG.info("backend {} switched on", id));
        off = now.off();
    }

    /** Switches the backends {@code ids}, on all gateways if there are several. */
    BackendAdmin admin(Collection<String> ids, DisabledBackends backends) {
        OperatorDecisions shared = decisions;
        return shared == null ? new DispatcherBackendAdmin(ids, backends) : new SharedAdmin(Set.copyOf(ids), shared);
    }

    /** Switches backends on all gateways. */
    private record SharedAdmin(Set<String> ids, OperatorDecisions shared) implements BackendAdmin {
        @Override
        public Future<Switching> off(String id, String reason) {
            return ids.contains(id) ? made(shared.switchOff(id, reason)) : unknown();
        }

        @Override
        public Future<Switching> on(String id) {
            return ids.contains(id) ? made(shared.switchOn(id)) : unknown();
        }

        private static Future<Switching> unknown() {
            return Future.succeededFuture(Switching.NO_SUCH_BACKEND);
        }

        private static Future<Switching> made(Future<Void> change) {
            return change.map(Switching.MADE).otherwise(Switching.UNAVAILABLE);
        }
    }

    @Override
    public Map<String, SharedApproval> of(String backend) {
        OperatorDecisions shared = decisions;
        if (shared == null) {
            return Map.of();
        }
        Map<String, SharedApproval> approvals = new HashMap<>();
        shared.current()
                .approvals()
                .getOrDefault(backend, Map.of())
                .forEach((tool, one) -> approvals.put(tool, new SharedApproval(one.hash(), one.byOperator())));
        return approvals;
    }

    @Override
    public void published(String backend, Map<String, String> hashes) {
        OperatorDecisions shared = decisions;
        if (shared == null || shared.current().revision() < 0) {
            return;
        }
        Map<String, String> missing = new HashMap<>(hashes);
        missing.keySet().removeAll(of(backend).keySet());
        if (!missing.isEmpty() && !missing.equals(noted.get(backend))) {
            Futures.finish(
                    shared.pin(backend, missing),
                    _ -> noted.put(backend, missing),
                    failure -> LOG.debug("definitions of {} are noted later", backend, failure));
        }
    }

    @Override
    public void listen(Runnable changed) {
        approvalListeners.add(changed);
    }
}
