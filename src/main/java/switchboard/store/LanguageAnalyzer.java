package switchboard.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.ar.ArabicAnalyzer;
import org.apache.lucene.analysis.cz.CzechAnalyzer;
import org.apache.lucene.analysis.da.DanishAnalyzer;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.el.GreekAnalyzer;
import org.apache.lucene.analysis.es.SpanishAnalyzer;
import org.apache.lucene.analysis.fi.FinnishAnalyzer;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.hu.HungarianAnalyzer;
import org.apache.lucene.analysis.it.ItalianAnalyzer;
import org.apache.lucene.analysis.nl.DutchAnalyzer;
import org.apache.lucene.analysis.no.NorwegianAnalyzer;
import org.apache.lucene.analysis.pt.PortugueseAnalyzer;
import org.apache.lucene.analysis.ro.RomanianAnalyzer;
import org.apache.lucene.analysis.ru.RussianAnalyzer;
import org.apache.lucene.analysis.sv.SwedishAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tr.TurkishAnalyzer;

/** Makes terms of the words of one language, with Lucene's analyzer of that language. Thread-safe. */
final class LanguageAnalyzer {
    private static final Map<Language, LanguageAnalyzer> ALL = new EnumMap<>(Language.class);

    static {
        for (Language language : Language.values()) {
            ALL.put(language, make(language));
        }
    }

    private final Analyzer analyzer;
    private final Set<String> stopWords;
    private final Function<String, List<String>> compounds;

    private LanguageAnalyzer(Analyzer analyzer, CharArraySet stopWords, Function<String, List<String>> compounds) {
        this.analyzer = analyzer;
        this.stopWords =
                stopWords.stream().map(word -> new String((char[]) word)).collect(Collectors.toUnmodifiableSet());
        this.compounds = compounds;
    }

    private static LanguageAnalyzer usual(Analyzer analyzer, CharArraySet stopWords) {
        return new LanguageAnalyzer(analyzer, stopWords, _ -> List.of());
    }

    private static LanguageAnalyzer make(Language language) {
        return switch (language) {
            case ARABIC -> usual(new ArabicAnalyzer(), ArabicAnalyzer.getDefaultStopSet());
            case CZECH -> usual(new CzechAnalyzer(), CzechAnalyzer.getDefaultStopSet());
            case DANISH -> usual(new DanishAnalyzer(), DanishAnalyzer.getDefaultStopSet());
            case DUTCH -> usual(new DutchAnalyzer(), DutchAnalyzer.getDefaultStopSet());
            case FINNISH -> usual(new FinnishAnalyzer(), FinnishAnalyzer.getDefaultStopSet());
            case FRENCH -> usual(new FrenchAnalyzer(), FrenchAnalyzer.getDefaultStopSet());
            case GERMAN ->
                new LanguageAnalyzer(new GermanAnalyzer(), GermanAnalyzer.getDefaultStopSet(), GermanCompounds::parts);
            case GREEK -> usual(new GreekAnalyzer(), GreekAnalyzer.getDefaultStopSet());
            case HUNGARIAN -> usual(new HungarianAnalyzer(), HungarianAnalyzer.getDefaultStopSet());
            case ITALIAN -> usual(new ItalianAnalyzer(), ItalianAnalyzer.getDefaultStopSet());
            case NORWEGIAN -> usual(new NorwegianAnalyzer(), NorwegianAnalyzer.getDefaultStopSet());
            case PORTUGUESE -> usual(new PortugueseAnalyzer(), PortugueseAnalyzer.getDefaultStopSet());
            case ROMANIAN -> usual(new RomanianAnalyzer(), RomanianAnalyzer.getDefaultStopSet());
            case RUSSIAN -> usual(new RussianAnalyzer(), RussianAnalyzer.getDefaultStopSet());
            case SPANISH -> usual(new SpanishAnalyzer(), SpanishAnalyzer.getDefaultStopSet());
            case SWEDISH -> usual(new SwedishAnalyzer(), SwedishAnalyzer.getDefaultStopSet());
            case TURKISH -> usual(new TurkishAnalyzer(), TurkishAnalyzer.getDefaultStopSet());
        };
    }

    /** The analyzer of a language. */
    static LanguageAnalyzer of(Language language) {
        return Objects.requireNonNull(ALL.get(language));
    }

    /** The words, in lower case, that say nothing by themselves. */
    Set<String> stopWords() {
        return stopWords;
    }

    /** The term of a word: lower case, without its ending; empty for a stop word. */
    Optional<String> term(String word) {
        List<String> terms = new ArrayList<>(1);
        try (TokenStream stream = analyzer.tokenStream("", word)) {
            CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
            stream.reset();
            while (stream.incrementToken()) {
                terms.add(term.toString());
            }
            stream.end();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // reading a text in memory
        }
        return terms.isEmpty() ? Optional.empty() : Optional.of(String.join("", terms));
    }

    /** The words that {@code word} is made of; empty if it is not a compound, or the language writes them apart. */
    List<String> parts(String word) {
        return compounds.apply(word);
    }
}
