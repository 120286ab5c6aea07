package switchboard.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.commons.codec.digest.DigestUtils;
import switchboard.call.Json;
import switchboard.store.EngineChunk;

/**
 * The collection of a library: an object for each chunk, and a named vector for each model.
 *
 * @param name its name
 */
record ChunkCollection(String name) {
    /** The id of the chunk's document. */
    static final String DOCUMENT = "document";

    /** The chunk's number in the document. */
    static final String INDEX = "index";

    /** The terms of its text, joined by spaces. */
    static final String TERMS = "terms";

    static final String LANGUAGE = "language";

    /** What is stored of the chunk, as JSON. */
    static final String CONTENT = "content";

    /** Its vectors with all their bits, because Weaviate gives back numbers as decimals, three times as long. */
    static final String VECTORS = "vectors";

    /** Those of the embedded store. */
    private static final double K1 = 1.2;

    private static final double B = 0.75;

    private static final int NAME_BYTES = 12;

    /** The collection of the library with this incarnation. */
    static ChunkCollection of(UUID library) {
        return new ChunkCollection("Switchboard_" + library.toString().replace('-', '_'));
    }

    /** The name of the vectors in {@code field}. Weaviate allows letters and digits. */
    static String vectorName(String field) {
        byte[] hash = DigestUtils.sha256(field.getBytes(StandardCharsets.UTF_8));
        return "v" + HexFormat.of().formatHex(hash, 0, NAME_BYTES);
    }

    /** The names of all vectors of {@code chunks}. */
    static Set<String> vectorNames(Collection<EngineChunk> chunks) {
        Set<String> names = new TreeSet<>();
        chunks.forEach(chunk -> chunk.vectors().keySet().forEach(field -> names.add(vectorName(field))));
        return names;
    }

    /**
     * Its definition.
     *
     * @param shards the number of parts it is divided into
     * @param replicationFactor how many nodes have each part
     */
    ObjectNode definition(Set<String> vectorNames, int shards, int replicationFactor) {
        ObjectNode definition = Json.object()
                .put("class", name)
                .put("description", "Chunks of a Switchboard library, which only Switchboard changes.");
        ObjectNode inverted = definition.putObject("invertedIndexConfig");
        inverted.putObject("bm25").put("k1", K1).put("b", B);
        inverted.putObject("stopwords").put("preset", "none");
        definition.putObject("shardingConfig").put("desiredCount", shards);
        ObjectNode replication = definition.putObject("replicationConfig").put("factor", replicationFactor);
        if (replicationFactor > 1) {
            // A node that was away gets what it has missed; chunks are never changed after they were deleted.
            replication.put("asyncEnabled", true).put("deletionStrategy", "DeleteOnConflict");
        }
        property(definition, DOCUMENT, "text", true)
                .put("indexSearchable", false)
                .put("tokenization", "field");
        property(definition, INDEX, "int", false);
        property(definition, TERMS, "text", true).put("indexSearchable", true).put("tokenization", "whitespace");
        property(definition, LANGUAGE, "text", false).put("indexSearchable", false);
        property(definition, CONTENT, "text", false).put("indexSearchable", false);
        property(definition, VECTORS, "text", false).put("indexSearchable", false);
        addVectors(definition, vectorNames);
        return definition;
    }

    private static ObjectNode property(ObjectNode definition, String name, String type, boolean filterable) {
        ObjectNode property = definition.withArray("properties").addObject().put("name", name);
        property.putArray("dataType").add(type);
        return property.put("indexFilterable", filterable);
    }

    /** Adds the vectors that a definition lacks; false if it has all. */
    static boolean addVectors(ObjectNode definition, Set<String> vectorNames) {
        ObjectNode all = definition.withObjectProperty("vectorConfig");
        boolean added = false;
        for (String name : vectorNames) {
            if (!all.has(name)) {
                ObjectNode one = all.putObject(name).put("vectorIndexType", "hnsw");
                one.putObject("vectorizer").putObject("none");
                one.putObject("vectorIndexConfig").put("distance", "cosine");
                added = true;
            }
        }
        return added;
    }

    /** The object of a chunk. Its id depends on the document and the number only. */
    ObjectNode object(String document, EngineChunk chunk) {
        ObjectNode object = Json.object().put("class", name).put("id", id(document, chunk.index()));
        ObjectNode properties = object.putObject("properties")
                .put(DOCUMENT, document)
                .put(INDEX, chunk.index())
                .put(TERMS, chunk.words())
                .put(CONTENT, chunk.content());
        if (!chunk.language().isEmpty()) {
            properties.put(LANGUAGE, chunk.language());
        }
        if (!chunk.vectors().isEmpty()) {
            properties.put(VECTORS, chunk.encodedVectors());
        }
        ObjectNode vectors = object.putObject("vectors");
        chunk.wholeVectors().forEach((field, vector) -> vectors.set(vectorName(field), Json.array(vector)));
        return object;
    }

    private static String id(String document, int index) {
        return UUID.nameUUIDFromBytes((document + "/" + index).getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    /** The chunk of an object's properties. */
    static EngineChunk chunk(JsonNode properties) {
        String vectors = properties.path(VECTORS).asText("");
        return new EngineChunk(
                properties.path(INDEX).intValue(),
                properties.path(TERMS).asText(""),
                properties.path(LANGUAGE).asText(""),
                properties.path(CONTENT).asText(),
                vectors.isEmpty() || vectors.equals("null") ? Map.of() : EngineChunk.vectors(vectors));
    }
}
