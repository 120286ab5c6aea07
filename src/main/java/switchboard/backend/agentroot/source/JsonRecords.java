package switchboard.backend.agentroot.source;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import switchboard.backend.agentroot.source.RecordRows.DataRecord;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;

/** JSON: each element of an array is a document, as is each line of {@code .jsonl}; anything else is one document. */
record JsonRecords() implements RecordFormat {
    @Override
    public String type() {
        return "json";
    }

    @Override
    public boolean takes(String path) {
        String name = path.toLowerCase(Locale.ROOT);
        return name.endsWith(".json") || name.endsWith(".jsonl") || name.endsWith(".ndjson");
    }

    @Override
    public void read(String text, CollectionOrigin origin, Predicate<DataRecord> rows) {
        JsonNode whole = parsed(text);
        int index = 0;
        for (JsonNode one : whole.isArray() ? whole : List.of(whole)) {
            if (!rows.test(row(one, String.valueOf(index), origin))) {
                return;
            }
            index++;
        }
    }

    /** One value, or an array of the values on the lines. */
    private static JsonNode parsed(String text) {
        try {
            return Json.parse(text);
        } catch (JsonProcessingException whole) {
            var array = Json.array();
            try {
                for (String line : text.lines().filter(one -> !one.isBlank()).toList()) {
                    array.add(Json.parse(line));
                }
            } catch (JsonProcessingException line) {
                throw new ToolException(
                        FailureKind.INVALID_ARGUMENT,
                        "is not valid JSON: line " + whole.getLocation().getLineNr());
            }
            if (array.isEmpty()) {
                throw new ToolException(FailureKind.INVALID_ARGUMENT, "is empty");
            }
            return array;
        }
    }

    private static DataRecord row(JsonNode one, String index, CollectionOrigin origin) {
        ObjectNode facts = Json.object().put("index", index);
        return one instanceof ObjectNode object
                ? RecordFormat.row(object, index, origin, facts)
                : new DataRecord(
                        index,
                        null,
                        one.isTextual() ? one.asText() : Json.text(one),
                        facts,
                        RecordFormat.permission(Json.object(), origin));
    }
}
