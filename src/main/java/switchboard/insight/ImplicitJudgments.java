package switchboard.insight;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.eval.BeirFiles;
import switchboard.eval.JudgedSet;

/**
 * Judgments from what a team read. That a key reads a document after a search counts for it; that it reads one below it and not
 * this one counts against it (Joachims, Granka, Pan, Hembrooke and Gay 2005). A read at a place that is seldom looked at counts
 * more ({@link PositionBias}). A key counts once for a query and a document, for at most {@value #MOST_OF_A_QUERY} documents of a
 * query, and for at most as many reads as the median of the keys that read, so that one key alone decides little. Of a long
 * log the newest {@value #MOST_SEARCHES} searches count, or those with {@value #MOST_HITS} hits and {@value #MOST_CHARACTERS}
 * characters. Not thread-safe.
 */
public final class ImplicitJudgments {
    private static final int MOST_SEARCHES = 50_000;
    private static final int MOST_HITS = 1_000_000;
    private static final int MOST_CHARACTERS = 64 << 20;
    private static final int MOST_OF_A_QUERY = 3;

    private final Map<String, ShownHits> searches = new LinkedHashMap<>();
    private int hits;
    private int characters;

    /** A query by its text or by its hash. */
    private record AskedQuery(
            @Nullable String text, @Nullable String hash) {
        int length() {
            return text == null ? 0 : text.length();
        }
    }

    /** A search: what was shown at which place, and what was read. */
    private record ShownHits(AskedQuery query, String key, Map<String, Integer> places, Set<String> read) {
        int lastRead() {
            return read.stream().mapToInt(places::get).max().orElse(0);
        }
    }

    /** What one key did with a document of a query. */
    private static final class KeySight {
        private int place = Integer.MAX_VALUE;
        private int shown;
        private int read;
        private int skipped;

        void add(int position, boolean reads, boolean skips) {
            if (reads && read == 0) {
                place = position;
            } else if (read == 0) {
                place = Math.min(place, position);
            }
            shown++;
            read += reads ? 1 : 0;
            skipped += skips ? 1 : 0;
        }
    }

    /** What each key did, by document. */
    private static final class QuerySights {
        private final Map<String, Map<String, KeySight>> byKey = new LinkedHashMap<>();

        void add(ShownHits search) {
            Map<String, KeySight> sights = byKey.computeIfAbsent(search.key(), _ -> new LinkedHashMap<>());
            int last = search.lastRead();
            search.places().forEach((address, place) -> {
                boolean read = search.read().contains(address);
                sights.computeIfAbsent(address, _ -> new KeySight()).add(place, read, !read && place < last);
            });
        }

        /** What a read of {@code key} counts, because it may have read a lot for this query. */
        double weight(String key) {
            long read = byKey.getOrDefault(key, Map.of()).values().stream()
                    .filter(sight -> sight.read > 0)
                    .count();
            return read <= MOST_OF_A_QUERY ? 1 : (double) MOST_OF_A_QUERY / read;
        }

        /** What was read; empty if nothing was. */
        Optional<QueryReads> reads(Map<String, Double> weights) {
            double count = 0;
            Set<String> keys = new HashSet<>();
            for (Map.Entry<String, Map<String, KeySight>> key : byKey.entrySet()) {
                long read = key.getValue().values().stream()
                        .filter(sight -> sight.read > 0)
                        .count();
                if (read > 0) {
                    count += read * weights.getOrDefault(key.getKey(), 0.0) * weight(key.getKey());
                    keys.add(key.getKey());
                }
            }
            return keys.isEmpty() ? Optional.empty() : Optional.of(new QueryReads(count, keys));
        }
    }

    /**
     * All judgments.
     *
     * @param judged in the order in which queries were asked and documents were shown first
     * @param reads of each query whose text is kept and after which something was read
     */
    public record ReadJudgments(List<JudgedHit> judged, Map<String, QueryReads> reads) {
        public ReadJudgments {
            judged = List.copyOf(judged);
            reads = Map.copyOf(reads);
        }

        /** Grades above 0 by query, then by address; queries whose text is not kept are left out. */
        public Map<String, Map<String, Integer>> grades() {
            Map<String, Map<String, Integer>> grades = new LinkedHashMap<>();
            for (JudgedHit hit : judged) {
                if (hit.query() != null && hit.grade() > 0) {
                    grades.computeIfAbsent(hit.query(), _ -> new LinkedHashMap<>())
                            .put(hit.address(), hit.grade());
                }
            }
            return grades;
        }

        /** What was shown for queries whose text is kept. */
        private Set<String> documents() {
            return judged.stream()
                    .filter(hit -> hit.query() != null)
                    .map(JudgedHit::address)
                    .collect(Collectors.toCollection(LinkedHashSet::new));
        }

        /** As a judged set, for searches of a running gateway: the documents, all that were shown, have no texts here. */
        public JudgedSet set(String name) {
            Map<String, String> texts = new LinkedHashMap<>();
            Map<String, String> queries = new LinkedHashMap<>();
            Map<String, Map<String, Integer>> byId = new LinkedHashMap<>();
            grades().forEach((query, byAddress) -> {
                queries.put(BeirFiles.id(query), query);
                byId.put(BeirFiles.id(query), byAddress);
            });
            documents().forEach(address -> texts.put(address, ""));
            return new JudgedSet(name, texts, queries, byId);
        }

        /** Writes the grades above 0 as files in the format of BEIR into {@code folder}; returns how many. Blocks. */
        public int write(Path folder) throws IOException {
            BeirFolder files = new BeirFolder(grades(), documents());
            files.write(folder);
            return files.judgments();
        }
    }

    /**
     * What was read after a query.
     *
     * @param count how many reads count: of one key at most as many as the median of all keys, over all queries
     * @param keys whose reads these are
     */
    public record QueryReads(double count, Set<String> keys) {
        public QueryReads {
            keys = Set.copyOf(keys);
        }
    }

    /** Takes a line of the log into account; lines come in their order. */
    public void add(JsonNode line) {
        if (line.path("event").asText().equals(LoggedSearch.SEARCH)) {
            addSearch(line);
            return;
        }
        ShownHits search = searches.get(line.path("search").asText());
        String address = line.path("address").asText();
        if (search != null && search.places().containsKey(address)) {
            search.read().add(address);
        }
    }

    /** The same, if it is about {@code search_everywhere}: an engine's own tool ranks by itself. */
    public void addOverAll(JsonNode line) {
        if (!line.has(LoggedSearch.TOOL)) {
            add(line);
        }
    }

    private void addSearch(JsonNode line) {
        AskedQuery query = new AskedQuery(
                line.path("query").asText(null), line.path("query_hash").asText(null));
        Map<String, Integer> places = new LinkedHashMap<>();
        line.path("hits").forEach(hit -> {
            String address = hit.path("address").asText();
            int position = hit.path("position").asInt();
            if (!address.isEmpty() && position > 0) {
                places.putIfAbsent(address, position); // of several passages of a document the first one
            }
        });
        if ((query.text() == null && query.hash() == null) || places.isEmpty()) {
            return;
        }
        String id = line.path("id").asText();
        forget(id);
        searches.put(id, new ShownHits(query, line.path("key").asText(), places, new HashSet<>()));
        hits += places.size();
        characters += query.length();
        while (searches.size() > MOST_SEARCHES || hits > MOST_HITS || characters > MOST_CHARACTERS) {
            forget(searches.keySet().iterator().next());
        }
    }

    private void forget(String id) {
        ShownHits gone = searches.remove(id);
        if (gone != null) {
            hits -= gone.places().size();
            characters -= gone.query().length();
        }
    }

    /** The judgments of all lines until now. */
    public ReadJudgments judgments() {
        return judgments(true);
    }

    /** The same; with {@code false} each place counts the same, to show what correcting that changes. */
    ReadJudgments judgments(boolean corrected) {
        Map<AskedQuery, QuerySights> queries = new LinkedHashMap<>();
        searches.values().forEach(search -> queries.computeIfAbsent(search.query(), _ -> new QuerySights())
                .add(search));
        Map<String, Double> weights = keyWeights(queries.values());
        PositionBias bias = corrected ? bias(queries.values(), weights) : PositionBias.NONE;
        List<JudgedHit> judged = new ArrayList<>();
        queries.forEach((query, sights) -> judged.addAll(judged(query, sights, weights, bias)));
        Map<String, QueryReads> reads = new HashMap<>();
        queries.forEach((query, sights) -> {
            if (query.text() != null) {
                sights.reads(weights).ifPresent(read -> reads.put(query.text(), read));
            }
        });
        return new ReadJudgments(judged, reads);
    }

    /** What a read of each key that read something counts, so that none counts for more than the median. */
    private static Map<String, Double> keyWeights(Iterable<QuerySights> queries) {
        Map<String, Double> reads = new HashMap<>();
        for (QuerySights sights : queries) {
            sights.byKey.forEach((key, documents) -> {
                long read =
                        documents.values().stream().filter(one -> one.read > 0).count();
                if (read > 0) {
                    reads.merge(key, read * sights.weight(key), Double::sum);
                }
            });
        }
        List<Double> sorted = reads.values().stream().sorted().toList();
        double most = sorted.isEmpty() ? 0 : sorted.get((sorted.size() - 1) / 2);
        reads.replaceAll((_, sum) -> Math.min(1, most / sum));
        return reads;
    }

    private static PositionBias bias(Iterable<QuerySights> queries, Map<String, Double> weights) {
        double[] shown = new double[PositionBias.PLACES];
        double[] read = new double[PositionBias.PLACES];
        for (QuerySights sights : queries) {
            sights.byKey.forEach((key, documents) -> {
                double weight = weights.getOrDefault(key, 0.0) * sights.weight(key);
                for (KeySight sight : documents.values()) {
                    if (sight.place <= PositionBias.PLACES) {
                        shown[sight.place - 1] += weight;
                        read[sight.place - 1] += sight.read > 0 ? weight : 0;
                    }
                }
            });
        }
        return PositionBias.of(shown, read);
    }

    private static List<JudgedHit> judged(
            AskedQuery query, QuerySights sights, Map<String, Double> weights, PositionBias bias) {
        Map<String, Evidence> byDocument = new LinkedHashMap<>();
        sights.byKey.forEach((key, documents) -> {
            double weight = weights.getOrDefault(key, 0.0) * sights.weight(key);
            documents.forEach((address, sight) ->
                    byDocument.computeIfAbsent(address, _ -> new Evidence()).add(sight, weight, bias));
        });
        List<JudgedHit> judged = new ArrayList<>();
        byDocument.forEach((address, evidence) -> judged.add(evidence.judged(query, address)));
        return judged;
    }

    /** What all keys did with a document of a query. */
    private static final class Evidence {
        private double reads;
        private double looks;
        private int shown;
        private int read;
        private int skipped;
        private int keys;

        void add(KeySight sight, double weight, PositionBias bias) {
            reads += sight.read > 0 ? weight : 0;
            // Whoever reads one below it has very likely looked at it.
            looks += weight * (sight.read == 0 && sight.skipped > 0 ? 1 : bias.at(sight.place));
            shown += sight.shown;
            read += sight.read;
            skipped += sight.skipped;
            keys++;
        }

        JudgedHit judged(AskedQuery query, String address) {
            double rate = looks == 0 ? 0 : Math.min(1, reads / looks);
            double trials = Math.max(reads, looks);
            return new JudgedHit(
                    query.text(),
                    query.hash(),
                    address,
                    new JudgedHit.ReadCounts(shown, read, skipped, keys),
                    rate,
                    JudgedHit.lowerBound(rate * trials, trials));
        }
    }
}
