package switchboard.backend.agentroot;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.apache.commons.codec.digest.DigestUtils;
import switchboard.async.Futures;
import switchboard.backend.agentroot.Sessions.PastSearch;
import switchboard.backend.agentroot.Sessions.SessionView;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.cluster.ClusterUnavailableException;
import switchboard.cluster.SearchSessionRow;
import switchboard.cluster.SearchSessionTable;
import switchboard.cluster.SearchSessionTable.ChangedSession;
import switchboard.cluster.SearchSessionTable.SessionKey;

/**
 * Search sessions that gateways share, with the limits of {@link Sessions}. Times are those of the database.
 *
 * @param backend the backend's id
 * @param max how many there are at most, of all gateways together
 */
record ClusterSearchSessions(SearchSessionTable table, String backend, int max) implements SearchSessions {
    @Override
    public Future<SessionView> start(String owner, Duration ttl) {
        return told(table.start(key(UUID.randomUUID(), owner), ttl, Math.max(1, max / 10), max)
                .map(ClusterSearchSessions::view));
    }

    @Override
    public Future<SessionView> get(String id, String owner) {
        return known(id, owner, place -> table.use(place)
                .map(found -> open(id, found).map(ClusterSearchSessions::view)));
    }

    @Override
    public Future<Void> set(String id, String owner, String key, String value) {
        return known(
                id,
                owner,
                place -> table.changeContext(place, found -> {
                    Future<SearchSessionRow> open = open(id, found);
                    if (open.failed()) {
                        return new ChangedSession<>(null, open.mapEmpty());
                    }
                    Map<String, String> context = context(open.result());
                    if (context.size() >= Sessions.MAX_KEYS && !context.containsKey(key)) {
                        return new ChangedSession<>(null, Future.failedFuture(Sessions.tooManyKeys()));
                    }
                    context.put(key, value);
                    ObjectNode json = Json.object();
                    context.forEach(json::put);
                    return new ChangedSession<>(
                            open.result().usedNow().withContext(Json.bytes(json)), Future.succeededFuture());
                }));
    }

    @Override
    public Future<Boolean> end(String id, String owner) {
        return uuid(id).map(found -> told(table.end(key(found, owner)))).orElseGet(() -> Future.succeededFuture(false));
    }

    @Override
    public Future<Set<String>> seen(String id, String owner, Collection<String> keys) {
        return known(id, owner, place -> table.useSeen(place).map(found -> open(id, found)
                .map(row -> SeenResults.of(row.seen()).among(keys))));
    }

    @Override
    public Future<Void> searched(String id, String owner, PastSearch asked, List<String> shown) {
        return known(
                id,
                owner,
                place -> table.changeSearches(place, found -> found.map(row -> new ChangedSession<>(
                                row.searched(
                                        queries(row, asked),
                                        SeenResults.of(row.seen()).with(shown).bytes()),
                                Future.<Void>succeededFuture()))
                        // It may have ended while the search ran.
                        .orElseGet(() -> new ChangedSession<>(null, Future.succeededFuture()))));
    }

    /** Works on a session of that owner. The result of the work is passed on after the transaction, also if it is a refusal. */
    private <T> Future<T> known(String id, String owner, Function<SessionKey, Future<Future<T>>> work) {
        return uuid(id).map(found -> told(work.apply(key(found, owner))).compose(result -> result))
                .orElseGet(() -> Future.failedFuture(Sessions.notFound(id)));
    }

    private static Future<SearchSessionRow> open(String id, Optional<SearchSessionRow> found) {
        if (found.isEmpty()) {
            return Future.failedFuture(Sessions.notFound(id));
        }
        return found.get().expired() ? Future.failedFuture(Sessions.expired(id)) : Future.succeededFuture(found.get());
    }

    private static <T> Future<T> told(Future<T> done) {
        return Futures.here(done.recover(failure -> Future.failedFuture(
                failure instanceof ClusterUnavailableException
                        ? new ToolException(
                                FailureKind.UNAVAILABLE,
                                "The database that the gateways share can't be used now, and neither can sessions. Try again"
                                        + " in a moment, or search without a session.")
                        : failure)));
    }

    /** The id, if it has the form of one. */
    private static Optional<UUID> uuid(String id) {
        try {
            return Optional.of(UUID.fromString(id))
                    .filter(found -> found.toString().equals(id));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private SessionKey key(UUID id, String owner) {
        return new SessionKey(backend, id, DigestUtils.sha256(owner));
    }

    private static SessionView view(SearchSessionRow row) {
        return new SessionView(
                row.id().toString(),
                row.times().created(),
                row.times().used(),
                row.ttl(),
                Map.copyOf(context(row)),
                pastSearches(row),
                SeenResults.of(row.seen()).size());
    }

    private static Map<String, String> context(SearchSessionRow row) {
        Map<String, String> context = new TreeMap<>();
        json(row.context())
                .properties()
                .forEach(entry -> context.put(entry.getKey(), entry.getValue().asText()));
        return context;
    }

    private static List<PastSearch> pastSearches(SearchSessionRow row) {
        List<PastSearch> searches = new ArrayList<>();
        json(row.queries())
                .forEach(one -> searches.add(new PastSearch(
                        one.path("query").asText(),
                        one.path("results").asInt(),
                        Instant.parse(one.path("at").asText()))));
        return searches;
    }

    private static byte[] queries(SearchSessionRow row, PastSearch asked) {
        List<PastSearch> all = pastSearches(row);
        all.add(asked);
        ArrayNode json = Json.mapper().createArrayNode();
        all.subList(Math.max(0, all.size() - Sessions.MAX_QUERIES), all.size()).forEach(one -> {
            ObjectNode query = json.addObject();
            query.put("query", one.query())
                    .put("results", one.results())
                    .put("at", one.at().toString());
        });
        return Json.bytes(json);
    }

    private static JsonNode json(byte[] bytes) {
        try {
            return bytes.length == 0 ? Json.object() : Json.parse(bytes);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a session is not the JSON that was written", e);
        }
    }
}
