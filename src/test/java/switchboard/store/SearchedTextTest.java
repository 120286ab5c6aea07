package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import switchboard.embed.Embedder;
import switchboard.testing.CalculatedEmbedder;

class SearchedTextTest {
    private static final CalculatedEmbedder WHOLE = CalculatedEmbedder.ofCharacters(8);
    private static final CalculatedEmbedder SENTENCES = WHOLE.withSentences();

    private static List<String> embedded(Embedder model, String context, String text) {
        return new SearchedText(context, text).embedded(model);
    }

    @Test
    void onlyAModelThatComparesSentencesGetsThem() {
        String text = "The ferry leaves at nine. Tickets are sold on board.";
        assertEquals(List.of("Harbour\n" + text), embedded(WHOLE, "Harbour", text));
        assertEquals(
                List.of("Harbour\n" + text, "The ferry leaves at nine.", "Tickets are sold on board."),
                embedded(SENTENCES, "Harbour", text));
        assertEquals(List.of("渡轮九点出发。船上可以买票。", "渡轮九点出发。", "船上可以买票。"), embedded(SENTENCES, "", "渡轮九点出发。船上可以买票。"));
    }

    @Test
    void oneSentenceIsTheWholeText() {
        for (String text :
                List.of("Tickets are sold on board.", "  Tickets are sold on board.\n\n \n", "船上可以买票。", "", " \n ")) {
            assertEquals(List.of(text), embedded(SENTENCES, "", text));
        }
    }

    @Test
    void sourceCodeHasNoSentences() {
        String code = "int sum = 0;\nfor (int i = 0; i < n; i++) {\n    sum += values[i];\n}\n";
        assertEquals(List.of(code), embedded(SENTENCES, "", code));
    }

    /** Nothing of the text is left out, and no part is much longer than another. */
    @Test
    void neighboursShareAVectorWhereThereAreMany() {
        String text = IntStream.range(0, 40)
                .mapToObj(number -> "Ship " + number + " is in the harbour.")
                .collect(Collectors.joining(" "));
        List<String> all = embedded(SENTENCES, "", text);
        assertEquals(17, all.size());
        assertEquals(text, String.join(" ", all.subList(1, all.size())));
        assertEquals("Ship 0 is in the harbour. Ship 1 is in the harbour.", all.get(1));
    }

    /** A chunk's numbers must fit into its document's form. */
    @Test
    void longVectorsAreFewer() {
        String text = IntStream.range(0, 40)
                .mapToObj(number -> "Ship " + number + " sails.")
                .collect(Collectors.joining(" "));
        Embedder large =
                CalculatedEmbedder.ofCharacters(StoreCodec.MAX_DIMENSION).withSentences();
        assertEquals(15, embedded(large, "", text).size());
    }
}
