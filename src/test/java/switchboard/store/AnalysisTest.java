package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnalysisTest {
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
        assertEquals(List.of(terms.split(" ")), Analysis.ofDocument(text));
    }

    @Test
    void textWithoutWordsHasNoTerms() {
        assertEquals(List.of(), Analysis.ofDocument(""));
        assertEquals(List.of(), Analysis.ofDocument(" \n\t … -- ++ 🙂 the of"));
        assertEquals(List.of(), Analysis.ofQuery("\"\" AND(*) ~"));
    }

    @Test
    void questionWordsAreLeftOutOfQueriesOnly() {
        assertEquals(List.of("restart", "server"), Analysis.ofQuery("How do I restart the server?"));
        assertEquals(
                List.of("how", "do", "i", "restart", "server"), Analysis.ofDocument("How do I restart the server?"));
    }

    @Test
    void aQueryOfNothingButQuestionWordsKeepsThem() {
        assertEquals(List.of("what", "can", "you", "do"), Analysis.ofQuery("What can you do?"));
    }

    @Test
    void scriptsWithoutSpacesBecomePairs() {
        assertEquals(List.of("東", "東京", "京", "京都", "都"), Analysis.ofDocument("東京都"));
        assertEquals(List.of("東京", "京都"), Analysis.ofQuery("東京都"));
        assertEquals(List.of("山"), Analysis.ofQuery("山"));
        assertEquals(List.of("java", "入门"), Analysis.ofQuery("Java入门"));
        assertEquals(List.of("𠀀", "𠀀𠀁", "𠀁"), Analysis.ofDocument("𠀀𠀁"));
    }

    @Test
    void endlessWordsAreCut() {
        List<String> terms = Analysis.ofDocument("x".repeat(100_000));
        assertEquals(1, terms.size());
        assertEquals(Analysis.MAX_TERM, terms.get(0).length());
    }

    @Property(tries = 300, seed = "4711")
    void anyTextGivesTermsThatFitTheIndex(@ForAll String text) {
        for (String term : Analysis.ofDocument(text)) {
            assertTrue(!term.isEmpty() && term.length() <= Analysis.MAX_TERM, term);
        }
    }

    @Property(tries = 300, seed = "4711")
    void aQueryFindsTheSameWordsInADocument(@ForAll String text) {
        assertTrue(Analysis.ofDocument(text).containsAll(Analysis.ofQuery(text)), text);
    }
}
