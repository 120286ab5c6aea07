package switchboard.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.document.Document;
import switchboard.call.Json;

/**
 * A document outside of an index, in four parts that can be changed on their own. The document that is read from it is the one that
 * was written, vectors included.
 *
 * @param facts what is known of it, JSON
 * @param text its text, UTF-8
 * @param chunks its chunks, a JSON array
 * @param vectors the vectors of its chunks
 */
public record DocumentForm(byte[] facts, byte[] text, byte[] chunks, byte[] vectors) {
    private static final int VERSION = 1;

    /** The version of vectors that some sentences have; earlier gateways can't read them. */
    private static final int WITH_SENTENCES = 2;

    /** Maximum length of a chunk's numbers in one field. */
    static final int MOST_NUMBERS = (1 << Short.SIZE) - 1;

    private static final String FOUND_BY = "foundBy";

    /** The form of a new document. */
    static DocumentForm of(StoredDocument facts, NewDocument document) {
        return of(facts, document.text(), document.chunks(), VectorFields.byField(document));
    }

    /** The form of a document with these chunks and their vectors by field. */
    static DocumentForm of(StoredDocument facts, String text, List<Chunk> chunks, List<Map<String, float[]>> vectors) {
        return new DocumentForm(
                factsOf(facts), text.getBytes(StandardCharsets.UTF_8), chunksOf(chunks), vectorsOf(vectors));
    }

    private static byte[] chunksOf(List<Chunk> chunks) {
        ArrayNode json = Json.array();
        for (int i = 0; i < chunks.size(); i++) {
            json.add(DocumentSchema.toJson(chunks.get(i), i));
        }
        return DocumentSchema.bytes(json);
    }

    /** The same document as if it had just been stored: the form does not depend on how it came about. */
    public DocumentForm plain() {
        StoredDocument document = document(Namespace.of("plain"), facts);
        return new DocumentForm(factsOf(document), text, chunksOf(chunksWithWords()), vectorsOf(vectorsOf(vectors)));
    }

    /** The number of bytes of its four parts. */
    public long size() {
        return (long) facts.length + text.length + chunks.length + vectors.length;
    }

    /** Whether both are the same document, however each came about. */
    boolean same(DocumentForm other) {
        DocumentForm one = plain();
        DocumentForm two = other.plain();
        return Arrays.equals(one.facts, two.facts)
                && Arrays.equals(one.text, two.text)
                && Arrays.equals(one.chunks, two.chunks)
                && Arrays.equals(one.vectors, two.vectors);
    }

    /** The first part. */
    public static byte[] factsOf(StoredDocument facts) {
        return DocumentSchema.bytes(DocumentSchema.toJson(facts, 0));
    }

    /** The first part after its first chunk got other {@link Chunk#foundBy additional words}, which replace those in its chunks. */
    public static byte[] factsOf(StoredDocument facts, String foundBy, byte[] before) {
        ObjectNode json = DocumentSchema.toJson(facts, 0).put(FOUND_BY, foundBy);
        EngineFacts.keep(parsed(before), json);
        return DocumentSchema.bytes(json);
    }

    /** The first part of a document with other facts, whose {@code before} was its first part. */
    public static byte[] factsOf(StoredDocument facts, byte[] before) {
        JsonNode known = parsed(before);
        ObjectNode json = DocumentSchema.toJson(facts, 0);
        if (known.path(FOUND_BY).isTextual()) {
            json.set(FOUND_BY, known.get(FOUND_BY));
        }
        EngineFacts.keep(known, json);
        return DocumentSchema.bytes(json);
    }

    /** The first part of a document whose chunks are in an engine. */
    public static byte[] factsOf(StoredDocument facts, List<EngineChunk> chunks) {
        return factsOf(facts, factsOf(facts), EngineFacts.of(chunks));
    }

    /** The same for a document whose {@code before} was its first part. */
    public static byte[] factsOf(StoredDocument facts, List<EngineChunk> chunks, byte[] before) {
        return factsOf(facts, factsOf(facts, before), EngineFacts.of(chunks));
    }

    private static byte[] factsOf(StoredDocument facts, byte[] before, EngineFacts chunks) {
        ObjectNode json = (ObjectNode) parsed(factsOf(facts, before));
        chunks.write(json);
        return DocumentSchema.bytes(json);
    }

    /** Whether its first part says that chunks are in an engine. */
    public static boolean inEngine(byte[] facts) {
        return EngineFacts.in(parsed(facts));
    }

    /** Whether it is only what is known of the document: even a document without chunks has a list of them. */
    boolean isBare() {
        return chunks.length == 0;
    }

    /** Whether the last part has vectors. */
    public boolean hasVectors() {
        return vectors.length > 0;
    }

    /** The document of a first part. */
    public static StoredDocument document(Namespace namespace, byte[] facts) {
        return Snapshot.document(namespace, parsed(facts));
    }

    /** The last part: the vectors of each chunk by their field. */
    public static byte[] vectorsOf(List<Map<String, float[]>> vectors) {
        TreeSet<String> fields = new TreeSet<>();
        vectors.forEach(one -> fields.addAll(one.keySet()));
        List<String> names = List.copyOf(fields);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(withSentences(vectors) ? WITH_SENTENCES : VERSION);
            out.writeShort(names.size());
            for (String name : names) {
                out.writeUTF(name);
            }
            out.writeInt(vectors.size());
            for (Map<String, float[]> chunk : vectors) {
                out.writeShort(chunk.size());
                for (Map.Entry<String, float[]> vector : new TreeMap<>(chunk).entrySet()) {
                    out.writeShort(names.indexOf(vector.getKey()));
                    write(vector.getValue(), out);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static boolean withSentences(List<Map<String, float[]>> vectors) {
        return vectors.stream()
                .flatMap(chunk -> chunk.entrySet().stream())
                .anyMatch(vector -> vector.getValue().length > VectorFields.dimension(vector.getKey()));
    }

    private static void write(float[] vector, DataOutputStream out) throws IOException {
        out.writeShort(vector.length);
        ByteBuffer floats = ByteBuffer.allocate(vector.length * Float.BYTES);
        floats.asFloatBuffer().put(vector);
        out.write(floats.array());
    }

    /** The vectors of a last part. */
    static List<Map<String, float[]>> vectorsOf(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int version = in.readByte();
            if (version != VERSION && version != WITH_SENTENCES) {
                throw new IllegalStateException("vectors of version " + version + ": install the newer version");
            }
            List<String> names = new ArrayList<>();
            for (int left = in.readShort(); left > 0; left--) {
                names.add(in.readUTF());
            }
            List<Map<String, float[]>> vectors = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                Map<String, float[]> chunk = new HashMap<>();
                for (int more = in.readShort(); more > 0; more--) {
                    String name = names.get(in.readShort());
                    chunk.put(name, read(in));
                }
                vectors.add(chunk);
            }
            return vectors;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static float[] read(DataInputStream in) throws IOException {
        float[] vector = new float[in.readUnsignedShort()];
        ByteBuffer.wrap(in.readNBytes(vector.length * Float.BYTES))
                .asFloatBuffer()
                .get(vector);
        return vector;
    }

    private List<Chunk> chunksWithWords() {
        List<Chunk> all = new ArrayList<>();
        parsed(chunks).forEach(chunk -> all.add(DocumentSchema.chunk(chunk)));
        JsonNode words = parsed(facts).path(FOUND_BY);
        if (words.isTextual() && !all.isEmpty()) {
            all.set(0, all.getFirst().withFoundBy(words.textValue()));
        }
        return all;
    }

    private static JsonNode parsed(byte[] json) {
        try {
            return Json.parse(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The chunks of this form, for an engine. */
    public List<EngineChunk> engineChunks() {
        return engineChunks(vectorsOf(vectors));
    }

    /** For each chunk an empty map, which stands for no vector. */
    List<Map<String, float[]>> withoutVectors() {
        return Collections.nCopies(parsed(chunks).size(), Map.of());
    }

    /** The same with other vectors by their field, one map for each chunk. */
    public List<EngineChunk> engineChunks(List<Map<String, float[]>> others) {
        StoredDocument document = document(Namespace.of("plain"), facts);
        String whole = new String(text, StandardCharsets.UTF_8);
        List<Chunk> all = chunksWithWords();
        List<EngineChunk> made = new ArrayList<>(all.size());
        for (int i = 0; i < all.size(); i++) {
            made.add(EngineChunk.of(document, whole, all.get(i), i, others.get(i)));
        }
        return made;
    }

    /** The Lucene documents of this form. */
    List<Document> block(StoredDocument document) {
        if (isBare()) {
            return List.of(EngineFacts.bare(document, parsed(facts)));
        }
        return DocumentSchema.of(
                document, new String(text, StandardCharsets.UTF_8), chunksWithWords(), vectorsOf(vectors));
    }
}
