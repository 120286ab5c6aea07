package switchboard.insight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import switchboard.call.Json;

/** People who look at a place with the probability 1 / place, and read what they look at with the probability that they like it. */
public final class SimulatedReaders {
    private final Random random;
    private final List<JsonNode> lines = new ArrayList<>();

    /** The same people for the same {@code seed}. */
    public SimulatedReaders(long seed) {
        this.random = new Random(seed);
    }

    /** The lines of the log until now. */
    public List<JsonNode> lines() {
        return lines;
    }

    /** {@code key} asks {@code query} and is shown {@code addresses}; likes each as {@code liking} says. */
    public void ask(String key, String query, List<String> addresses, ToDoubleFunction<String> liking) {
        String id = search(key, query, addresses);
        for (int i = 0; i < addresses.size(); i++) {
            if (random.nextDouble() < 1.0 / (i + 1) && random.nextDouble() < liking.applyAsDouble(addresses.get(i))) {
                read(id, key, addresses.get(i));
            }
        }
    }

    /** {@code key} asks {@code query} and reads, of what it is shown, whatever {@code wanted} says. */
    public void readAll(String key, String query, List<String> addresses, Predicate<String> wanted) {
        String id = search(key, query, addresses);
        addresses.stream().filter(wanted).forEach(address -> read(id, key, address));
    }

    private String search(String key, String query, List<String> addresses) {
        String id = "r" + lines.size();
        ObjectNode line = Json.object()
                .put("event", "search")
                .put("id", id)
                .put("team", "t")
                .put("key", key)
                .put("query", query);
        ArrayNode hits = line.putArray("hits");
        addresses.forEach(address -> hits.addObject().put("address", address).put("position", hits.size()));
        lines.add(line);
        return id;
    }

    private void read(String search, String key, String address) {
        lines.add(Json.object()
                .put("event", "fetched")
                .put("search", search)
                .put("key", key)
                .put("address", address));
    }
}
