package switchboard.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Measures durations, sizes and counts of MCP requests, with the names in {@link MetricNames}. Thread-safe. */
public final class OperationMeters {
    private static final int MAX_TOOLS = 500;
    private static final int MAX_TEAMS = 500;
    private static final int MAX_METHODS = 50;
    private static final int MAX_VERSIONS = 10;

    /** The buckets that the OpenTelemetry conventions for MCP recommend. */
    private static final Duration[] BUCKETS = Stream.of(
                    10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final MeterRegistry registry;
    private final CurrentTrace trace;
    private final BoundedLabel methods = new BoundedLabel(MAX_METHODS);
    private final BoundedLabel versions = new BoundedLabel(MAX_VERSIONS);
    private final BoundedLabel tools = new BoundedLabel(MAX_TOOLS);
    private final BoundedLabel teams = new BoundedLabel(MAX_TEAMS);

    /** Timers in use. Looking one up in the registry costs more than counting. */
    private final Map<Labels, Timer> timers = new ConcurrentHashMap<>();

    private final Map<TeamOutcome, Counter> requests = new ConcurrentHashMap<>();
    private final Map<String, Counter> results = new ConcurrentHashMap<>();

    private record Labels(String method, String tool, String error, String code, String transport, String version) {}

    private record TeamOutcome(String team, String error) {}

    /** Meters in {@code registry}, which shows {@code trace} as exemplars. */
    OperationMeters(MeterRegistry registry, CurrentTrace trace) {
        this.registry = registry;
        this.trace = trace;
    }

    /** Counts a request. */
    public void record(FinishedRequest request) {
        FinishedRequest.Outcome outcome = request.outcome();
        Timer timer = timers.computeIfAbsent(
                new Labels(
                        methods.of(request.subject().method()),
                        bounded(tools, request.subject().tool()),
                        text(outcome.error()),
                        outcome.code() == null ? "" : outcome.code().toString(),
                        request.channel().network(),
                        versions.of(request.channel().version())),
                this::timer);
        trace.with(request.source().traceparent(), () -> timer.record(request.duration()));
        String team = teams.of(request.caller().team());
        requests.computeIfAbsent(new TeamOutcome(team, text(outcome.error())), this::requests)
                .increment();
        results.computeIfAbsent(team, this::results).increment(request.resultBytes());
    }

    private Timer timer(Labels labels) {
        return Timer.builder(MetricNames.OPERATION_DURATION)
                .description("Duration of MCP requests as the server sees them")
                .serviceLevelObjectives(BUCKETS)
                .tags(List.of(
                        Tag.of(MetricNames.METHOD, labels.method()),
                        Tag.of(MetricNames.TOOL, labels.tool()),
                        Tag.of(MetricNames.ERROR, labels.error()),
                        Tag.of(MetricNames.CODE, labels.code()),
                        Tag.of(MetricNames.TRANSPORT, labels.transport()),
                        Tag.of(MetricNames.VERSION, labels.version())))
                .register(registry);
    }

    private Counter requests(TeamOutcome outcome) {
        return Counter.builder(MetricNames.TEAM_OPERATIONS)
                .description("MCP requests by team")
                .tag(MetricNames.TEAM, outcome.team())
                .tag(MetricNames.ERROR, outcome.error())
                .register(registry);
    }

    private Counter results(String team) {
        return Counter.builder(MetricNames.TEAM_RESULT)
                .description("Size of answers by team")
                .baseUnit(BaseUnits.BYTES)
                .tag(MetricNames.TEAM, team)
                .register(registry);
    }

    /** Counts {@code tokens} of an answer to {@code team}. */
    public void tokens(String team, long tokens) {
        Counter.builder(MetricNames.TEAM_TOKENS)
                .description("Estimated tokens in answers, for teams and keys with a token limit")
                .tag(MetricNames.TEAM, teams.of(team))
                .register(registry)
                .increment(tokens);
    }

    /** Counts {@code calls} of {@code team} that {@code limit} refused. */
    public void limited(String team, String limit, int calls) {
        Counter.builder(MetricNames.TEAM_LIMITED)
                .description("Calls that a limit of the team, or of one of its keys, refused")
                .tag(MetricNames.TEAM, teams.of(team))
                .tag(MetricNames.LIMIT, limit)
                .register(registry)
                .increment(calls);
    }

    private static String bounded(BoundedLabel label, @Nullable String value) {
        return value == null || value.isEmpty() ? "" : label.of(value);
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }
}
