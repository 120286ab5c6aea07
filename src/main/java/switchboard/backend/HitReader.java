package switchboard.backend;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.codec.digest.DigestUtils;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.call.NamedFields;
import switchboard.call.Passage;
import switchboard.call.SourceQuery;
import switchboard.text.PercentEncoding;

/**
 * Reads the results of a search whose JSON the operator has described. Immutable.
 *
 * @param id the place of the document's id in a result, or null
 * @param score the place of the score, or null
 * @param named the declared fields for text, title and URL
 */
public record HitReader(@Nullable JsonPointer id, @Nullable JsonPointer score, NamedFields named) {
    /** Maximum length of an id in an address. A longer one is replaced by a digest, which {@code fetch_document} refuses. */
    private static final int LONGEST_ID = 3_000;

    private static final int LONGEST_TITLE = 2_000;
    /** Begins what stands for an id. Others use ids that begin with {@code sha256:}, such as registries of images. */
    private static final String DIGEST = "switchboard-sha256:";

    /** Maximum length of a text, so that one server can't fill an answer alone. */
    private static final int LONGEST_TEXT = 20_000;

    /** Maximum size of a result's other fields as JSON; those that don't fit are left out. */
    private static final int LARGEST_FIELDS = 20_000;

    /**
     * A reader with pointers as texts.
     *
     * @throws IllegalArgumentException if one is no JSON pointer
     */
    public static HitReader of(@Nullable String id, @Nullable String score, NamedFields named) {
        return new HitReader(
                id == null ? null : JsonPointer.compile(id), score == null ? null : JsonPointer.compile(score), named);
    }

    /** The objects and texts of {@code list}; a text becomes an object with the field {@code text}. */
    public static List<ObjectNode> objects(JsonNode list) {
        List<ObjectNode> objects = new ArrayList<>();
        for (JsonNode element : list) {
            if (element instanceof ObjectNode object) {
                objects.add(object);
            } else if (element.isTextual()) {
                objects.add(Json.object().put("text", element.asText()));
            }
        }
        return objects;
    }

    /** Those of the first {@code limit} results that have a title or a text, as passages, in their order. */
    public List<Passage> passages(List<ObjectNode> results, int limit) {
        return results.stream()
                .limit(limit)
                .map(this::passage)
                .filter(passage -> !passage.title().isEmpty() || !passage.text().isEmpty())
                .toList();
    }

    /** Whether {@code id} stands for a document without an id of its own, which can't be read. */
    public static boolean isDigest(String id) {
        return id.startsWith(DIGEST);
    }

    /** The id of a result's document as its address has it; empty if it has none of its own. */
    public Optional<String> knownId(ObjectNode result) {
        return knownId(at(id, result), new FieldGuesser(result, named));
    }

    /** The score of a result, or null if it has none. */
    public @Nullable Double scoreOf(ObjectNode result) {
        JsonNode number = at(score, result);
        return number.isNumber() && Double.isFinite(number.asDouble()) ? number.asDouble() : null;
    }

    private Passage passage(ObjectNode result) {
        FieldGuesser fields = new FieldGuesser(result, named);
        return new Passage(
                knownId(at(id, result), fields)
                        .orElseGet(() -> DIGEST + DigestUtils.sha256Hex(Json.bytes(fields.fields()))),
                SourceQuery.beginning(fields.title(), LONGEST_TITLE),
                fields.url(),
                SourceQuery.beginning(fields.text(), LONGEST_TEXT),
                scoreOf(result),
                null,
                fitting(fields.others()));
    }

    /** Those of {@code all} fields that fit {@link #LARGEST_FIELDS}, in their order. */
    private static ObjectNode fitting(ObjectNode all) {
        ObjectNode fitting = Json.object();
        int left = LARGEST_FIELDS;
        for (Map.Entry<String, JsonNode> field : all.properties()) {
            int size = field.getKey().length() + Json.bytes(field.getValue()).length;
            if (size <= left) {
                fitting.set(field.getKey(), field.getValue());
                left -= size;
            }
        }
        return fitting;
    }

    private static JsonNode at(@Nullable JsonPointer pointer, ObjectNode result) {
        return pointer == null ? Json.mapper().missingNode() : result.at(pointer);
    }

    /** The id of a result's document: its own, or its URL; empty if there is none that an address can have. */
    private static Optional<String> knownId(JsonNode own, FieldGuesser fields) {
        return Optional.ofNullable(own.isTextual() || own.isIntegralNumber() ? own.asText() : fields.url())
                .filter(id -> !id.isBlank() && PercentEncoding.of(id).length() <= LONGEST_ID);
    }
}
