package switchboard.app;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.concurrent.BlockingExecutor;
import switchboard.config.InsightConfig;
import switchboard.federation.SearchGapSource;
import switchboard.insight.InsightStore;
import switchboard.insight.InsightUnavailableException;
import switchboard.insight.SearchGaps;

/**
 * What searches did not find, by the log. Thread-safe.
 *
 * @param config whose searches are logged
 * @param store the log
 * @param meanings compares questions
 * @param executor reads the log
 */
record LoggedGaps(
        InsightConfig config, InsightStore store, QuestionMeanings meanings, BlockingExecutor executor, Clock clock)
        implements SearchGapSource {

    @Override
    public Future<Gaps> gaps(GapFilter filter) {
        return executor.run(() -> read(filter)).compose(read -> meanings.of(
                        read.open().texts())
                .compose(known -> executor.run(() -> Json.tree(read.open().report(known, filter.limit()))))
                .map(report -> {
                    unlogged(filter.team()).ifPresent(note -> report.put("note", note));
                    return new Gaps(report, read.since(), read.asked(), read.given());
                }));
    }

    /** What was read of the log. */
    private record LogRead(SearchGaps.OpenQuestions open, Instant since, List<String> asked, Set<String> given) {}

    private LogRead read(GapFilter filter) throws IOException {
        Instant since = clock.instant().minus(Duration.ofDays(filter.days()));
        SearchGaps gaps = new SearchGaps(since, filter.minRelevance());
        try {
            store.read(filter.team(), since, gaps::add);
        } catch (InsightUnavailableException e) {
            throw new ToolException(FailureKind.UNAVAILABLE, String.valueOf(e.getMessage()));
        }
        return new LogRead(gaps.open(), since, gaps.askedOften(), gaps.given());
    }

    /** What to say if nothing is logged now. There may still be something of earlier times. */
    private Optional<String> unlogged(@Nullable String team) {
        if (config.logged().isEmpty()) {
            return Optional.of(
                    "Nobody's searches are logged. Name teams under insight.teams in the configuration to log"
                            + " theirs.");
        }
        return team == null || config.logs(team)
                ? Optional.empty()
                : Optional.of(
                        "The searches of this team are not logged: insight.teams in the configuration does not name"
                                + " it.");
    }
}
