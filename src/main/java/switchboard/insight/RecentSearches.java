package switchboard.insight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last searches of some keys on all gateways, as their lines say: what is read belongs to the newest one that gave it, and so does
 * another question. Times are the database's. Not thread-safe.
 */
final class RecentSearches {
    private final Map<AskerKey, List<RecentSearch>> byAsker = new HashMap<>();

    /**
     * A search.
     *
     * @param since when it was answered
     * @param line its line
     */
    record RecentSearch(Instant since, JsonNode line) {
        /** What tells of its query: the text or a hash; null if neither is kept. */
        @Nullable
        String query() {
            JsonNode query = line.path(line.has("query") ? "query" : "query_hash");
            return query.isTextual() ? query.asText() : null;
        }

        /** Whether this has hits behind those of {@code other}, if both ask the same. */
        private boolean goesOn(RecentSearch other) {
            return skipped() > 0
                    && other.skipped() == 0
                    && line.path(LoggedSearch.TOOL).equals(other.line.path(LoggedSearch.TOOL))
                    && line.path("asked").equals(other.line.path("asked"));
        }

        /** The call that it is a part of. */
        private String call() {
            return LoggedSearch.call(id());
        }

        String id() {
            return line.path("id").asText();
        }

        private int skipped() {
            return line.path("skipped").asInt();
        }

        private boolean before(Instant time) {
            return since.isAfter(time.minus(SearchTrail.FOLLOWS)) && !since.isAfter(time);
        }

        private Optional<Integer> position(String address) {
            return line.path("hits")
                    .valueStream()
                    .filter(hit -> hit.path("address").asText().equals(address))
                    .map(hit -> hit.path("position").asInt())
                    .findFirst();
        }
    }

    /** Adds a search of a key. */
    void add(String team, String key, RecentSearch search) {
        List<RecentSearch> searches = byAsker.computeIfAbsent(new AskerKey(team, key), _ -> new ArrayList<>());
        searches.addFirst(search); // of the same moment the last one that was added is the newest
        searches.sort(Comparator.comparing(RecentSearch::since).reversed());
    }

    private List<RecentSearch> before(String team, String key, Instant time) {
        return byAsker.getOrDefault(new AskerKey(team, key), List.of()).stream()
                .filter(search -> search.before(time))
                .toList();
    }

    /**
     * Says in the line of a search how it goes on with what its key has searched before on any gateway. Where its query is not kept, or
     * nothing is known of another one, it stays as it is.
     *
     * @return when the first of the searches was answered that it names then; null if it stays as it is
     */
    @Nullable
    Instant link(String team, String key, RecentSearch search, ObjectNode line) {
        String query = search.query();
        List<RecentSearch> before = before(team, key, search.since()).stream()
                .filter(other -> !other.call().equals(search.call()))
                .toList();
        if (query == null || before.isEmpty()) {
            return null;
        }
        RecentSearch newest = before.getFirst();
        String last = newest.query();
        if (last != null && !last.equals(query)) {
            line.put("after", newest.id());
        } else {
            line.remove("after");
        }
        Optional<RecentSearch> first = before.stream()
                .filter(other -> search.goesOn(other) && query.equals(other.query()))
                .findFirst();
        line.remove("rest_of"); // what has no row is forgotten, or lost
        first.ifPresent(one -> line.put("rest_of", one.id()));
        return first.orElse(newest).since(); // the newest one is not before it
    }

    /** What {@code read} tells of, which happened at {@code time}; empty if none of these searches of its caller gave that. */
    Optional<SearchTrail.Use> use(ReadDocument read, Instant time) {
        return before(read.caller().team(), read.caller().key(), time).stream()
                .filter(search -> search.position(read.address()).isPresent())
                .findFirst()
                .map(search -> new SearchTrail.Use(
                        search.since(),
                        read.line(search.id(), search.position(read.address()).orElseThrow())));
    }
}
