package switchboard.federation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/** Tells what searches did not find. Whoever asks may see what all teams have asked. Thread-safe. */
@FunctionalInterface
public interface SearchGapSource {
    /** Where no searches are logged. */
    SearchGapSource NONE = _ -> Future.succeededFuture(Json.object());

    /**
     * Which searches to look at.
     *
     * @param team only this team's, or those of all teams if it is null
     * @param days only those of the last days
     * @param minRelevance a question is answered by a hit of at least this relevance, 0 to 1
     * @param limit maximum number of groups of questions
     */
    record GapFilter(@Nullable String team, int days, double minRelevance, int limit) {}

    /** The report on the searches of {@code filter}. */
    Future<ObjectNode> gaps(GapFilter filter);
}
