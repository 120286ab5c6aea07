package switchboard.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** What searches did not find. Only operators of the whole gateway may see it. Thread-safe. */
@FunctionalInterface
public interface ConsoleGaps {
    /** Maximum number of groups of questions that the page shows. */
    int MOST_GROUPS = 50;

    /**
     * Which searches to look at.
     *
     * @param team only this team's, or those of all teams if it is null
     * @param days only those of the last days
     * @param minRelevance a question is answered by a hit of at least this relevance, 0 to 1
     */
    record GapsQuestion(@Nullable String team, int days, double minRelevance) {}

    /** What they did not find, with at most {@link #MOST_GROUPS} groups of questions. */
    Future<ObjectNode> gaps(GapsQuestion question);
}
