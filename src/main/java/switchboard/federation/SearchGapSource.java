package switchboard.federation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/** Tells what searches did not find. Whoever asks may see what all teams have asked. Thread-safe. */
@FunctionalInterface
public interface SearchGapSource {
    /** Where no searches are logged. */
    SearchGapSource NONE = _ -> Future.succeededFuture(new Gaps(Json.object(), Instant.EPOCH, List.of(), Set.of()));

    /**
     * Which searches to look at.
     *
     * @param team only this team's, or those of all teams if it is null
     * @param days only those of the last days
     * @param minRelevance a question is answered by a hit of at least this relevance, 0 to 1
     * @param limit maximum number of groups of questions
     */
    record GapFilter(@Nullable String team, int days, double minRelevance, int limit) {}

    /**
     * What was not found.
     *
     * @param report on the searches; whoever gets it may change it
     * @param since when the oldest of these searches may have been
     * @param asked the sources that were asked often enough to say something about their documents: {@code <backend>:<source>}
     * @param given addresses of the documents that were given
     */
    record Gaps(ObjectNode report, Instant since, List<String> asked, Set<String> given) {}

    /** What the searches of {@code filter} did not find. */
    Future<Gaps> gaps(GapFilter filter);
}
