package switchboard.insight;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.telemetry.RequestCaller;

/**
 * The last searches of each key: what is read within {@link #FOLLOWS} after a search that gave it belongs to that search, and
 * so does another question. Bounded: of very many keys, those that asked long ago are forgotten first. Not thread-safe.
 */
final class SearchTrail {
    /** How long what a key does still belongs to what it has searched. */
    static final Duration FOLLOWS = Duration.ofMinutes(10);

    /** How many searches of a key are kept: one call may have twenty. */
    private static final int MOST_OF_A_KEY = 40;

    /** How many hits and searches are kept of all. */
    private static final long MOST_HITS = 200_000;

    private final Cache<AskerKey, List<LoggedSearch>> byAsker = Caffeine.newBuilder()
            .maximumWeight(MOST_HITS)
            .<AskerKey, List<LoggedSearch>>weigher((_, searches) -> searches.stream()
                    .mapToInt(search ->
                            1 + search.hits().size() + search.sources().size())
                    .sum())
            .executor(Runnable::run)
            .build();

    /**
     * How a search goes on with what its key has searched before.
     *
     * @param after the search before it, if that asked something else
     * @param restOf the search whose answer had the hits before, if this is the rest of them
     */
    record Before(Optional<LoggedSearch> after, Optional<LoggedSearch> restOf) {
        /** Names them in {@code line}; returns when the first of these was answered, or null if there is none. */
        @Nullable
        Instant putInto(ObjectNode line) {
            after.ifPresent(search -> line.put("after", search.id()));
            restOf.ifPresent(search -> line.put("rest_of", search.id()));
            return Stream.of(after, restOf)
                    .flatMap(Optional::stream)
                    .map(LoggedSearch::time)
                    .min(Comparator.naturalOrder())
                    .orElse(null);
        }
    }

    /** Adds a search; it is one of the last of its key from now on. */
    Before add(LoggedSearch search) {
        List<LoggedSearch> before = last(search.caller(), search.time());
        byAsker.put(
                AskerKey.of(search.caller()),
                Stream.concat(Stream.of(search), before.stream())
                        .limit(MOST_OF_A_KEY)
                        .toList());
        String query = search.asked().query();
        return new Before(
                before.stream()
                        .filter(other -> !other.sameCall(search))
                        .findFirst()
                        .filter(other -> !other.asked().query().equals(query)),
                before.stream()
                        .filter(other -> search.asked().goesOn(other.asked()))
                        .findFirst());
    }

    /**
     * The use of a document.
     *
     * @param searched when the search was answered that gave it
     */
    record Use(Instant searched, ObjectNode line) {}

    /** What {@code read} tells of; empty if none of the last searches of its caller gave that. */
    Optional<Use> use(ReadDocument read) {
        String address = read.address();
        return last(read.caller(), read.time()).stream()
                .filter(search -> search.position(address).isPresent())
                .findFirst()
                .map(search -> new Use(
                        search.time(),
                        read.line(search.id(), search.position(address).orElseThrow())));
    }

    /** The last searches, the newest one first. */
    private List<LoggedSearch> last(RequestCaller caller, Instant now) {
        List<LoggedSearch> all = byAsker.getIfPresent(AskerKey.of(caller));
        Instant oldest = now.minus(FOLLOWS);
        return all == null
                ? List.of()
                : all.stream().filter(search -> search.time().isAfter(oldest)).toList();
    }
}
