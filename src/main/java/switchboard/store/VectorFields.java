package switchboard.store;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.util.BytesRef;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * The fields of vectors: one for each model and length. Outside of an index a field's numbers are the vector of the whole chunk, then
 * those of its sentences, if its model has these. In the index these are in a field beside it.
 */
final class VectorFields {
    private static final String VECTORS = "vector:";
    private static final String SENTENCES = "sentences:";

    private VectorFields() {}

    /** The name of the field with a model's vectors of this length. */
    static String name(String model, int dimension) {
        return VECTORS + dimension + ":" + model;
    }

    /** Whether a field holds vectors of whole chunks. */
    static boolean isVectors(String field) {
        return field.startsWith(VECTORS);
    }

    /** The model whose vectors a field has, as its embedder is called. */
    static String model(String field) {
        return field.substring(field.indexOf(':', VECTORS.length()) + 1);
    }

    /** The number of dimensions of a field's vectors. */
    static int dimension(String field) {
        return Integer.parseInt(field, VECTORS.length(), field.indexOf(':', VECTORS.length()), 10);
    }

    /** The field with the vectors of the sentences whose chunks have theirs in {@code field}. */
    static String sentences(String field) {
        return SENTENCES + field.substring(VECTORS.length());
    }

    /**
     * A chunk's vector with its field.
     *
     * @param usual the model that made it, if it does not say another
     * @throws ToolException {@code INVALID_ARGUMENT} if it has not length 1, or too many dimensions
     */
    static Map<String, float[]> byField(String usual, Chunk.ChunkVector vector) {
        String model = vector.model() == null ? usual : vector.model();
        float[] whole = unit(vector.values());
        float[] numbers =
                Arrays.copyOf(whole, whole.length * (1 + vector.sentences().size()));
        int at = whole.length;
        for (float[] sentence : vector.sentences()) {
            System.arraycopy(unit(sentence), 0, numbers, at, whole.length);
            at += whole.length;
        }
        return Map.of(name(model, whole.length), numbers);
    }

    private static float[] unit(float[] vector) {
        double square = 0; // by hand: Lucene's dot product asserts that the numbers are finite
        for (float component : vector) {
            square += (double) component * component;
        }
        if (!(Math.abs(square - 1) < 0.01) || vector.length > StoreCodec.MAX_DIMENSION) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "A vector must have length 1 and at most " + StoreCodec.MAX_DIMENSION + " dimensions; this has "
                            + Math.sqrt(square) + " and " + vector.length + ".");
        }
        return vector;
    }

    /** The vector of the whole chunk, of a field's numbers. */
    static float[] whole(String field, float[] numbers) {
        int dimension = dimension(field);
        return numbers.length == dimension ? numbers : Arrays.copyOf(numbers, dimension);
    }

    /** The numbers of a field of which the index has {@code whole} and {@code sentences}. */
    static float[] joined(float[] whole, BytesRef sentences) {
        float[] numbers = Arrays.copyOf(whole, whole.length + sentences.length / Float.BYTES);
        ByteBuffer.wrap(sentences.bytes, sentences.offset, sentences.length)
                .asFloatBuffer()
                .get(numbers, whole.length, numbers.length - whole.length);
        return numbers;
    }

    /** Adds vectors to the Lucene document of their chunk. */
    static void add(Document chunk, Map<String, float[]> vectors) {
        vectors.forEach((field, numbers) -> {
            float[] whole = whole(field, numbers);
            chunk.add(new KnnFloatVectorField(field, whole, VectorSimilarityFunction.DOT_PRODUCT));
            if (numbers.length > whole.length) {
                chunk.add(new BinaryDocValuesField(sentences(field), bytes(numbers, whole.length)));
            }
        });
    }

    private static BytesRef bytes(float[] numbers, int from) {
        ByteBuffer bytes = ByteBuffer.allocate((numbers.length - from) * Float.BYTES);
        bytes.asFloatBuffer().put(numbers, from, numbers.length - from);
        return new BytesRef(bytes.array());
    }

    /** The vectors of a new document's chunks, by field. */
    static List<Map<String, float[]>> byField(NewDocument document) {
        String model = document.model();
        return document.chunks().stream()
                .map(chunk -> model == null || chunk.vector() == null
                        ? Map.<String, float[]>of()
                        : byField(model, chunk.vector()))
                .toList();
    }
}
