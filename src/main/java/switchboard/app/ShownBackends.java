package switchboard.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Principal;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.call.ResourceScope;
import switchboard.call.Verb;
import switchboard.http.Readiness;
import switchboard.telemetry.MetricNames;

/**
 * The backends as the console shows them to somebody: those with a tool that the person may use, and whether each one
 * works. Who has the verb {@code admin} for a backend, or for the gateway, also sees why not, and its numbers.
 *
 * @param health the last known health
 * @param meters where calls are counted
 */
record ShownBackends(List<LoadedBackend> backends, BackendHealth health, AccessPolicy policy, MeterRegistry meters)
        implements Function<Principal, ObjectNode> {
    private static final String GATEWAY = "switchboard";

    /** The states of a circuit breaker, by their level as a metric. */
    private static final List<String> BREAKER = List.of("closed", "half_open", "open");

    @Override
    public ObjectNode apply(Principal principal) {
        Map<String, Readiness.Part> states =
                health.parts().stream().collect(Collectors.toMap(Readiness.Part::id, part -> part));
        ObjectNode shown = Json.object();
        ArrayNode all = shown.putArray("backends");
        for (LoadedBackend backend : backends) {
            long tools = backend.tools().tools().stream()
                    .filter(tool -> may(principal, backend.id(), tool.verbs()))
                    .count();
            if (tools > 0) {
                ObjectNode one = all.addObject().put("id", backend.id()).put("type", backend.type());
                state(one, states.get(backend.id()), operates(principal, backend.id()));
                one.put("tools", tools);
                if (operates(principal, backend.id())) {
                    numbers(one, backend.id());
                }
            }
        }
        return shown;
    }

    /** Whether {@code principal} has the verb {@code admin} for all of {@code backend}, or of the gateway. */
    boolean operates(Principal principal, String backend) {
        return isAdmin(principal, backend) || operatesAll(principal);
    }

    /** Whether {@code principal} has the verb {@code admin} for all of the gateway, not for some sources of it. */
    boolean operatesAll(Principal principal) {
        return isAdmin(principal, GATEWAY);
    }

    private boolean isAdmin(Principal principal, String backend) {
        return policy.decide(principal, ResourceScope.ALL, backend, Set.of(Verb.ADMIN), List.of())
                        instanceof AccessPolicy.PolicyDecision.Allowed(Caller caller)
                && caller.scope().unrestricted();
    }

    private boolean may(Principal principal, String backend, Set<Verb> verbs) {
        return policy.decide(principal, ResourceScope.ALL, backend, verbs, List.of())
                instanceof AccessPolicy.PolicyDecision.Allowed;
    }

    private static void state(ObjectNode one, Readiness.@Nullable Part state, boolean operator) {
        if (state != null) {
            one.put("status", state.status().word());
            if (operator) {
                one.put("detail", state.detail());
            }
        }
    }

    private void numbers(ObjectNode one, String backend) {
        Collection<Timer> timers = meters.find(MetricNames.BACKEND_CALLS)
                .tag(MetricNames.BACKEND, backend)
                .timers();
        one.put("calls", timers.stream().mapToLong(Timer::count).sum())
                .put(
                        "failed",
                        timers.stream()
                                .filter(ShownBackends::failed)
                                .mapToLong(Timer::count)
                                .sum())
                .put(
                        "seconds",
                        timers.stream()
                                .mapToDouble(timer -> timer.totalTime(TimeUnit.SECONDS))
                                .sum())
                .put("in_flight", gauge(MetricNames.CALLS_IN_FLIGHT, backend))
                .put("waiting", gauge(MetricNames.CALLS_WAITING, backend))
                .put("limit", gauge(MetricNames.CALLS_LIMIT, backend));
        Gauge chunks = meters.find(MetricNames.STORE_CHUNKS)
                .tag(MetricNames.STORE, backend)
                .gauge();
        if (chunks != null) {
            one.put("chunks", Math.round(chunks.value()));
        }
        Stream.of(MetricNames.UPSTREAM_BREAKER, MetricNames.POSTGRES_BREAKER)
                .flatMap(name -> meters.find(name).tag(MetricNames.BACKEND, backend).gauges().stream())
                .mapToDouble(Gauge::value)
                .max()
                .ifPresent(level -> one.put("breaker", BREAKER.get((int) level)));
    }

    private static boolean failed(Timer timer) {
        return !String.valueOf(timer.getId().getTag(MetricNames.ERROR)).isEmpty();
    }

    private long gauge(String name, String backend) {
        Gauge gauge = meters.find(name).tag(MetricNames.BACKEND, backend).gauge();
        return gauge == null ? 0 : Math.round(gauge.value());
    }
}
