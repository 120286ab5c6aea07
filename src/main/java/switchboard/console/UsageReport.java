package switchboard.console;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/** The answer to a question about usage. Not thread-safe. */
public final class UsageReport {
    /** How many rows JSON has; CSV has all. */
    static final int MOST_ROWS = 1000;

    private static final Comparator<Entry<UsageKey, UsageCounts>> MOST_CALLS_FIRST = Comparator.comparing(
                    (Entry<UsageKey, UsageCounts> row) -> -row.getValue().calls())
            .thenComparing(row -> row.getKey().team())
            .thenComparing(row -> row.getKey().tool())
            .thenComparing(row -> row.getKey().backend());

    private final UsageQuery query;
    private final UsageQuery.Range range;
    private final Gateways gateways;
    private final @Nullable Instant since;
    private final Map<Long, Map<UsageKey, UsageCounts>> cells = new TreeMap<>();
    private final Set<String> teams = new TreeSet<>();
    private final Set<String> tools = new TreeSet<>();

    /** Whose counts are in it. */
    enum Gateways {
        /** Those of the only gateway. */
        ONLY,
        /** Those of all gateways of a cluster. */
        ALL,
        /** Those of one of several: the others could not be asked. */
        ONE_OF_SEVERAL
    }

    /** Nothing was counted; {@code since} is where what is kept begins, or null. */
    UsageReport(UsageQuery query, UsageQuery.Range range, Gateways gateways, @Nullable Instant since) {
        this.query = query;
        this.range = range;
        this.gateways = gateways;
        this.since = since;
    }

    /** What was counted in {@code hour}, or in the day that begins with it, and may be seen. */
    void add(long hour, UsageKey key, UsageCounts counts) {
        teams.add(key.team());
        tools.add(key.tool());
        if (query.wants(key)) {
            cells.computeIfAbsent(range.by().ofHour(hour), _ -> new HashMap<>())
                    .computeIfAbsent(key, _ -> new UsageCounts())
                    .addAll(counts);
        }
    }

    /** Its JSON, without whose it is. */
    public ObjectNode json() {
        ObjectNode json = Json.object()
                .put("by", range.by().word())
                .put("from", range.start().toString())
                .put("to", range.end().toString())
                .put("since", since == null ? null : since.toString())
                .put("clustered", gateways != Gateways.ONLY)
                .put("missing", gateways == Gateways.ONE_OF_SEVERAL);
        strings(json.putArray("teams"), teams);
        strings(json.putArray("tools"), tools);
        Map<UsageKey, UsageCounts> rows = rows();
        UsageCounts total = new UsageCounts();
        rows.values().forEach(total::addAll);
        put(json.putObject("total"), total);
        ArrayNode times = json.putArray("times");
        for (long number = range.first(); number <= range.last(); number++) {
            UsageCounts sum = new UsageCounts();
            cells.getOrDefault(number, Map.of()).values().forEach(sum::addAll);
            put(times.addObject().put("time", range.by().start(number).toString()), sum);
        }
        ArrayNode shown = json.putArray("rows");
        rows.entrySet().stream()
                .sorted(MOST_CALLS_FIRST)
                .limit(MOST_ROWS)
                .forEach(row -> put(names(shown.addObject(), row.getKey()), row.getValue()));
        return json.put("omitted", rows.size() - shown.size());
    }

    private Map<UsageKey, UsageCounts> rows() {
        Map<UsageKey, UsageCounts> rows = new HashMap<>();
        cells.values()
                .forEach(cell -> cell.forEach((key, counts) ->
                        rows.computeIfAbsent(key, _ -> new UsageCounts()).addAll(counts)));
        return rows;
    }

    private static ObjectNode names(ObjectNode json, UsageKey key) {
        return json.put("team", key.team())
                .put("backend", key.backend())
                .put("tool", key.tool())
                .put("other", key.isOther());
    }

    private static void put(ObjectNode json, UsageCounts counts) {
        json.put("calls", counts.calls());
        for (UsageOutcome outcome : UsageOutcome.values()) {
            json.put(outcome.word(), counts.of(outcome));
        }
        json.put("tokens", counts.tokens())
                .put("p50_ms", ms(counts.latency(0.5)))
                .put("p95_ms", ms(counts.latency(0.95)))
                .put("p99_ms", ms(counts.latency(0.99)));
    }

    private static @Nullable Double ms(OptionalDouble latency) {
        return latency.isEmpty() ? null : Math.round(latency.getAsDouble() * 100) / 100.0;
    }

    private static void strings(ArrayNode array, Set<String> values) {
        values.forEach(array::add);
    }

    /** The name for a file with it. */
    public String fileName() {
        return "usage-by-" + range.by().word() + "-from-" + day(range.start()) + "-to-"
                + day(range.end().minusNanos(1))
                + (gateways == Gateways.ONE_OF_SEVERAL ? "-of-one-gateway" : "") + ".csv";
    }

    private static String day(Instant time) {
        return LocalDate.ofInstant(time, ZoneOffset.UTC).toString();
    }

    /** All rows of each hour, day or week as CSV (RFC 4180). */
    public String csv() {
        UsageCsv csv = new UsageCsv();
        cells.forEach((number, rows) -> rows.entrySet().stream()
                .sorted(MOST_CALLS_FIRST)
                .forEach(row -> csv.row(line(range.by().start(number), row.getKey(), row.getValue()))));
        return csv.text();
    }

    private static List<String> line(Instant start, UsageKey key, UsageCounts counts) {
        return List.of(
                start.toString(),
                key.team(),
                key.backend(),
                key.tool(),
                String.valueOf(counts.calls()),
                String.valueOf(counts.of(UsageOutcome.OK)),
                String.valueOf(counts.of(UsageOutcome.TOOL_ERROR)),
                String.valueOf(counts.of(UsageOutcome.REFUSED)),
                String.valueOf(counts.of(UsageOutcome.FAILED)),
                String.valueOf(counts.tokens()),
                text(counts.latency(0.5)),
                text(counts.latency(0.95)),
                text(counts.latency(0.99)));
    }

    private static String text(OptionalDouble latency) {
        Double known = ms(latency);
        return known == null ? "" : String.valueOf(known);
    }
}
