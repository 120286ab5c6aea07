package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.index.IndexableField;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VectorFieldsTest {
    private static final float[] WHOLE = {0.6f, 0.8f};
    private static final String FIELD = VectorFields.name("model", WHOLE.length);

    /** What is written once more, after a change of a description, is what was given: it does not grow. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void theNumbersOfAChunkAreThoseThatWereGiven(int sentences) {
        List<float[]> given = IntStream.range(0, sentences)
                .mapToObj(number -> number % 2 == 0 ? new float[] {1, 0} : new float[] {0, -1})
                .toList();
        float[] numbers =
                Objects.requireNonNull(VectorFields.byField("model", new Chunk.ChunkVector(null, WHOLE, given))
                        .get(FIELD));
        assertEquals(WHOLE.length * (1 + sentences), numbers.length);

        Document chunk = new Document();
        VectorFields.add(chunk, Map.of(FIELD, numbers));
        float[] whole = ((KnnFloatVectorField) Objects.requireNonNull(chunk.getField(FIELD))).vectorValue();
        assertArrayEquals(WHOLE, whole);
        IndexableField others = chunk.getField(VectorFields.sentences(FIELD));
        if (sentences == 0) {
            assertNull(others);
        } else {
            assertArrayEquals(numbers, VectorFields.joined(whole, others.binaryValue()));
        }
    }
}
