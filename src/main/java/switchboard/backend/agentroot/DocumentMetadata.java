package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import switchboard.backend.agentroot.text.ExtractedMetadata;
import switchboard.call.Json;
import switchboard.store.Filter;
import switchboard.store.StoredDocument;

/** The metadata that is stored with a document, and filters by it. */
final class DocumentMetadata {
    /** Version of the rules. Documents of another version are processed again; increase it when the rules change. */
    private static final int RULES = 3;

    private static final String FACTS = "f";
    private static final String PERMITTED = "permitted";

    private static final String FIELD = "metadata." + FACTS + ".";

    private DocumentMetadata() {}

    /** The metadata of one version of a document. */
    static ObjectNode of(DocumentPreparation.PreparedDocument draft, Optional<String> model, ObjectNode user) {
        ExtractedMetadata facts = draft.facts();
        DocumentPreparation.DocumentKey documentKey = draft.documentKey();
        Instant modified = draft.content().modified();
        ObjectNode all = Json.object();
        ObjectNode kept = all.putObject(FACTS)
                .put("rules", RULES)
                .put("provider", documentKey.provider())
                .put("version", documentKey.version())
                .put("dir", directory(documentKey.path()))
                .put("summary", facts.summary())
                .put("category", facts.category())
                .put("difficulty", facts.difficulty())
                .put("language", facts.language())
                .put("told", draft.toldBy())
                .put("model", model.orElse(""));
        if (!documentKey.version().isEmpty()) {
            kept.put(PERMITTED, true);
        }
        if (modified != null) {
            kept.put("modified", modified.toEpochMilli());
        }
        array(kept.putArray("tags"), facts.tags());
        array(kept.putArray("keywords"), facts.terms().keywords());
        array(kept.putArray("concepts"), facts.terms().concepts());
        array(kept.putArray("named"), facts.terms().given());
        UserMetadata.attach(all, user);
        return all;
    }

    /** The metadata of a stored document whose permission was read again, of the version {@code version}. */
    static ObjectNode withVersion(StoredDocument document, String version) {
        ObjectNode all = document.metadata().deepCopy();
        ObjectNode kept = all.withObjectProperty(FACTS).put("version", version);
        if (!version.isEmpty()) {
            kept.put(PERMITTED, true);
        }
        return all;
    }

    /**
     * Whether the permission in the document's text was read when it was stored. Kept only for documents whose source has versions:
     * others are read at each update.
     */
    static boolean permissionWasRead(StoredDocument document) {
        return document.metadata().path(FACTS).path(PERMITTED).asBoolean();
    }

    private static void array(ArrayNode array, List<String> values) {
        values.forEach(array::add);
    }

    /** The folder of a path; empty at the top. */
    static String directory(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    /** Whether a stored document is what these rules and this model would make of the same content. */
    static boolean current(StoredDocument document, Optional<String> model) {
        return document.metadata().path(FACTS).path("rules").asInt() == RULES
                && text(document, "model").equals(model.orElse(""));
    }

    /** The name of a value in filters. */
    static String field(String name) {
        return FIELD + name;
    }

    /** A single value; empty if it is missing. */
    static String text(StoredDocument document, String name) {
        return document.metadata().path(FACTS).path(name).asText("");
    }

    /** A list of values. */
    static List<String> list(StoredDocument document, String name) {
        List<String> values = new ArrayList<>();
        for (JsonNode value : document.metadata().path(FACTS).path(name)) {
            values.add(value.asText());
        }
        return values;
    }

    /** Documents that changed at this moment or later, according to their source. */
    static Filter modifiedSince(Instant moment) {
        return new Filter.Between(FIELD + "modified", new Filter.Value.NumberValue(moment.toEpochMilli()), null);
    }

    /** Documents in exactly this folder. */
    static Filter inDirectory(String directory) {
        return Filter.equal(FIELD + "dir", directory);
    }

    /** Documents without vectors of {@code model}. */
    static Filter withoutVectorsOf(String model) {
        return new Filter.Not(Filter.equal(FIELD + "model", model));
    }

    /** Documents with this value. */
    static Filter equal(String name, String value) {
        return Filter.equal(FIELD + name, value);
    }

    /** Documents with a value that contains the text. */
    static Filter contains(String name, String part) {
        return new Filter.Contains(FIELD + name, part);
    }

    /** The labels of a chunk as agents see them. */
    static ObjectNode labels(Map<String, String> chunkLabels) {
        ObjectNode labels = Json.object();
        chunkLabels.forEach((key, value) -> {
            if (key.startsWith(ChunkLabels.USER)) {
                labels.put(key.substring(ChunkLabels.USER.length()), value);
            }
        });
        return labels;
    }
}
