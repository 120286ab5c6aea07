package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * One object to store, and its result. A mistake that would make Weaviate refuse the whole batch
 * is found here, and then only this object is refused. Not thread-safe: belongs to one call on one event loop.
 */
final class Upsert {
    private static final int MOST_DIMENSIONS = 65_535;
    private static final String LEGACY = "default";

    private final ObjectNode properties;
    private final ObjectNode sent;
    private Result outcome;

    /** The outcome for one object. */
    private sealed interface Result {
        /** Not known yet. */
        record Pending() implements Result {}

        /** It is stored. */
        record Stored(String id) implements Result {}

        /** It is not stored. */
        record Rejected(String error) implements Result {}

        /** It was not sent, so it is not stored. */
        record NotSent(String reason) implements Result {}

        /** Whether it was stored is not known. */
        record Unknown(String id, String error) implements Result {}
    }

    private Upsert(ObjectNode properties, ObjectNode sent, Result outcome) {
        this.properties = properties;
        this.sent = sent;
        this.outcome = outcome;
    }

    /** The object that {@code item} describes. */
    static Upsert of(ObjectsUpsertTool.ObjectItem item, String collection, @Nullable String tenant) {
        String given = item.uuid() == null || item.uuid().isEmpty() ? ObjectsUpsertTool.newId() : item.uuid();
        Optional<String> id = WeaviateIdentifiers.uuid(given);
        ObjectNode sent = Json.object().put("class", collection).put("id", id.orElse(""));
        if (tenant != null) {
            sent.put("tenant", tenant);
        }
        sent.set("properties", item.properties());
        if (item.vectors() != null && !item.vectors().isEmpty()) {
            sent.set("vectors", item.vectors());
        }
        Result outcome =
                problem(item, id.isPresent()).<Result>map(Result.Rejected::new).orElseGet(Result.Pending::new);
        return new Upsert(item.properties(), sent, outcome);
    }

    private static Optional<String> problem(ObjectsUpsertTool.ObjectItem item, boolean identified) {
        if (!identified) {
            return Optional.of("invalid uuid: it must look like 550e8400-e29b-41d4-a716-446655440000");
        }
        if (!UnicodeValidation.holds(item.properties())) {
            return Optional.of("a text holds half of a surrogate pair, which is not valid Unicode");
        }
        if (item.vectors() != null) {
            for (Map.Entry<String, JsonNode> vector : item.vectors().properties()) {
                if (!WeaviateIdentifiers.isVector(vector.getKey())) {
                    return Optional.of("invalid vector name " + WeaviateIdentifiers.quoted(vector.getKey()));
                }
                if (!isVector(vector.getValue())) {
                    return Optional.of("vectors." + vector.getKey() + " must be an array of 1 to " + MOST_DIMENSIONS
                            + " numbers, or of such arrays");
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isVector(JsonNode vector) {
        if (!vector.isArray() || vector.isEmpty() || vector.size() > MOST_DIMENSIONS) {
            return false;
        }
        boolean several = vector.get(0).isArray();
        for (JsonNode element : vector) {
            boolean fits = several
                    ? element.isArray() && !element.path(0).isArray() && isVector(element)
                    : element.isNumber() && Math.abs(element.doubleValue()) <= Float.MAX_VALUE;
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    /** Whether it is still to be sent. */
    boolean waiting() {
        return outcome instanceof Result.Pending;
    }

    /** Whether it is stored. */
    boolean stored() {
        return outcome instanceof Result.Stored;
    }

    /** The property values. */
    ObjectNode properties() {
        return properties;
    }

    /** The JSON to send. */
    ObjectNode json() {
        return sent;
    }

    /** Whether the caller gave no vectors. */
    boolean lacksVectors() {
        return waiting() && !sent.has("vectors") && !sent.has("vector");
    }

    /** Sets a vector: under each of {@code names}, or the unnamed one if there are none. */
    void supply(List<String> names, JsonNode vector) {
        if (names.isEmpty()) {
            sent.set("vector", vector);
        } else {
            ObjectNode named = sent.putObject("vectors");
            names.forEach(name -> named.set(name, vector));
        }
    }

    /** For a collection with an unnamed vector, {@code default} means that one; older servers need it in this form. */
    void unnameVector() {
        JsonNode vectors = sent.path("vectors");
        if (vectors.size() == 1 && vectors.has(LEGACY)) {
            sent.set("vector", vectors.get(LEGACY));
            sent.remove("vectors");
        }
    }

    /** Notes that it is stored under {@code id}. */
    void store(String id) {
        outcome = new Result.Stored(id);
    }

    /** Notes that it is not stored. */
    void refuse(String error) {
        outcome = new Result.Rejected(error);
    }

    /** Notes that it was not sent, and so is not stored. */
    void holdBack(String reason) {
        outcome = new Result.NotSent(reason);
    }

    /** Records that its result is not known. */
    void lose(String error) {
        outcome = new Result.Unknown(sent.path("id").asText(), error);
    }

    /** The entry of the answer. */
    ObjectNode result() {
        return switch (outcome) {
            case Result.Stored stored -> Json.object().put("id", stored.id());
            case Result.Rejected refused -> Json.object().put("error", refused.error());
            case Result.Unknown unknown ->
                Json.object()
                        .put("error", unknown.error())
                        .put("outcome", "unknown")
                        .put("uuid", unknown.id());
            case Result.NotSent notSent ->
                Json.object().put("error", "not sent: " + notSent.reason()).put("outcome", "not_sent");
            case Result.Pending _ -> Json.object().put("error", "not sent").put("outcome", "not_sent");
        };
    }
}
