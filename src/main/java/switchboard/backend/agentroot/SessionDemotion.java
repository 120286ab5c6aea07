package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.Caller;

/** Ranks results lower that a session has already seen, and records those that it sees now. */
final class SessionDemotion {
    static final double FACTOR = 0.3;
    private static final int MARKED = 10;

    private final SearchSessions sessions;
    private final Clock clock;

    SessionDemotion(SearchSessions sessions, Clock clock) {
        this.sessions = sessions;
        this.clock = clock;
    }

    /** A result with an identity. */
    interface Demotable<T> {
        String key();

        double score();

        T scored(double score);
    }

    /**
     * The results in the order to show: the score of seen ones is multiplied by {@link #FACTOR}. The first ten count
     * as seen from now on.
     *
     * @param sessionId null without a session; then nothing changes
     */
    <T extends Demotable<T>> Future<List<T>> apply(
            @Nullable String sessionId, Caller caller, String query, List<T> results) {
        if (sessionId == null) {
            return Future.succeededFuture(results);
        }
        String owner = CollectionRegistry.person(caller);
        return sessions.seen(
                        sessionId, owner, results.stream().map(Demotable::key).toList())
                .map(seen -> ranked(results, seen))
                .compose(shown -> sessions.searched(
                                sessionId,
                                owner,
                                new Sessions.PastSearch(SearchQuery.shown(query), shown.size(), clock.instant()),
                                shown.stream().limit(MARKED).map(Demotable::key).toList())
                        .map(shown));
    }

    private static <T extends Demotable<T>> List<T> ranked(List<T> results, Set<String> seen) {
        List<T> shown = new ArrayList<>();
        results.forEach(one -> shown.add(seen.contains(one.key()) ? one.scored(one.score() * FACTOR) : one));
        shown.sort(Comparator.<T>comparingDouble(Demotable::score).reversed());
        return shown;
    }
}
