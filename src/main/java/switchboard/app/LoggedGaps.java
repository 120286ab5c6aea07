package switchboard.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.concurrent.BlockingExecutor;
import switchboard.config.InsightConfig;
import switchboard.federation.SearchGapSource;
import switchboard.insight.InsightFolder;
import switchboard.insight.SearchGaps;

/**
 * What searches did not find, by the log of this gateway. Thread-safe.
 *
 * @param config whose searches are logged
 * @param folder the log
 * @param meanings compares questions
 * @param executor reads the log
 */
record LoggedGaps(
        InsightConfig config, InsightFolder folder, QuestionMeanings meanings, BlockingExecutor executor, Clock clock)
        implements SearchGapSource {

    @Override
    public Future<ObjectNode> gaps(GapFilter filter) {
        return executor.run(() -> read(filter))
                .compose(open -> meanings.of(open.texts())
                        .compose(known -> executor.run(() -> Json.tree(open.report(known, filter.limit())))))
                .map(report -> {
                    unlogged(filter.team()).ifPresent(note -> report.put("note", note));
                    return report;
                });
    }

    private SearchGaps.OpenQuestions read(GapFilter filter) throws IOException {
        SearchGaps gaps = new SearchGaps(clock.instant().minus(Duration.ofDays(filter.days())), filter.minRelevance());
        folder.read(filter.team(), gaps::add);
        return gaps.open();
    }

    /** What to say if nothing is logged now. There may still be something of earlier times. */
    private Optional<String> unlogged(@Nullable String team) {
        if (config.teams().isEmpty()) {
            return Optional.of(
                    "Nobody's searches are logged. Name teams under insight.teams in the configuration to log"
                            + " theirs.");
        }
        return team == null
                        || config.teams().containsKey(team)
                        || config.teams().containsKey(InsightConfig.EVERYBODY)
                ? Optional.empty()
                : Optional.of(
                        "The searches of this team are not logged: insight.teams in the configuration does not name"
                                + " it.");
    }
}
