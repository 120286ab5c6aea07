package switchboard.store;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.jspecify.annotations.Nullable;
import org.tartarus.snowball.ext.PorterStemmer;
import switchboard.text.SurrogatePairs;

/**
 * Splits texts into terms for keyword search. An identifier ({@code getUserName}, {@code HTTPServer}, {@code
 * max_size}, {@code utf8}, {@code java.util}) becomes its lower-case, stemmed parts and the whole word. A word of prose
 * becomes the term that the text's language gives it; German compounds are followed by their parts. Stop words are left out;
 * English queries also lose words such as "what" and "how". Scripts without spaces between words become letters, pairs of letters
 * and {@link DictionaryWords}.
 *
 * <p>An instance analyses one text.
 */
final class TextAnalysis {
    /**
     * Changes when the terms of a text change, or what else is indexed of a chunk: since 3 all its pages and its {@link TextFingerprint}
     * are, since 4 names of one letter don't tell the language, since 5 there are {@link DictionaryWords} and the {@link ChunkTerms}
     * have defined names, since 6 title and headings. Documents of another version are analysed again after the start.
     */
    static final String VERSION = "6";

    /** Maximum length of a term. Longer ones are encoded data rather than words and are cut. */
    static final int MAX_TERM = 128;

    /** Follows a word of a script without spaces. No other term of such a script has this character. */
    private static final String DICTIONARY_WORD = "_";

    private static final String DOTS_AND_APOSTROPHES = ".'’";

    private final PorterStemmer stemmer = new PorterStemmer();
    private final List<QueryWord> words = new ArrayList<>();
    private final boolean question;

    /** The language of the text; empty for English. */
    private final Optional<Language> language;

    /** The languages of the texts that a query searches. */
    private final Set<Language> searched;

    private boolean leftOut;

    /** Made for the first run of a script without spaces. */
    private @Nullable DictionaryWords dictionary;

    private TextAnalysis(boolean question, Optional<Language> language, Set<Language> searched) {
        this.question = question;
        this.language = language;
        this.searched = searched;
    }

    /** The terms of a stored text, in order; without a language as in English. */
    static List<String> ofDocument(String text, Optional<Language> language) {
        TextAnalysis analysis = new TextAnalysis(false, language, Set.of());
        analysis.scan(normal(text));
        return analysis.words.stream().map(QueryWord::name).toList();
    }

    /**
     * The words of a query, in order. A query of stop words only keeps them.
     *
     * @param searched the languages of the searched texts besides English
     */
    static List<QueryWord> ofQuery(String text, Set<Language> searched) {
        String normal = normal(text);
        TextAnalysis analysis = new TextAnalysis(true, LanguageDetector.ofQuery(text, searched), searched);
        analysis.scan(normal);
        return analysis.words.isEmpty() && analysis.leftOut
                ? ofDocument(text, Optional.empty()).stream()
                        .map(QueryWord::new)
                        .toList()
                : HyphenatedWords.joined(normal, analysis.words, analysis::ofQuestion);
    }

    private static String normal(String text) {
        return Normalizer.isNormalized(text, Normalizer.Form.NFKC)
                ? text
                : Normalizer.normalize(text, Normalizer.Form.NFKC);
    }

    private void scan(String text) {
        int at = 0;
        while (at < text.length()) {
            int point = text.codePointAt(at);
            int end = at + Character.charCount(point);
            if (unspaced(point)) {
                end = endOfRun(text, end, true);
                unspaced(text.substring(at, end));
            } else if (inWord(point)) {
                end = endOfWord(text, end, DOTS_AND_APOSTROPHES);
                word(text.substring(at, end));
            }
            at = end;
        }
    }

    static int endOfRun(String text, int from, boolean unspaced) {
        int at = from;
        while (at < text.length()) {
            int point = text.codePointAt(at);
            if (!inWord(point) || unspaced(point) != unspaced) {
                break;
            }
            at += Character.charCount(point);
        }
        return at;
    }

    /** The end of the word. One of {@code joining} between word characters belongs to the word. */
    static int endOfWord(String text, int from, String joining) {
        int end = endOfRun(text, from, false);
        while (end + 1 < text.length() && joining.indexOf(text.charAt(end)) >= 0) {
            int next = endOfRun(text, end + 1, false);
            if (next == end + 1) {
                break;
            }
            end = next;
        }
        return end;
    }

    static boolean inWord(int point) {
        return Character.isLetterOrDigit(point)
                || point == '_'
                || switch (Character.getType(point)) {
                    case Character.NON_SPACING_MARK,
                            Character.COMBINING_SPACING_MARK,
                            Character.ENCLOSING_MARK,
                            Character.LETTER_NUMBER -> true;
                    default -> false;
                };
    }

    /** Whether the letter belongs to a script without spaces between words. */
    static boolean unspaced(int point) {
        if (point < 0x0E00) {
            return false;
        }
        return switch (Character.UnicodeScript.of(point)) {
            case HAN, HIRAGANA, KATAKANA, HANGUL, BOPOMOFO, THAI, LAO, KHMER, MYANMAR -> inWord(point);
            default -> false;
        };
    }

    private void unspaced(String run) {
        if (question) {
            unspacedInQuery(run);
        } else {
            unspacedInDocument(run);
        }
    }

    /** Each letter, each with the next, and the word that begins with it. */
    private void unspacedInDocument(String run) {
        Map<Integer, String> words = dictionary().of(run);
        int end;
        for (int at = 0; at < run.length(); at = end) {
            end = run.offsetByCodePoints(at, 1);
            add(run.substring(at, end));
            if (end < run.length()) {
                add(run.substring(at, run.offsetByCodePoints(end, 1)));
            }
            String word = words.get(at);
            if (word != null) {
                add(dictionaryTerm(word));
            }
        }
    }

    /**
     * Each letter with the next. Single Chinese characters follow, as many are words by themselves and no pair shows that
     * they are; single letters of a syllabary say nothing. Then the words. They count twice, because a word has several pairs
     * and characters, which also occur where it is no word.
     */
    private void unspacedInQuery(String run) {
        int[] points = run.codePoints().toArray();
        for (int i = 0; i + 1 < points.length; i++) {
            add(new String(points, i, 2));
        }
        for (int i = 0; i < points.length; i++) {
            if (points.length == 1 || Character.UnicodeScript.of(points[i]) == Character.UnicodeScript.HAN) {
                add(new String(points, i, 1));
            }
        }
        for (String word : dictionary().of(run).values()) {
            add(dictionaryTerm(word));
            add(dictionaryTerm(word));
        }
    }

    private DictionaryWords dictionary() {
        if (dictionary == null) {
            dictionary = new DictionaryWords();
        }
        return dictionary;
    }

    /** The term of a word, which is another one than the same characters as a pair or by themselves. */
    private static String dictionaryTerm(String word) {
        return cut(word, MAX_TERM - DICTIONARY_WORD.length()) + DICTIONARY_WORD;
    }

    /** A term of a text as a reader would write it. */
    static String readable(String term) {
        return term.length() > 1 && term.endsWith(DICTIONARY_WORD) && unspaced(term.codePointAt(0))
                ? term.substring(0, term.length() - DICTIONARY_WORD.length())
                : term;
    }

    private void word(String found) {
        String word = withoutPossessive(found);
        int end = endOfPart(word, 0);
        if (end == word.length()) {
            prose(word);
            return;
        }
        for (int start = 0; start < word.length(); start = end) {
            end = endOfPart(word, start);
            if (!separates(word.charAt(start))) {
                part(word.substring(start, end));
            }
        }
        add(cut(folded(word)));
    }

    private static int endOfPart(String word, int start) {
        int at = start + 1;
        while (at < word.length() && !splits(word, at)) {
            at++;
        }
        return at;
    }

    private static String withoutPossessive(String word) {
        int length = word.length();
        boolean possessive = length > 2
                && (word.charAt(length - 1) == 's' || word.charAt(length - 1) == 'S')
                && (word.charAt(length - 2) == '\'' || word.charAt(length - 2) == '’');
        return possessive ? word.substring(0, length - 2) : word;
    }

    private static boolean separates(char c) {
        return c == '_' || c == '.';
    }

    /** Whether the word is split before {@code at}. */
    private static boolean splits(String word, int at) {
        char left = word.charAt(at - 1);
        char right = word.charAt(at);
        if (separates(left) || separates(right)) {
            return separates(left) != separates(right);
        }
        if (Character.isDigit(left) != Character.isDigit(right)) {
            return Character.isLetter(left) || Character.isLetter(right);
        }
        if (!Character.isUpperCase(right)) {
            return false;
        }
        return Character.isLowerCase(left)
                || (Character.isUpperCase(left)
                        && at + 1 < word.length()
                        && Character.isLowerCase(word.charAt(at + 1)));
    }

    private void add(String term) {
        words.add(new QueryWord(term));
    }

    /** A part of an identifier, or a word of an English text. */
    private void part(String part) {
        english(folded(part)).ifPresent(this::add);
    }

    /** A word that is no identifier. */
    private void prose(String word) {
        if (question) {
            ofQuestion(word).ifPresent(words::add);
        } else if (language.isPresent()) {
            LanguageAnalyzer.of(language.get()).term(word).ifPresent(term -> add(cut(term)));
        } else {
            part(word);
        }
        compounds(word);
    }

    /** A query's word with its terms in all searched languages; empty for a stop word of the query's language. */
    private Optional<QueryWord> ofQuestion(String word) {
        String folded = folded(word);
        Optional<String> english = language.isPresent() ? Optional.of(stem(folded)) : english(folded);
        if (english.isEmpty()) {
            return Optional.empty();
        }
        if (language.filter(own -> LanguageAnalyzer.of(own).term(word).isEmpty())
                .isPresent()) {
            leftOut = true;
            return Optional.empty();
        }
        Set<String> terms = new LinkedHashSet<>();
        terms.add(english.get());
        if (language.isEmpty()) {
            terms.addAll(Abbreviations.of(english.get()));
        }
        searched.forEach(other -> LanguageAnalyzer.of(other).term(word).ifPresent(term -> terms.add(cut(term))));
        return Optional.of(new QueryWord(written(word), english.get(), List.copyOf(terms)));
    }

    /** The word, if it is not an abbreviation. Other words that are not prose don't come here. */
    private static String written(String word) {
        boolean letters = word.codePoints().allMatch(Character::isLetter);
        return letters && word.codePoints().skip(1).noneMatch(Character::isUpperCase) ? word : "";
    }

    /** Without a language, a query may be a single word of any searched language. */
    private void compounds(String word) {
        Set<Language> possible = language.map(Set::of).orElse(searched);
        for (Language one : possible) {
            LanguageAnalyzer analyzer = LanguageAnalyzer.of(one);
            for (String part : analyzer.parts(word)) {
                analyzer.term(part).ifPresent(term -> add(cut(term)));
            }
        }
    }

    private Optional<String> english(String folded) {
        if (EnglishWords.STOP.contains(folded) || (question && EnglishWords.QUESTION.contains(folded))) {
            leftOut |= EnglishWords.QUESTION.contains(folded);
            return Optional.empty();
        }
        return Optional.of(stem(folded));
    }

    /** The term of an English word in lower case, also if it is a stop word. */
    static String ofEnglishWord(String word) {
        return new TextAnalysis(false, Optional.empty(), Set.of()).stem(word);
    }

    private String stem(String folded) {
        stemmer.setCurrent(folded);
        stemmer.stem();
        String stem = stemmer.getCurrent();
        // Of a lone "s" the algorithm leaves nothing.
        return cut(stem.isEmpty() ? folded : stem);
    }

    private static String folded(String word) {
        String lower = word.toLowerCase(Locale.ROOT);
        for (int i = 0; i < lower.length(); i++) {
            if (lower.charAt(i) >= 0x80) {
                char[] in = lower.toCharArray();
                char[] out = new char[4 * in.length];
                return new String(out, 0, ASCIIFoldingFilter.foldToASCII(in, 0, out, 0, in.length));
            }
        }
        return lower;
    }

    private static String cut(String term) {
        return cut(term, MAX_TERM);
    }

    private static String cut(String term, int most) {
        return SurrogatePairs.start(term, most);
    }
}
