package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextAnalysisTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
                    Running dogs                | run dog
                    the cat is on a mat         | cat mat
                    Alice's book                | alic book
                    Alice’s book                | alic book
                    don't stop                  | don't stop
                    getUserName                 | get user name getusername
                    HTTPServer                  | http server httpserver
                    parseXMLFile                | pars xml file parsexmlfile
                    max_size                    | max size max_size
                    java.util.List              | java util list java.util.list
                    utf8                        | utf 8 utf8
                    sha256sum                   | sha 256 sum sha256sum
                    __init__                    | init __init__
                    foo_                        | foo foo_
                    e.g. this.                  | e g e.g
                    3.14                        | 3 14 3.14
                    C++ and C#                  | c c
                    a-b_c                       | b c b_c
                    ÉCOLE résumé                | ecol resum
                    Straße                      | strass
                    ＦＵＬＬ width               | full width
                    привет Мир                  | привет мир
                    """)
    void documentTerms(String text, String terms) {
        assertEquals(List.of(terms.split(" ")), TextAnalysis.ofDocument(text));
    }

    @Test
    void textWithoutWordsHasNoTerms() {
        assertEquals(List.of(), TextAnalysis.ofDocument(""));
        assertEquals(List.of(), TextAnalysis.ofDocument(" \n\t … -- ++ 🙂 the of"));
        assertEquals(List.of(), TextAnalysis.ofQuery("\"\" AND(*) ~"));
    }

    @Test
    void questionWordsAreLeftOutOfQueriesOnly() {
        assertEquals(List.of("restart", "server"), TextAnalysis.ofQuery("How do I restart the server?"));
        assertEquals(
                List.of("how", "do", "i", "restart", "server"),
                TextAnalysis.ofDocument("How do I restart the server?"));
    }

    @Test
    void aQueryOfNothingButQuestionWordsKeepsThem() {
        assertEquals(List.of("what", "can", "you", "do"), TextAnalysis.ofQuery("What can you do?"));
    }

    @Test
    void scriptsWithoutSpacesBecomePairs() {
        assertEquals(List.of("東", "東京", "京", "京都", "都"), TextAnalysis.ofDocument("東京都"));
        assertEquals(List.of("東京", "京都", "東", "京", "都"), TextAnalysis.ofQuery("東京都"));
        assertEquals(List.of("東の", "の京", "東", "京"), TextAnalysis.ofQuery("東の京"));
        assertEquals(List.of("山"), TextAnalysis.ofQuery("山"));
        assertEquals(List.of("java", "入门", "入", "门"), TextAnalysis.ofQuery("Java入门"));
        assertEquals(List.of("𠀀", "𠀀𠀁", "𠀁"), TextAnalysis.ofDocument("𠀀𠀁"));
    }

    @Test
    void endlessWordsAreCut() {
        List<String> terms = TextAnalysis.ofDocument("x".repeat(100_000));
        assertEquals(1, terms.size());
        assertEquals(TextAnalysis.MAX_TERM, terms.get(0).length());
    }

    @Property(tries = 300)
    void anyTextGivesTermsThatFitTheIndex(@ForAll String text) {
        for (String term : TextAnalysis.ofDocument(text)) {
            assertTrue(!term.isEmpty() && term.length() <= TextAnalysis.MAX_TERM, term);
        }
    }

    @Property(tries = 300)
    void aQueryFindsTheSameWordsInADocument(@ForAll String text) {
        assertTrue(TextAnalysis.ofDocument(text).containsAll(TextAnalysis.ofQuery(text)), text);
    }
}
