package switchboard.compose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import switchboard.backend.DocumentFields;
import switchboard.call.Json;
import switchboard.testing.PostgresCluster;

/** The same filters on the same generated documents let the same ones through in every engine. */
@Tag("engines")
class FiltersTest {
    private static final int DOCUMENTS = 40;
    private static final int FILTERS = 40;
    private static final Map<String, String> TYPES =
            Map.of("year", "int", "rating", "number", "flag", "boolean", "state", "text");
    private static final List<String> STATES =
            List.of("draft", "published", "draft one", "Draft", "it's \"quoted\"", "ärger");

    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    private final Random random = new Random(4711);

    private ObjectNode fields() {
        return Json.object()
                .put("year", 1990 + random.nextInt(8))
                .put("rating", random.nextInt(20) / 4.0)
                .put("flag", random.nextBoolean())
                .put("state", STATES.get(random.nextInt(STATES.size())));
    }

    private ObjectNode filters() {
        ObjectNode filters = Json.object();
        ObjectNode like = fields();
        if (random.nextBoolean()) {
            filters.set("year", range("year"));
        }
        if (random.nextInt(3) == 0) {
            filters.set("rating", range("rating"));
        }
        for (String field : List.of("year", "rating", "flag", "state")) {
            if (random.nextInt(4) == 0) {
                filters.set(field, like.path(field));
            }
        }
        return filters.isEmpty() ? filters.put("flag", true) : filters;
    }

    private ObjectNode range(String field) {
        ObjectNode range = Json.object();
        range.set(random.nextBoolean() ? "gte" : "gt", fields().path(field));
        if (random.nextBoolean()) {
            range.set(random.nextBoolean() ? "lte" : "lt", fields().path(field));
        }
        return range;
    }

    @Test
    void everyEngineLetsTheSameDocumentsThrough() throws Exception {
        Map<String, String> texts = new LinkedHashMap<>();
        Map<String, ObjectNode> values = new TreeMap<>();
        Map<String, List<String>> places = new TreeMap<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            texts.put("d" + i, "A tug is a vessel that moves other ships, number " + i + " of the fleet.");
            values.put("d" + i, fields());
            places.put("d" + i, FourEngines.NAMES);
        }
        try (FourEngines engines = new FourEngines(CLUSTER, Path.of("target", "eval-vectors"))) {
            engines.fill(texts, places, "ships", new FourEngines.Fields(TYPES, values));
            int found = 0;
            for (int i = 0; i < FILTERS; i++) {
                ObjectNode filters = filters();
                TreeSet<String> wanted = new TreeSet<>();
                values.forEach((id, fields) -> {
                    if (new DocumentFields(fields).meets(Conditions.of(filters))) {
                        wanted.add(id);
                    }
                });
                found += wanted.size();
                for (String engine : FourEngines.NAMES) {
                    ObjectNode more = Json.object().put("limit", 100);
                    more.set("filters", filters);
                    JsonNode answer = engines.answer("tug", List.of(engines.source(engine, "ships")), more);
                    assertEquals(
                            "ok", answer.path("sources").path(0).path("status").asText(), answer::toString);
                    assertEquals(
                            wanted,
                            new TreeSet<>(FourEngines.ids(answer)),
                            () -> engine + " with " + filters + ": " + answer);
                }
            }
            assertTrue(found > FILTERS, "the filters let something through: " + found);
        }
    }
}
