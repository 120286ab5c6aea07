package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        assertEquals(List.of(terms.split(" ")), ofDocument(text));
    }

    @Test
    void textWithoutWordsHasNoTerms() {
        assertEquals(List.of(), ofDocument(""));
        assertEquals(List.of(), ofDocument(" \n\t … -- ++ 🙂 the of"));
        assertEquals(List.of(), ofQuery("\"\" AND(*) ~"));
    }

    @Test
    void questionWordsAreLeftOutOfQueriesOnly() {
        assertEquals(List.of("restart", "server"), ofQuery("How do I restart the server?"));
        assertEquals(List.of("how", "do", "i", "restart", "server"), ofDocument("How do I restart the server?"));
    }

    @Test
    void aQueryOfNothingButQuestionWordsKeepsThem() {
        assertEquals(List.of("what", "can", "you", "do"), ofQuery("What can you do?"));
    }

    /** A word ends in an underscore, so that it is another term than the same characters without a boundary around them. */
    @Test
    void scriptsWithoutSpacesBecomeLettersPairsAndWords() {
        assertEquals(List.of("東", "東京", "東京_", "京", "京都", "都", "都_"), ofDocument("東京都"));
        assertEquals(List.of("東京", "京都", "東", "京", "都", "東京_", "東京_", "都_", "都_"), ofQuery("東京都"));
        assertEquals(List.of("備", "備份", "備份_", "份", "份數", "數", "數據", "數據_", "據"), ofDocument("備份數據"));
        assertEquals(List.of("東の", "の京", "東", "京", "東_", "東_", "の_", "の_", "京_", "京_"), ofQuery("東の京"));
        assertEquals(List.of("山", "山_", "山_"), ofQuery("山"));
        assertEquals(List.of("java", "入门", "入", "门", "入门_", "入门_"), ofQuery("Java入门"));
        assertEquals(List.of("𠀀", "𠀀𠀁", "𠀀_", "𠀁", "𠀁_"), ofDocument("𠀀𠀁"));
    }

    @Test
    void dictionariesKnowWordsOfSouthEastAsiaButKoreanHasPairsOnly() {
        assertTrue(ofDocument("ภาษาไทยง่าย").containsAll(List.of("ภาษา_", "ไทย_", "ง่าย_")));
        assertEquals(List.of("서", "서울", "울"), ofDocument("서울"));
        assertEquals(List.of("서울"), ofQuery("서울"));
    }

    @Test
    void aTermOfAWordIsReadAsTheWord() {
        assertEquals("东京", TextAnalysis.readable("东京_"));
        assertEquals("foo_", TextAnalysis.readable("foo_"));
        assertEquals("_", TextAnalysis.readable("_"));
    }

    @Test
    void endlessWordsAreCut() {
        List<String> terms = ofDocument("x".repeat(100_000));
        assertEquals(1, terms.size());
        assertEquals(TextAnalysis.MAX_TERM, terms.get(0).length());
    }

    @Property(tries = 300)
    void anyTextGivesTermsThatFitTheIndex(@ForAll String text) {
        for (String term : ofDocument(text)) {
            assertTrue(!term.isEmpty() && term.length() <= TextAnalysis.MAX_TERM, term);
        }
    }

    @Property(tries = 300)
    void aQueryFindsTheSameWordsInADocument(@ForAll String text) {
        assertTrue(ofDocument(text).containsAll(ofQuery(text)), text);
    }

    @Test
    void wordsOfAGermanTextLoseTheirEndingsAndCompoundsArePartedToo() {
        List<String> terms =
                TextAnalysis.ofDocument("Die Häuser und der Kellerschlüssel", Optional.of(Language.GERMAN));
        assertEquals(List.of("haus", "kellerschlussel", "kell", "schlussel"), terms);
    }

    @Test
    void identifiersAreTheSameInAllLanguages() {
        assertEquals(
                TextAnalysis.ofDocument("getUserName max_size utf8", Optional.empty()),
                TextAnalysis.ofDocument("getUserName max_size utf8", Optional.of(Language.GERMAN)));
    }

    @Test
    void aWordOfAQueryHasATermForEachLanguageThatIsSearched() {
        List<QueryWord> words = TextAnalysis.ofQuery("universities", Set.of(Language.FRENCH, Language.GERMAN));
        assertEquals("univers", words.getFirst().name());
        assertTrue(words.getFirst().terms().size() > 1, words::toString);
        assertEquals(
                List.of("univers"),
                TextAnalysis.ofQuery("universities", Set.of()).getFirst().terms());
    }

    @Test
    void anEnglishWordOfAQueryAlsoStandsForItsAbbreviationsInSourceCode() {
        assertEquals(List.of("directori", "dir"), terms("Directories", Set.of()));
        assertEquals(List.of("configur", "config", "cfg", "conf"), terms("configure", Set.of()));
        assertEquals(List.of("descript", "desc"), terms("description", Set.of()));
        assertEquals(List.of("dir"), terms("dir", Set.of()), "not the other way round");
        assertEquals(List.of("directori"), terms("directory_string", Set.of()), "not in identifiers");
        assertEquals(List.of("directori"), ofDocument("directory"), "not in texts");
        assertFalse(
                terms("wo ist der Index", Set.of(Language.GERMAN)).contains("idx"),
                "not in queries of other languages");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "author",
                "different",
                "general",
                "specific",
                "country",
                "direct",
                "nation",
                "imagine",
                "iteration"
            })
    void wordsOfOtherMeaningHaveNoAbbreviation(String word) {
        assertEquals(1, terms(word, Set.of()).size());
    }

    private static List<String> terms(String query, Set<Language> searched) {
        return TextAnalysis.ofQuery(query, searched).getFirst().terms();
    }

    @Test
    void stopWordsOfTheQuerysLanguageAreLeftOutUnlessThereIsNothingElse() {
        Set<Language> german = Set.of(Language.GERMAN);
        assertEquals(
                List.of("schlussel"),
                TextAnalysis.ofQuery("wo ist der Schlüssel", german).stream()
                        .map(QueryWord::name)
                        .toList());
        assertEquals(List.of(), TextAnalysis.ofDocument("was ist das", Optional.of(Language.GERMAN)));
        assertTrue(TextAnalysis.ofQuery("was ist das", german).contains(new QueryWord("ist")), "rather than nothing");
    }

    @Test
    void aTextFindsItselfInEachLanguage() {
        String text = "Les bibliothèques der Universitäten de las ciudades библиотеки города";
        for (Language language : Language.values()) {
            List<String> terms = TextAnalysis.ofDocument(text, Optional.of(language));
            for (QueryWord word :
                    TextAnalysis.ofQuery("bibliothèques Universitäten ciudades библиотеки", Set.of(language))) {
                if (!word.terms().equals(List.of(word.name()))) {
                    assertTrue(
                            word.terms().stream().anyMatch(terms::contains), () -> language + " " + word + " " + terms);
                }
            }
        }
    }

    private static List<String> ofDocument(String text) {
        return TextAnalysis.ofDocument(text, LanguageDetector.of(text));
    }

    private static List<String> ofQuery(String text) {
        return TextAnalysis.ofQuery(text, Set.of()).stream()
                .map(QueryWord::name)
                .toList();
    }
}
