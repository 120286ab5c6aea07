package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.store.Filter.Value.NumberValue;
import switchboard.store.Filter.Value.TextValue;

/** What the store accepts of its callers: exactly as much as is documented, and not one more. */
class RequestLimitsTest {
    private static void refused(Executable request) {
        assertThrows(IllegalArgumentException.class, request);
    }

    @Test
    void namesOfNamespacesAndOwnersHaveUpTo200Characters() {
        String longest = "n".repeat(200);
        assertEquals(longest, new Namespace(longest, longest).name());
        refused(() -> new Namespace("", longest + "n"));
        refused(() -> new Namespace(longest + "n", "n"));
        refused(() -> new Namespace("owner", ""));
    }

    @Test
    void namespacesAreInTheOrderOfTheirOwnersThenOfTheirNames() {
        Namespace a1 = new Namespace("a", "z");
        Namespace b1 = new Namespace("b", "a");
        Namespace b2 = new Namespace("b", "b");
        assertEquals(
                List.of(a1, b1, b2),
                new ListRequest(List.of(b2, b1, a1, b2), new Filter.All(), ListRequest.Order.BY_SOURCE, 0, 1)
                        .namespaces());
        assertEquals(List.of(a1, b1, b2), search(List.of(b1, b2, a1, b1), 1).namespaces());
    }

    private static SearchRequest search(List<Namespace> namespaces, int topK) {
        return new SearchRequest("q", Optional.empty(), namespaces, new Filter.All(), topK, new Fusion.KeywordOnly());
    }

    @Test
    void aSearchFindsUpTo1000() {
        assertEquals(1000, search(List.of(), 1000).topK());
        assertEquals(1, search(List.of(), 1).topK());
        refused(() -> search(List.of(), 1001));
        refused(() -> search(List.of(), 0));
    }

    private static ListRequest list(int offset, int limit) {
        return new ListRequest(List.of(), new Filter.All(), ListRequest.Order.BY_SOURCE, offset, limit);
    }

    @Test
    void aPageHasUpTo1000AndListsReachUpToAMillion() {
        assertEquals(1000, list(999_000, 1000).limit());
        assertEquals(1, list(0, 1).limit());
        refused(() -> list(0, 1001));
        refused(() -> list(0, 0));
        refused(() -> list(-1, 1));
        refused(() -> list(999_001, 1000));
        refused(() -> list(Integer.MAX_VALUE, 1000));
    }

    private static NewDocument document(String source, String text, String model, Chunk... chunks) {
        return new NewDocument(
                new DocumentDetails(source, "t", "md", null, "h", Json.object()), text, model, List.of(chunks));
    }

    @Test
    void aSourceHasUpTo4096Characters() {
        String longest = "s".repeat(4096);
        assertEquals(longest, document(longest, "text", null).details().source());
        refused(() -> document(longest + "s", "text", null));
        refused(() -> document("", "text", null));
    }

    @Test
    void chunksEndWithTheTextAndVectorsHaveAModel() {
        assertDoesNotThrow(() -> document("s", "text", null, Chunk.of(0, 4)));
        refused(() -> document("s", "text", null, Chunk.of(0, 5)));
        Chunk near = Chunk.of(0, 4).withVector(new float[] {1});
        assertDoesNotThrow(() -> document("s", "text", "m", near));
        refused(() -> document("s", "text", null, near));
    }

    @Test
    void halfCharactersAreReplacedAndWholeOnesStay() {
        NewDocument kept = document("\uD800s\uD83D\uDE00", "a\uDC00\uE000\uD7FF", null);
        assertEquals("\uFFFDs\uD83D\uDE00", kept.details().source());
        assertEquals("a\uFFFD\uE000\uD7FF", kept.text());
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.001, 1.001, Double.NaN})
    void weightsAreSharesOfOne(double wrong) {
        assertDoesNotThrow(() -> new Fusion.WeightedSum(0, 1, 0, 0, 1, 1));
        refused(() -> new Fusion.WeightedSum(wrong, 0, 0, 0, 0, 0));
        refused(() -> new Fusion.WeightedSum(0, wrong, 0, 0, 0, 0));
        refused(() -> new Fusion.WeightedSum(0, 0, wrong, 0, 0, 0));
        refused(() -> new Fusion.WeightedSum(0, 0, 0, wrong, 0, 0));
        refused(() -> new Fusion.WeightedSum(0, 0, 0, 0, wrong, 0));
        refused(() -> new Fusion.WeightedSum(0, 0, 0, 0, 0, wrong));
    }

    @Test
    void aRangeHasABound() {
        assertDoesNotThrow(() -> new Filter.Between("page", new NumberValue(1), null));
        assertDoesNotThrow(() -> new Filter.Between("page", null, new NumberValue(1)));
        refused(() -> new Filter.Between("page", null, null));
    }

    // ---- metadata

    @Test
    void aKeyHasUpTo512Bytes() {
        MetadataTerms.prefix("k".repeat(512));
        MetadataTerms.prefix("ä".repeat(256));
        for (String tooLong : List.of("k".repeat(513), "ä".repeat(256) + "k")) {
            ToolException refusal = assertThrows(ToolException.class, () -> MetadataTerms.prefix(tooLong));
            assertEquals(FailureKind.INVALID_ARGUMENT, refusal.failed().kind());
        }
    }

    @Test
    void aDocumentHasUpTo5000Facts() {
        MetadataTerms full = new MetadataTerms();
        for (int i = 0; i < 5000; i++) {
            full.add("k", i);
        }
        assertEquals(5000, full.terms().size());
        ToolException refusal = assertThrows(ToolException.class, () -> full.add("k", "one more"));
        assertEquals(FailureKind.INVALID_ARGUMENT, refusal.failed().kind());
        assertEquals(5000, full.terms().size());
    }

    @Test
    void longTextsDifferBeyondTheirFirst4096Bytes() {
        String longest = "t".repeat(4096);
        int prefix = MetadataTerms.prefix("k", MetadataTerms.TEXT).length;
        assertEquals(prefix + 4096, MetadataTerms.term("k", new TextValue(longest)).length);
        assertNotEquals(
                MetadataTerms.term("k", new TextValue(longest + "a")),
                MetadataTerms.term("k", new TextValue(longest + "b")));
        assertEquals(longest, MetadataTerms.text(MetadataTerms.term("k", new TextValue(longest + "a")), prefix));
        assertTrue(MetadataTerms.term("k", new TextValue("t".repeat(100_000))).length < prefix + 4096 + 100);
    }

    @Test
    void thereIsOneZero() {
        assertEquals(MetadataTerms.term("k", new NumberValue(0.0)), MetadataTerms.term("k", new NumberValue(-0.0)));
        assertNotEquals(MetadataTerms.term("k", new NumberValue(1)), MetadataTerms.term("k", new TextValue("1")));
    }
}
