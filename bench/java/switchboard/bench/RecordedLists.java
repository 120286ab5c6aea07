package switchboard.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Json;
import switchboard.call.Passage;
import switchboard.call.SearchableSource;
import switchboard.call.TermStatistics;
import switchboard.store.PooledKeywordScore;

/**
 * What each source gave for each query, kept in a file, so that fusions can be compared on the same lists without the
 * engines. It answers for the backends it was recorded from.
 */
final class RecordedLists {
    private static final String MODEL = "recorded";

    /** By source ({@code <backend>:<name>}), then query. */
    private final Map<String, Map<String, List<Passage>>> lists = new ConcurrentSkipListMap<>();

    /** The texts of the sources that say how common words are in them, by source. */
    private final Map<String, List<String>> texts = new HashMap<>();

    private final Map<SourceAndQuery, TermStatistics> statistics = new ConcurrentHashMap<>();

    private record SourceAndQuery(String source, String query) {}

    /** The ids that one store with all documents ranks by its own search, by query. */
    private final Map<String, List<String>> single = new ConcurrentSkipListMap<>();

    /** Adds what {@code answer} of {@code search_everywhere} has of one source. */
    void add(String source, String query, JsonNode answer) {
        List<Passage> passages = new ArrayList<>();
        for (JsonNode hit : answer.path("results")) {
            JsonNode cosine = hit.path("similarity");
            // Where equal documents have come in the order of the fusion, the source's own is what counts.
            passages.add(new Passage(
                    hit.path("address").asText(),
                    hit.path("title").asText(),
                    hit.path("url").asText(),
                    hit.path("text").asText(),
                    hit.path("source_score").asDouble(),
                    cosine.isNumber() ? new Passage.Similarity(MODEL, cosine.asDouble()) : null,
                    Json.object().put("rank", hit.path("source_rank").asInt())));
        }
        passages.sort(Comparator.comparingInt(
                passage -> passage.fields().path("rank").asInt()));
        lists.computeIfAbsent(source, _ -> new ConcurrentSkipListMap<>()).put(query, List.copyOf(passages));
    }

    /** What {@code source} holds; from now on it says how common words are there. */
    void holds(String source, List<String> passages) {
        texts.put(source, passages);
    }

    private TermStatistics statistics(String source, String query) {
        return !texts.containsKey(source)
                ? TermStatistics.NONE
                : statistics.computeIfAbsent(
                        new SourceAndQuery(source, query),
                        _ -> PooledKeywordScore.statistics(query, texts.get(source)));
    }

    /** Keeps what one store ranks. */
    void single(String query, List<String> ids) {
        single.put(query, ids);
    }

    /** What one store ranks. */
    List<String> single(String query) {
        return single.getOrDefault(query, List.of());
    }

    /** How many queries are answered by everybody. */
    int queries() {
        return single.size();
    }

    /** What {@code backend} answered. */
    BackendReply answer(String backend, BackendRequest request) {
        return switch (request) {
            case BackendRequest.ListSources _ -> new BackendReply.Sources(names(backend).stream()
                    .map(name -> new SearchableSource(name, "recorded", null, List.of(), null, List.of()))
                    .toList());
            case BackendRequest.SearchSource search -> new BackendReply.Passages(
                    lists.get(backend + ":" + search.source()).get(search.query().text()).stream()
                            .limit(search.query().limit())
                            .toList(),
                    null,
                    statistics(backend + ":" + search.source(), search.query().text()),
                    List.of());
            default -> throw new IllegalStateException("nothing of this was recorded: " + request);
        };
    }

    private List<String> names(String backend) {
        return lists.keySet().stream()
                .filter(source -> source.startsWith(backend + ":"))
                .map(source -> source.substring(backend.length() + 1))
                .toList();
    }

    /** Writes all of it; each text once. */
    void write(Path file) throws IOException {
        ObjectNode all = Json.object();
        Map<String, Integer> texts = new LinkedHashMap<>();
        ArrayNode written = all.putArray("lists");
        lists.forEach((source, byQuery) -> byQuery.forEach((query, passages) -> {
            ArrayNode hits = written.addObject().put("source", source).put("query", query).putArray("hits");
            for (Passage passage : passages) {
                ArrayNode hit = hits.addArray()
                        .add(passage.document())
                        .add(passage.title())
                        .add(passage.url())
                        .add(texts.computeIfAbsent(passage.text(), _ -> texts.size()))
                        .add(passage.score());
                Passage.Similarity similarity = passage.similarity();
                if (similarity != null) {
                    hit.add(similarity.cosine());
                }
            }
        }));
        all.set("single", Json.mapper().valueToTree(single));
        texts.keySet().forEach(all.putArray("texts")::add);
        Files.write(file, Json.bytes(all));
    }

    /** What {@link #write} wrote. */
    static RecordedLists read(Path file) throws IOException {
        JsonNode all = Json.parse(Files.readAllBytes(file));
        List<String> texts = new ArrayList<>();
        all.path("texts").forEach(text -> texts.add(text.asText()));
        RecordedLists recorded = new RecordedLists();
        for (JsonNode list : all.path("lists")) {
            List<Passage> passages = new ArrayList<>();
            for (JsonNode hit : list.path("hits")) {
                passages.add(new Passage(
                        hit.get(0).asText(),
                        hit.get(1).asText(),
                        hit.get(2).asText(),
                        Objects.requireNonNull(texts.get(hit.get(3).asInt())),
                        hit.get(4).asDouble(),
                        hit.has(5) ? new Passage.Similarity(MODEL, hit.get(5).asDouble()) : null,
                        Json.object()));
            }
            recorded.lists
                    .computeIfAbsent(list.path("source").asText(), _ -> new ConcurrentSkipListMap<>())
                    .put(list.path("query").asText(), passages);
        }
        all.path("single").properties().forEach(query -> {
            List<String> ids = new ArrayList<>();
            query.getValue().forEach(id -> ids.add(id.asText()));
            recorded.single.put(query.getKey(), ids);
        });
        return recorded;
    }
}
