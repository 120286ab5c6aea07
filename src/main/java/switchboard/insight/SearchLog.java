package switchboard.insight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.GivenDocuments;
import switchboard.telemetry.AnsweredCall;
import switchboard.telemetry.LineQueue;
import switchboard.telemetry.MetricNames;
import switchboard.telemetry.OutageLog;
import switchboard.telemetry.RequestCaller;

/**
 * Writes the searches of the configured teams, and what was read after them, into an {@link InsightStore}. A call only leaves
 * what is written here; a thread of its own makes the lines and writes them. While that fails they wait and are tried again;
 * lines for which there is no room are lost and counted. Thread-safe; only {@link #close} waits.
 */
public final class SearchLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SearchLog.class);
    private static final int MAX_WAITING_BYTES = 32 << 20;
    private static final int USE_BYTES = 512;

    /**
     * How often a search is looked for that explains a read. Another gateway may write it a moment later, and some seconds later if its
     * database was away.
     */
    private static final int LOOKS = 5;

    private static final long LOOK_AGAIN_MS = 500;

    private final InsightSettings settings;
    private final InsightStore store;
    private final Clock clock;
    private final LineQueue<TeamLine> queue;
    private final SearchTrail trail = new SearchTrail();
    private final OutageLog outage;
    private final MeterRegistry meters;

    /**
     * A log.
     *
     * @param meters registers its counters
     */
    public SearchLog(InsightSettings settings, InsightStore store, Clock clock, MeterRegistry meters) {
        this.settings = settings;
        this.store = store;
        this.clock = clock;
        this.meters = meters;
        this.outage = new OutageLog(LOG, "the search log", clock);
        this.queue = new LineQueue<>("search-log", MAX_WAITING_BYTES, new Written());
        lost("queue").increment(0);
    }

    /** Whether the searches of {@code team} are logged. */
    public boolean logs(String team) {
        return settings.of(team).isPresent();
    }

    /** Logs a search over all sources, if those of its team are logged. */
    public void searched(AnsweredCall answer) {
        Instant now = clock.instant();
        settings.of(answer.caller().team()).ifPresent(team -> {
            LoggedSearch search = LoggedSearch.of(answer, now);
            offer(search.bytes(), () -> line(search, team.queries()));
        });
    }

    /** Logs what an engine's own tool has found, and what was read with it after a search that gave it. */
    public void used(AnsweredCall answer) {
        answer.notes().given().ifPresent(given -> {
            Instant now = clock.instant();
            settings.of(answer.caller().team()).ifPresent(team -> LoggedSearch.ofTool(answer, now)
                    .forEach(search -> offer(search.bytes(), () -> line(search, team.queries()))));
            for (JsonNode read : given.path(GivenDocuments.READ)) {
                String address = LoggedSearch.address(answer.backend(), read);
                if (!address.isEmpty()) {
                    read(answer.caller(), address);
                }
            }
        });
    }

    /** Logs that {@code caller} reads a document, if one of its last searches gave it. */
    public void read(RequestCaller caller, String address) {
        if (logs(caller.team())) {
            Instant now = clock.instant();
            offer(bytes(address), () -> line(new ReadDocument(caller, address, now)));
        }
    }

    private static int bytes(String address) {
        return USE_BYTES + 2 * address.length();
    }

    private void offer(int bytes, Supplier<TeamLine> line) {
        if (!queue.offer(bytes, line)) {
            lost("queue").increment();
        }
    }

    private Counter lost(String reason) {
        return Counter.builder(MetricNames.INSIGHT_LOST)
                .description("Lines that are missing in the search log")
                .tag("reason", reason)
                .register(meters);
    }

    private TeamLine line(LoggedSearch search, InsightSettings.QueryDetail queries) {
        ObjectNode line = search.json();
        SearchTrail.Before before = trail.add(search);
        return switch (queries) {
            case FULL -> {
                line.put("query", search.asked().query());
                if (search.asked().corrected() != null) {
                    line.set("corrected", search.asked().corrected());
                }
                yield linked(search, line, before);
            }
            case HASH -> linked(search, line, before).hashing(search.asked().query());
            // Links would tell which queries are equal.
            case NONE -> made(search, line);
        };
    }

    private static TeamLine linked(LoggedSearch search, ObjectNode line, SearchTrail.Before before) {
        Instant first = before.putInto(line);
        return made(search, line).linking(first);
    }

    private static TeamLine made(LoggedSearch search, ObjectNode line) {
        return TeamLine.of(search.caller().team(), search.time(), line);
    }

    private TeamLine line(ReadDocument read) {
        return trail.use(read).map(use -> TeamLine.of(read, use)).orElseGet(() -> TeamLine.of(read));
    }

    /** Looks again later; after some looks nothing explains it. */
    private void lookAgain(TeamLine line) {
        ReadDocument read = line.read();
        if (read != null
                && line.asked() + 1 < LOOKS
                && !queue.offerLater(bytes(read.address()), LOOK_AGAIN_MS << line.asked(), line::askedAgain)) {
            lost("queue").increment();
        }
    }

    /** Removes what is too old or too much. Blocks. */
    public void tidy() {
        try {
            store.tidy(settings, clock.instant());
        } catch (InsightUnavailableException e) {
            LOG.debug("old searches are removed later", e); // the database is watched elsewhere
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("old searches can't be removed: {}", e.toString());
        }
    }

    /** Writes what is queued, for a few seconds at most, and ends. */
    @Override
    public void close() {
        queue.close();
        int left = queue.left();
        if (left > 0) {
            lost("end").increment(left);
            LOG.error("{} lines of the search log could not be written before the end", left);
        }
    }

    /** Writes lines into the store. */
    private final class Written implements LineQueue.Sink<TeamLine> {
        @Override
        public boolean write(List<TeamLine> lines) {
            try {
                InsightStore.Appended appended =
                        store.append(lines.stream().filter(store::takes).toList(), settings, clock.instant());
                if (appended.forgotten() > 0) {
                    lost("forgotten").increment(appended.forgotten());
                }
                appended.unexplained().forEach(SearchLog.this::lookAgain);
            } catch (IOException | RuntimeException e) {
                outage.begins(reason(e));
                return false;
            }
            outage.ends();
            return true;
        }

        @Override
        public void unmade(RuntimeException why) {
            lost("failed").increment();
            LOG.error("a line of the search log could not be made: {}", reason(why));
        }

        /** The message of a defect may have a part of what it stumbled over, such as a query. */
        private static String reason(Exception why) {
            return why instanceof RuntimeException
                    ? Stream.of(why.getStackTrace())
                            .findFirst()
                            .map(place -> why.getClass().getSimpleName() + " at " + place)
                            .orElseGet(() -> why.getClass().getSimpleName())
                    : why.toString();
        }
    }
}
