package switchboard.app;

import java.io.IOException;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import switchboard.config.GatewayConfig;
import switchboard.embed.Embedders;
import switchboard.insight.GapReport;
import switchboard.insight.SearchGaps;

/**
 * Reads the search log with the models of a configuration. Blocks: call it on the thread of a command.
 *
 * @param installation has the data folder
 */
public record InsightRun(GatewayConfig config, Installation installation) {
    /**
     * What the searches of {@code team}, of all teams if it is null, did not find.
     *
     * @param mostGroups how many groups of questions are shown at most
     */
    public GapReport gaps(@Nullable String team, SearchGaps gaps, int mostGroups) throws IOException {
        try (InsightAccess insight = InsightAccess.open(config, installation)) {
            insight.log().read(team, gaps.since(), gaps::add);
        }
        try (Platform platform = Platform.forCommand(config, installation, Clock.systemUTC())) {
            return gaps.report(
                            new QuestionMeanings(
                                    () -> platform.models().embedders().embedder(Embedders.DEFAULT)),
                            mostGroups)
                    .await();
        }
    }
}
