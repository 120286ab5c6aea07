package switchboard.store;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import switchboard.store.TextUnits.Unit;
import switchboard.text.SurrogatePairs;

/**
 * Finds the part of a text that answers a query, for texts that must be shortened: the consecutive sentences and lines
 * that share most with the query. Terms are those of keyword search. A rare term counts more; how rare it is, is
 * measured on the sentences of the texts that were found together. A sentence also counts for its neighbours, and a
 * heading for what is below it. Without a common term the window is the beginning of the text.
 *
 * <p>Immutable. Takes linear time.
 */
public final class TextWindows {
    /** Stands for what was cut off. */
    private static final char CUT = '…';

    /** Windows leave room for a cut and a line break at each end. */
    private static final int MARKS = 4;

    /** How much a unit adds to the one after it, and to the one before it: what follows a match explains it more often. */
    private static final double FOLLOWING = 0.35;

    private static final double PRECEDING = 0.25;

    /** The factor by which {@link #FOLLOWING} and {@link #PRECEDING} shrink with each unit of distance. */
    private static final double FARTHER = 0.4;

    /** How much a heading adds to the units below it. */
    private static final double HEADING = 0.4;

    /** Longer queries are pasted texts, of which the first words count. */
    private static final int MOST_WORDS = 256;

    /** The sentences of this many UTF-16 units of text are enough to measure how rare a term is. */
    private static final int MEASURED = 400_000;

    /** The word of the query that a term of a text stands for. */
    private final Map<String, Integer> words;

    /** The weight of each word of the query. */
    private final double[] weights;

    private TextWindows(Map<String, Integer> words, double[] weights) {
        this.words = words;
        this.weights = weights;
    }

    /**
     * Windows for {@code query}.
     *
     * @param texts the texts that were found with it
     */
    public static TextWindows of(String query, List<String> texts) {
        if (query.isBlank()) {
            return new TextWindows(Map.of(), new double[0]);
        }
        List<AnalysedText> measured = new ArrayList<>();
        Set<Language> languages = EnumSet.noneOf(Language.class);
        int left = MEASURED;
        for (String text : texts) {
            if (text.length() <= left) {
                left -= text.length();
                AnalysedText analysed = AnalysedText.of(text);
                measured.add(analysed);
                analysed.language().ifPresent(languages::add);
            }
        }
        Map<String, Integer> words = new HashMap<>();
        List<QueryWord> wanted = TextAnalysis.ofQuery(query, languages);
        for (int i = 0; i < Math.min(wanted.size(), MOST_WORDS); i++) {
            int word = words.getOrDefault(wanted.get(i).name(), i);
            wanted.get(i).terms().forEach(term -> words.putIfAbsent(term, word));
        }
        return new TextWindows(words, weights(words, Math.min(wanted.size(), MOST_WORDS), measured));
    }

    private static double[] weights(Map<String, Integer> words, int count, List<AnalysedText> texts) {
        int[] holders = new int[count];
        int units = 0;
        for (AnalysedText text : texts) {
            for (Unit unit : text.units()) {
                units++;
                text.common(words, unit).forEach(word -> holders[word]++);
            }
        }
        double[] weights = new double[count];
        for (int i = 0; i < count; i++) {
            weights[i] = Math.log(1 + (units - holders[i] + 0.5) / (holders[i] + 0.5));
        }
        return weights;
    }

    /** A text in units, with its language. */
    private record AnalysedText(String text, Optional<Language> language, List<Unit> units) {
        static AnalysedText of(String text) {
            return new AnalysedText(text, LanguageDetector.of(text), TextUnits.of(text));
        }

        /** The words of a query that are in a part of the text. */
        Set<Integer> common(Map<String, Integer> words, Unit unit) {
            Set<Integer> common = new HashSet<>();
            for (String term : TextAnalysis.ofDocument(text.substring(unit.from(), unit.to()), language)) {
                Integer word = words.get(term);
                if (word != null) {
                    common.add(word);
                }
            }
            return common;
        }
    }

    /** The window of {@code text}. */
    public TextWindow in(String text) {
        return new TextWindow(this, text);
    }

    /** The part of {@code text} of at most {@code chars} UTF-16 units; the whole text if that fits. */
    public String cut(String text, int chars) {
        return text.length() <= chars ? text : in(text).within(chars);
    }

    private double weight(AnalysedText text, Unit unit) {
        double weight = 0;
        for (int word : text.common(words, unit)) {
            weight += weights[word];
        }
        return weight;
    }

    /** A text with what each of its units is worth, so that windows of several lengths cost little. */
    public static final class TextWindow {
        private final TextWindows windows;
        private final String text;
        private final AnalysedText analysed;
        private final List<Unit> units;
        private final double[] own;
        private final double[] worth;

        private TextWindow(TextWindows windows, String text) {
            this.windows = windows;
            this.text = text;
            this.analysed = windows.words.isEmpty()
                    ? new AnalysedText(text, Optional.empty(), List.of())
                    : AnalysedText.of(text);
            this.units = analysed.units();
            this.own = new double[units.size()];
            for (int i = 0; i < own.length; i++) {
                own[i] = windows.weight(analysed, units.get(i));
            }
            this.worth = worth(units, own);
        }

        private static double[] worth(List<Unit> units, double[] own) {
            double[] worth = own.clone();
            double heading = 0;
            double before = 0;
            for (int i = 0; i < own.length; i++) {
                boolean above = units.get(i).heading();
                heading = above ? own[i] : heading;
                worth[i] += FOLLOWING * before + (above ? 0 : HEADING * heading);
                before = own[i] + FARTHER * before;
            }
            double after = 0;
            for (int i = own.length - 1; i >= 0; i--) {
                worth[i] += PRECEDING * after;
                after = own[i] + FARTHER * after;
            }
            return worth;
        }

        /** A part of at most {@code chars} UTF-16 units, with marks where it was cut; the whole text if that fits. */
        public String within(int chars) {
            if (text.length() <= chars) {
                return text;
            }
            int room = Math.max(1, chars - MARKS);
            int best = best();
            if (best < 0) {
                return head(room);
            }
            Unit unit = units.get(best);
            return unit.to() - unit.from() <= room ? cut(range(units, worth, room)) : cut(words(unit, room));
        }

        /** The unit with the most of the query; -1 if none has anything of it. */
        private int best() {
            int best = -1;
            for (int i = 0; i < own.length; i++) {
                if (own[i] > 0 && (best < 0 || worth[i] > worth[best])) {
                    best = i;
                }
            }
            return best;
        }

        /** The beginning of the text, up to the end of a sentence, a line or at least a word if that loses little. */
        private String head(int room) {
            int end = 0;
            int most = whole(0, room);
            for (Unit unit : TextUnits.of(text.substring(0, most))) {
                end = unit.to() < most ? unit.to() : end;
            }
            if (end < room * 2 / 3) {
                int space = text.lastIndexOf(' ', most);
                end = space > room / 2 ? space : most;
            }
            return cut(new Unit(0, end, false));
        }

        /** {@code at} after {@code from}, moved if necessary so that it does not split a code point. */
        private int whole(int from, int at) {
            int end = Math.min(at, text.length());
            int before = SurrogatePairs.before(text, end);
            return before > from ? before : SurrogatePairs.after(text, end);
        }

        /** The consecutive words of a long unit that have the most of the query. */
        private Unit words(Unit unit, int room) {
            List<Unit> words = TextUnits.words(text, unit.from(), unit.to());
            double[] weights = new double[words.size()];
            for (int i = 0; i < weights.length; i++) {
                weights[i] = windows.weight(analysed, words.get(i));
            }
            Unit range = range(words, worth(words, weights), room);
            // Not even one word fits if it is very long, or the room very small.
            return range.to() - range.from() <= room
                    ? range
                    : new Unit(range.from(), whole(range.from(), range.from() + room), false);
        }

        /** The consecutive units of at most {@code room} UTF-16 units that are worth most. */
        private static Unit range(List<Unit> units, double[] worth, int room) {
            Unit best = units.getFirst();
            double most = -1;
            double sum = 0;
            int from = 0;
            for (int to = 0; to < units.size(); to++) {
                sum += square(worth[to]);
                while (units.get(to).to() - units.get(from).from() > room && from < to) {
                    sum -= square(worth[from++]);
                }
                boolean fits = units.get(to).to() - units.get(from).from() <= room;
                if (fits && sum > most + 1e-9) {
                    most = sum;
                    best = new Unit(units.get(from).from(), units.get(to).to(), false);
                }
            }
            return best;
        }

        /** Squares prefer one sentence with all terms to several with one term each. */
        private static double square(double worth) {
            return worth * worth + 1e-6;
        }

        private String cut(Unit range) {
            int from = range.from();
            int to = range.to();
            while (to > from && Character.isWhitespace(text.charAt(to - 1))) {
                to--;
            }
            StringBuilder part = new StringBuilder(to - from + MARKS);
            if (from > 0) {
                part.append(CUT).append(text.charAt(from - 1) == '\n' ? "\n" : "");
            }
            part.append(text, from, to);
            if (range.to() < text.length()) {
                part.append(text.charAt(to) == '\n' ? "\n" : "").append(CUT);
            }
            return part.toString();
        }
    }
}
