package switchboard.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import switchboard.call.Json;

/** The collections of {@link ChunkServer}'s stand-in: what Weaviate answers to requests of a store, by simple means. */
public final class StoredChunks {
    private static final double K1 = 1.2;
    private static final double B = 0.75;

    private static final Pattern RESULT = Pattern.compile("(\\w+): (Switchboard_\\w+)\\(");
    private static final Pattern WORDS = Pattern.compile("bm25: \\{query: (\"(?:[^\"\\\\]|\\\\.)*\")");
    private static final Pattern VECTOR =
            Pattern.compile("nearVector: \\{vector: (\\[[^\\]]*\\]), targetVectors: \\[\"(\\w+)\"\\]");
    private static final Pattern LIMIT = Pattern.compile("limit: (\\d+)");
    private static final Pattern AFTER = Pattern.compile("after: \"([^\"]*)\"");
    private static final Pattern AMONG = Pattern.compile("operator: ContainsAny, valueText: (\\[[^\\]]*\\])");
    private static final Pattern EQUAL =
            Pattern.compile("path: \\[\"(\\w+)\"\\], operator: Equal, valueText: (\"(?:[^\"\\\\]|\\\\.)*\")");

    private final Map<String, ObjectNode> definitions = new TreeMap<>();
    private final Map<String, Map<String, JsonNode>> objects = new TreeMap<>();

    /** An answer. */
    record Reply(int status, JsonNode body) {}

    /** The names of all collections. */
    public synchronized Set<String> collections() {
        return Set.copyOf(definitions.keySet());
    }

    /** The ids of the documents that have chunks in any collection. */
    public synchronized Set<String> documents() {
        Set<String> documents = new HashSet<>();
        objects.values().forEach(all -> all.values().forEach(one -> documents.add(document(one))));
        return documents;
    }

    /** Forgets everything, as a server with an empty disk. */
    public synchronized void forget() {
        definitions.clear();
        objects.clear();
    }

    synchronized Reply definition(String collection) {
        ObjectNode known = definitions.get(collection);
        return known == null ? new Reply(404, Json.object()) : new Reply(200, known);
    }

    synchronized Reply create(JsonNode definition) {
        String name = definition.path("class").asText();
        if (definitions.putIfAbsent(name, ((ObjectNode) definition).deepCopy()) != null) {
            return new Reply(422, Json.object().put("error", "class name " + name + " already exists"));
        }
        objects.put(name, new TreeMap<>());
        return new Reply(200, definition);
    }

    synchronized Reply change(String collection, JsonNode definition) {
        definitions.put(collection, ((ObjectNode) definition).deepCopy());
        return new Reply(200, definition);
    }

    synchronized Reply drop(String collection) {
        definitions.remove(collection);
        objects.remove(collection);
        return new Reply(200, Json.object());
    }

    synchronized Reply write(JsonNode body) {
        ArrayNode results = Json.array();
        for (JsonNode object : body.path("objects")) {
            String collection = object.path("class").asText();
            for (Map.Entry<String, JsonNode> vector : object.path("vectors").properties()) {
                if (!definitions.get(collection).path("vectorConfig").has(vector.getKey())) {
                    throw new IllegalArgumentException("no vector " + vector.getKey());
                }
            }
            objects.get(collection).put(object.path("id").asText(), object);
            results.addObject().putObject("result").put("status", "SUCCESS");
        }
        return new Reply(200, results);
    }

    synchronized Reply remove(JsonNode body) {
        JsonNode match = body.path("match");
        Set<String> wanted = new HashSet<>();
        match.path("where").path("valueTextArray").forEach(one -> wanted.add(one.asText()));
        Map<String, JsonNode> all = objects.get(match.path("class").asText());
        int before = all.size();
        all.values().removeIf(object -> wanted.contains(document(object)));
        ObjectNode reply = Json.object();
        reply.putObject("results").put("matches", before - all.size()).put("failed", 0);
        return new Reply(200, reply);
    }

    synchronized Reply query(String text) {
        Matcher asked = RESULT.matcher(text);
        while (asked.find()) {
            if (!definitions.containsKey(asked.group(2))) {
                ObjectNode answer = Json.object();
                answer.putArray("errors").addObject().put("message", "Cannot query field \"" + asked.group(2) + "\"");
                return new Reply(200, answer);
            }
        }
        int aggregate = text.indexOf(" Aggregate {");
        String gets = aggregate < 0 ? text : text.substring(0, aggregate);
        ObjectNode answer = Json.object();
        ObjectNode data = answer.putObject("data");
        ObjectNode get = data.putObject("Get");
        for (String part : parts(gets)) {
            get.set(name(part), found(part));
        }
        if (aggregate >= 0) {
            ObjectNode counts = data.putObject("Aggregate");
            for (String part : parts(text.substring(aggregate))) {
                counts.putArray(name(part))
                        .addObject()
                        .putObject("meta")
                        .put("count", all(part).stream().filter(where(part)).count());
            }
        }
        return new Reply(200, answer);
    }

    private static List<String> parts(String text) {
        List<String> parts = new ArrayList<>();
        Matcher result = RESULT.matcher(text);
        int from = -1;
        while (result.find()) {
            if (from >= 0) {
                parts.add(text.substring(from, result.start()));
            }
            from = result.start();
        }
        if (from >= 0) {
            parts.add(text.substring(from));
        }
        return parts;
    }

    private static String name(String part) {
        return part.substring(0, part.indexOf(':'));
    }

    private List<JsonNode> all(String part) {
        return List.copyOf(objects.get(collection(part)).values());
    }

    private static String collection(String part) {
        Matcher result = RESULT.matcher(part);
        if (!result.find()) {
            throw new IllegalArgumentException("no collection: " + part);
        }
        return result.group(2);
    }

    private static Predicate<JsonNode> where(String part) {
        Predicate<JsonNode> condition = _ -> true;
        Matcher among = AMONG.matcher(part);
        if (among.find()) {
            Set<String> documents = new HashSet<>();
            json(among.group(1)).forEach(one -> documents.add(one.asText()));
            condition = condition.and(object -> documents.contains(document(object)));
        }
        Matcher equal = EQUAL.matcher(part);
        if (equal.find()) {
            String value = json(equal.group(2)).asText();
            condition = condition.and(object -> words(object).contains(value));
        }
        return condition;
    }

    private ArrayNode found(String part) {
        List<JsonNode> all = all(part);
        Matcher words = WORDS.matcher(part);
        Matcher vector = VECTOR.matcher(part);
        ToDoubleFunction<JsonNode> score = words.find()
                ? byWords(List.of(json(words.group(1)).asText().split(" ")), all)
                : vector.find() ? byVector(json(vector.group(1)), vector.group(2)) : _ -> 0;
        Matcher limit = LIMIT.matcher(part);
        int most = limit.find() ? Integer.parseInt(limit.group(1)) : 0;
        ArrayNode found = Json.array();
        Matcher after = AFTER.matcher(part);
        if (after.find()) {
            objects.get(collection(part)).entrySet().stream()
                    .filter(one -> one.getKey().compareTo(after.group(1)) > 0)
                    .limit(most)
                    .forEach(one -> {
                        ObjectNode object = found.addObject().put("document", document(one.getValue()));
                        object.putObject("_additional").put("id", one.getKey());
                    });
            return found;
        }
        all.stream()
                .filter(where(part))
                .map(object -> new Scored(object, score.applyAsDouble(object)))
                .filter(one -> one.score() > 0)
                .sorted(Comparator.comparingDouble(Scored::score).reversed())
                .limit(most)
                .forEach(one -> found.add(one.object().path("properties")));
        return found;
    }

    private record Scored(JsonNode object, double score) {}

    private static ToDoubleFunction<JsonNode> byWords(List<String> query, List<JsonNode> all) {
        double mean =
                all.stream().mapToInt(object -> words(object).size()).average().orElse(1);
        Map<String, Double> idf = new TreeMap<>();
        for (String word : query) {
            long holders = all.stream().filter(one -> words(one).contains(word)).count();
            idf.put(word, Math.log(1 + (all.size() - holders + 0.5) / (holders + 0.5)));
        }
        return object -> {
            List<String> words = words(object);
            double sum = 0;
            for (Map.Entry<String, Double> word : idf.entrySet()) {
                long times = words.stream().filter(word.getKey()::equals).count();
                sum += word.getValue() * times / (times + K1 * (1 - B + B * words.size() / mean));
            }
            return sum;
        };
    }

    /** Above 0 for whatever has a vector. */
    private static ToDoubleFunction<JsonNode> byVector(JsonNode wanted, String name) {
        return object -> {
            JsonNode own = object.path("vectors").path(name);
            double product = 0;
            for (int i = 0; i < own.size(); i++) {
                product += own.get(i).doubleValue() * wanted.path(i).doubleValue();
            }
            return own.isEmpty() ? 0 : 2 + product;
        };
    }

    private static List<String> words(JsonNode object) {
        return List.of(object.path("properties").path("terms").asText().split("\\s+"));
    }

    private static String document(JsonNode object) {
        return object.path("properties").path("document").asText();
    }

    private static JsonNode json(String text) {
        try {
            return Json.parse(text);
        } catch (java.io.IOException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
