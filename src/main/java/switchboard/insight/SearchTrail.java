package switchboard.insight;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import switchboard.call.Json;
import switchboard.telemetry.RequestCaller;

/**
 * The last searches of each key: what is read within {@link #FOLLOWS} after a search that gave it belongs to that search, and
 * so does another question. Bounded: of very many keys, those that asked long ago are forgotten first. Not thread-safe.
 */
final class SearchTrail {
    /** How long what a key does still belongs to what it has searched. */
    static final Duration FOLLOWS = Duration.ofMinutes(10);

    /** How many searches of a key are kept. */
    private static final int MOST_OF_A_KEY = 10;

    /** How many hits and searches are kept of all. */
    private static final long MOST_HITS = 200_000;

    private final Cache<AskerKey, List<LoggedSearch>> byAsker = Caffeine.newBuilder()
            .maximumWeight(MOST_HITS)
            .<AskerKey, List<LoggedSearch>>weigher((_, searches) -> searches.stream()
                    .mapToInt(search -> 1 + search.hits().size())
                    .sum())
            .executor(Runnable::run)
            .build();

    private record AskerKey(String team, String key) {
        static AskerKey of(RequestCaller caller) {
            return new AskerKey(caller.team(), caller.key());
        }
    }

    /** The search of the same key that {@code search} follows with another question; then {@code search} is one of its last. */
    Optional<LoggedSearch> add(LoggedSearch search) {
        List<LoggedSearch> before = last(search.caller(), search.time());
        byAsker.put(
                AskerKey.of(search.caller()),
                Stream.concat(Stream.of(search), before.stream())
                        .limit(MOST_OF_A_KEY)
                        .toList());
        return before.stream()
                .findFirst()
                .filter(other -> !other.asked().query().equals(search.asked().query()));
    }

    /**
     * The use of a document.
     *
     * @param searched when the search was answered that gave it
     */
    record Use(Instant searched, ObjectNode line) {}

    /** The use of {@code address} by {@code caller}; empty if none of its last searches gave that. */
    Optional<Use> use(UseKind kind, RequestCaller caller, String address, Instant time) {
        return last(caller, time).stream()
                .filter(search -> search.position(address).isPresent())
                .findFirst()
                .map(search -> new Use(
                        search.time(),
                        Json.object()
                                .put("event", kind.word())
                                .put("search", search.id())
                                .put("time", time.toString())
                                .put("team", caller.team())
                                .put("key", caller.key())
                                .put("address", address)
                                .put("position", search.position(address).orElseThrow())));
    }

    /** The last searches, the newest one first. */
    private List<LoggedSearch> last(RequestCaller caller, Instant now) {
        List<LoggedSearch> all = byAsker.getIfPresent(AskerKey.of(caller));
        Instant oldest = now.minus(FOLLOWS);
        return all == null
                ? List.of()
                : all.stream().filter(search -> search.time().isAfter(oldest)).toList();
    }

    /** Nobody has searched. */
    void clear() {
        byAsker.invalidateAll();
    }
}
