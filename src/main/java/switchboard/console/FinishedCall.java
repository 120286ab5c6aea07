package switchboard.console;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.call.CallStep;
import switchboard.call.Json;

/**
 * A call that is over, as operators and its team may see it: never its arguments, never its result.
 *
 * @param time when it was over
 * @param caller who made it
 * @param subject what was called
 * @param outcome how it ended
 * @param effort what it took
 */
public record FinishedCall(
        Instant time, CallerKey caller, CalledTool subject, CallOutcome outcome, CallEffort effort, CallIds ids)
        implements WatchedCall {
    private static final double NANOS_PER_MS = 1e6;

    /**
     * Who made a call.
     *
     * @param team the team, {@code ""} in a gateway without teams
     * @param key the key's id
     */
    public record CallerKey(String team, String key) {}

    /**
     * What was called.
     *
     * @param method the MCP method; empty if the message was not read
     * @param tool the tool's name in the view; empty if no tool was called
     * @param backend whose it is; empty if there is no such tool
     */
    public record CalledTool(String method, String tool, String backend) {}

    /**
     * How a call ended, in the words of the audit log.
     *
     * @param calls how many calls it stands for, if they were refused before they were read
     */
    public record CallOutcome(String decision, String outcome, int calls) {}

    /**
     * What a call took.
     *
     * @param bytes the size of the answer
     * @param steps its calls of backends and their requests to engines
     * @param omitted how many more of them there were
     */
    public record CallEffort(Duration duration, long bytes, List<CallStep> steps, int omitted) {
        public CallEffort {
            steps = List.copyOf(steps);
        }
    }

    /**
     * How a call is found elsewhere.
     *
     * @param request the gateway's id of the request, which the audit log has
     * @param trace the id of its trace, or null
     */
    public record CallIds(String request, @Nullable String trace) {}

    @Override
    public String team() {
        return caller.team();
    }

    @Override
    public String backend() {
        return subject.backend();
    }

    @Override
    public byte[] json(String gateway) {
        ObjectNode json = Json.object()
                .put("request", ids.request())
                .put("time", time.toString())
                .put("team", caller.team())
                .put("key", caller.key())
                .put("method", subject.method())
                .put("tool", subject.tool())
                .put("backend", subject.backend())
                .put("decision", outcome.decision())
                .put("outcome", outcome.outcome())
                .put("calls", outcome.calls())
                .put("ms", ms(effort.duration().toNanos()))
                .put("queue_ms", ms(own().mapToLong(CallStep::waitedNanos).sum()))
                .put(
                        "backend_ms",
                        ms(own().mapToLong(step -> step.tookNanos() - step.waitedNanos())
                                .sum()))
                .put("bytes", effort.bytes());
        if (!gateway.isEmpty()) {
            json.put("gateway", gateway);
        }
        if (ids.trace() != null) {
            json.put("trace", ids.trace());
        }
        ArrayNode steps = json.putArray("steps");
        effort.steps().forEach(step -> put(steps.addObject(), step));
        if (effort.omitted() > 0) {
            json.put("omitted", effort.omitted());
        }
        return Json.bytes(json);
    }

    /** The calls that it made itself, one after the other. */
    private Stream<CallStep> own() {
        return effort.steps().stream().filter(step -> step.depth() == 1 && step.kind() == CallStep.StepKind.CALL);
    }

    private static void put(ObjectNode json, CallStep step) {
        json.put("kind", step.kind() == CallStep.StepKind.CALL ? "call" : "engine")
                .put("depth", step.depth())
                .put("backend", step.backend())
                .put("name", step.name())
                .put("at_ms", ms(step.startNanos()))
                .put("queue_ms", ms(step.waitedNanos()))
                .put("ms", ms(step.tookNanos()))
                .put("outcome", step.error() == null ? "ok" : step.error().toLowerCase(Locale.ROOT));
    }

    /** With three digits after the point: more are noise, and longer events. */
    private static double ms(long nanos) {
        return Math.round(nanos / NANOS_PER_MS * 1000) / 1000.0;
    }
}
