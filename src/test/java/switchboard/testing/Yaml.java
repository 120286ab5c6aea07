package switchboard.testing;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import switchboard.call.Json;

/** YAML that tests read: what the gateway writes, and files of its deployment. */
public final class Yaml {
    private Yaml() {}

    /** The one document of {@code text}. */
    public static JsonNode tree(String text) {
        return Json.mapper().valueToTree(load().loadFromString(text));
    }

    /** All documents of {@code text}. */
    public static List<JsonNode> trees(String text) {
        List<JsonNode> trees = new ArrayList<>();
        load().loadAllFromString(text)
                .forEach(document -> trees.add(Json.mapper().valueToTree(document)));
        return trees;
    }

    private static Load load() {
        return new Load(LoadSettings.builder().setSchema(new CoreSchema()).build());
    }
}
