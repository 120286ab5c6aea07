package switchboard.backend.agentroot.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import switchboard.backend.agentroot.source.RecordRows.DataRecord;
import switchboard.call.Json;

/** How the records of a kind of file are read. Implementations are immutable. */
interface RecordFormat {
    /** The option with the column or key that identifies records; by default their position. */
    String ID = "id_column";

    /** The option that names the one with the title; by default {@code title}, else {@code name}. */
    String TITLE = "title_column";

    /** The option that names the one with the text; by default the text is all of them. */
    String CONTENT = "content_column";

    /** The option that names the one with who may read the record; it is not part of the text. */
    String ALLOW = "allow_column";

    Set<String> OPTIONS = Set.of(ID, TITLE, CONTENT, ALLOW);

    /** The word for it in {@code collection_add}. */
    String type();

    /** Whether a file of that name is one. */
    boolean takes(String path);

    /**
     * Passes each record of a file to {@code rows} until it returns false.
     *
     * @throws switchboard.call.ToolException if the file does not have this format
     */
    void read(String text, CollectionOrigin origin, Predicate<DataRecord> rows);

    /** The record of the fields in {@code values}; its name is {@code position} unless the origin names a field. */
    static DataRecord row(ObjectNode values, String position, CollectionOrigin origin, ObjectNode facts) {
        Optional<String> title = origin.option(TITLE)
                .map(name -> values.path(name).asText())
                .or(() -> Optional.of(values.path("title").asText()).filter(text -> !text.isBlank()))
                .or(() -> Optional.of(values.path("name").asText()))
                .map(String::strip)
                .filter(text -> !text.isEmpty());
        SourcePermission permission = permission(values, origin);
        origin.option(ALLOW).ifPresent(values::remove);
        String text =
                origin.option(CONTENT).map(name -> values.path(name).asText()).orElseGet(() -> lines(values));
        values.properties().forEach(entry -> fact(facts, entry.getKey(), entry.getValue()));
        origin.option(CONTENT).ifPresent(facts::remove);
        String name = origin.option(ID)
                .map(key -> values.path(key).asText())
                .filter(id -> !id.isBlank())
                .orElse(position);
        return new DataRecord(name, title.orElse(null), text, facts, permission);
    }

    /** Who may read the record with these values, of which the origin may name one that says it. */
    static SourcePermission permission(ObjectNode values, CollectionOrigin origin) {
        return origin.option(ALLOW)
                .map(name -> SourcePermission.of(name, values.get(name)))
                .orElse(SourcePermission.NONE);
    }

    private static String lines(ObjectNode values) {
        StringBuilder lines = new StringBuilder();
        values.properties().forEach(entry -> lines.append(entry.getKey())
                .append(": ")
                .append(entry.getValue().isValueNode() ? entry.getValue().asText() : Json.text(entry.getValue()))
                .append('\n'));
        return lines.toString();
    }

    /** Adds a short value to the metadata. */
    static void fact(ObjectNode facts, String key, JsonNode value) {
        boolean small = value.isValueNode() && !value.isNull() && value.asText().length() <= 1000;
        if (small && facts.size() < 50 && !key.isBlank() && key.length() <= 100) {
            facts.set(key, value);
        }
    }
}
