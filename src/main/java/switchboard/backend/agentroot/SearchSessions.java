package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import switchboard.backend.agentroot.Sessions.PastSearch;
import switchboard.backend.agentroot.Sessions.SessionView;

/**
 * The search sessions of callers. Each belongs to an owner, which every call must name. Futures fail with {@code NOT_FOUND} if the
 * owner has no such session, or it has expired.
 */
interface SearchSessions {
    /** Starts a session. At the limit another one is replaced. */
    Future<SessionView> start(String owner, Duration ttl);

    /** The session; using it keeps it alive. */
    Future<SessionView> get(String id, String owner);

    /** Remembers a value. */
    Future<Void> set(String id, String owner, String key, String value);

    /** Ends a session; false if the owner has no such session. */
    Future<Boolean> end(String id, String owner);

    /** Those of {@code keys} that the session has seen; using it keeps it alive. */
    Future<Set<String>> seen(String id, String owner, Collection<String> keys);

    /** Records a search with the keys of the first results, unless the session has ended. */
    Future<Void> searched(String id, String owner, PastSearch asked, List<String> shown);

    /** Those of this process, in memory. */
    record InMemory(Sessions sessions) implements SearchSessions {
        @Override
        public Future<SessionView> start(String owner, Duration ttl) {
            return Future.succeededFuture(sessions.start(owner, ttl));
        }

        @Override
        public Future<SessionView> get(String id, String owner) {
            return Future.succeededFuture(sessions.get(id, owner));
        }

        @Override
        public Future<Void> set(String id, String owner, String key, String value) {
            sessions.set(id, owner, key, value);
            return Future.succeededFuture();
        }

        @Override
        public Future<Boolean> end(String id, String owner) {
            return Future.succeededFuture(sessions.end(id, owner));
        }

        @Override
        public Future<Set<String>> seen(String id, String owner, Collection<String> keys) {
            return Future.succeededFuture(sessions.seen(id, owner, keys));
        }

        @Override
        public Future<Void> searched(String id, String owner, PastSearch asked, List<String> shown) {
            sessions.searched(id, owner, asked, shown);
            return Future.succeededFuture();
        }
    }
}
