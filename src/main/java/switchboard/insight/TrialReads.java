package switchboard.insight;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import switchboard.call.HitSide;

/**
 * What was read after the searches of a trial. A document counts for the ranking that put it there, wherever it stood. The
 * searches of a key with the same query are one, and of what it reads then the first {@value #MOST_OF_A_QUERY} documents count that one
 * of the rankings had put; what both had put says nothing, and takes nothing away from what does.
 * Each query counts once: what most keys preferred. A key has its part in each, the same as the other keys that asked that, and
 * altogether as much as the median of the keys that read, of those that it asked first. So neither one key that asks much nor
 * one query that many ask decides. Of a long log the newest
 * {@value #MOST_SEARCHES} searches count. Not thread-safe.
 */
public final class TrialReads {
    private static final int MOST_SEARCHES = 50_000;
    private static final int MOST_OF_A_QUERY = 3;
    private static final double ROUNDING = 1e-9;

    private final String trial;
    private final Map<String, MixedSearch> searches = new LinkedHashMap<>();
    private final FirstAnswers first = new FirstAnswers();
    private int mixed;

    /** A query of a key; one that is not kept is told by its search, and the rest of an answer by the key's search before it. */
    private record AskedByKey(String key, String query) {}

    /** A search of the trial: which ranking put what, and what was read. */
    private record MixedSearch(AskedByKey asked, Map<String, HitSide> sides, Set<String> read) {}

    /** Reads after the searches of the trial with this id. */
    public TrialReads(String trial) {
        this.trial = trial;
    }

    /** Takes a line of the log into account; lines come in their order. */
    public void add(JsonNode line) {
        if (line.path("event").asText().equals(LoggedSearch.SEARCH)) {
            if (line.path(LoggedSearch.TRIAL).asText().equals(trial)) {
                addSearch(line);
            }
            return;
        }
        MixedSearch search = searches.get(line.path("search").asText());
        String address = line.path("address").asText();
        if (search != null && search.sides().containsKey(address)) {
            search.read().add(address);
        }
    }

    private void addSearch(JsonNode line) {
        Map<String, HitSide> sides = new HashMap<>();
        line.path("hits").forEach(hit -> HitSide.of(hit.path(LoggedSearch.SIDE).asText())
                .ifPresent(side -> sides.putIfAbsent(hit.path("address").asText(), side)));
        mixed += FirstAnswers.isRest(line) ? 0 : 1;
        String query = Stream.of("query", "query_hash")
                .map(name -> line.path(name).asText(""))
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElseGet(() -> first.of(line));
        searches.put(
                line.path("id").asText(),
                new MixedSearch(new AskedByKey(line.path("key").asText(), query), sides, new LinkedHashSet<>()));
        if (searches.size() > MOST_SEARCHES) {
            searches.remove(searches.keySet().iterator().next());
        }
    }

    /** What comes of all lines until now. */
    public TrialOutcome outcome() {
        Map<AskedByKey, Map<String, HitSide>> read = read();
        Map<AskedByKey, Integer> preferences = preferences(read);
        Map<String, Integer> askers = new HashMap<>();
        preferences.keySet().forEach(asked -> askers.merge(asked.query(), 1, Integer::sum));
        Map<String, Double> ofKey = new HashMap<>();
        preferences.keySet().forEach(asked -> ofKey.merge(asked.key(), part(asked, askers), Double::sum));
        List<Double> sorted = ofKey.values().stream().sorted().toList();
        double most = sorted.isEmpty() ? 0 : sorted.get((sorted.size() - 1) / 2);
        Map<String, Double> counted = new HashMap<>();
        Set<String> deciders = new HashSet<>();
        Map<String, Integer> byQuery = new LinkedHashMap<>();
        int compared = 0;
        for (AskedByKey asked : read.keySet()) {
            int preferred = preferences.getOrDefault(asked, 0);
            double known = counted.getOrDefault(asked.key(), 0.0);
            double sum = known + (preferences.containsKey(asked) ? part(asked, askers) : 0);
            if (known == 0 || sum <= most + ROUNDING) { // the first query of each key counts
                counted.put(asked.key(), sum);
                compared++;
                byQuery.merge(asked.query(), preferred, Integer::sum);
                if (preferred != 0) {
                    deciders.add(asked.key());
                }
            }
        }
        return new TrialOutcome(
                mixed,
                compared,
                deciders.size(),
                (int) byQuery.values().stream().filter(votes -> votes > 0).count(),
                (int) byQuery.values().stream().filter(votes -> votes < 0).count(),
                (int) byQuery.values().stream().filter(votes -> votes == 0).count());
    }

    /** The part of a key in the vote on a query. */
    private static double part(AskedByKey asked, Map<String, Integer> askers) {
        return 1.0 / askers.getOrDefault(asked.query(), 1);
    }

    /** What counts of what each key has read after each query: nothing, if both rankings had put all of it. */
    private Map<AskedByKey, Map<String, HitSide>> read() {
        Map<AskedByKey, Map<String, HitSide>> read = new LinkedHashMap<>();
        for (MixedSearch search : searches.values()) {
            for (String address : search.read()) {
                Map<String, HitSide> told = read.computeIfAbsent(search.asked(), _ -> new LinkedHashMap<>());
                HitSide side = search.sides().getOrDefault(address, HitSide.BOTH);
                if (side != HitSide.BOTH && told.size() < MOST_OF_A_QUERY) {
                    told.putIfAbsent(address, side);
                }
            }
        }
        return read;
    }

    /** What each key preferred that read something that counts: 1 the proposed ranking, -1 the one in use, 0 neither. */
    private static Map<AskedByKey, Integer> preferences(Map<AskedByKey, Map<String, HitSide>> read) {
        Map<AskedByKey, Integer> preferences = new LinkedHashMap<>();
        read.forEach((asked, told) -> {
            int more = 0;
            for (HitSide side : told.values()) {
                more += switch (side) {
                    case PROPOSED -> 1;
                    case CURRENT -> -1;
                    case BOTH -> 0;
                };
            }
            if (!told.isEmpty()) {
                preferences.put(asked, Integer.signum(more));
            }
        });
        return preferences;
    }
}
