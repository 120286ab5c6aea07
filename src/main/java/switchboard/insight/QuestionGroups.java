package switchboard.insight;

import java.time.DayOfWeek;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Groups questions by meaning: the most frequent question begins a group, and each other one joins the group with the closest
 * first question, if that is close enough (leader clustering). Without vectors only equal questions are one group.
 */
final class QuestionGroups {
    /** From this normalised cosine on two questions mean much the same. */
    private static final double CLOSE = 0.75;

    private static final int MOST_QUESTIONS = 5;

    /** As much of a question is compared and shown. Whole pages may have been searched for. */
    private static final int MOST_CHARACTERS = 500;

    private static final int MOST_SOURCES = 20;

    private QuestionGroups() {}

    /** A question in one spelling, with each time that it was asked. */
    record AskedQuestion(String text, List<LoggedQuestion> times) {
        /** The questions, the most frequent one first; upper case and blanks make no difference. */
        static List<AskedQuestion> of(List<LoggedQuestion> questions) {
            Map<String, List<LoggedQuestion>> equal = new LinkedHashMap<>();
            for (LoggedQuestion question : questions) {
                equal.computeIfAbsent(spelling(Objects.requireNonNull(question.query())), _ -> new ArrayList<>())
                        .add(question);
            }
            return equal.values().stream()
                    .map(times -> new AskedQuestion(
                            shortened(Objects.requireNonNull(times.getFirst().query())), times))
                    .sorted(Comparator.comparingInt((AskedQuestion question) ->
                                    -question.times().size())
                            .thenComparing(AskedQuestion::text))
                    .toList();
        }

        private static String spelling(String query) {
            return query.strip().toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
        }
    }

    /** The beginning of a query. */
    static String shortened(String query) {
        String text = query.strip();
        if (text.length() <= MOST_CHARACTERS) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(MOST_CHARACTERS - 1)) ? MOST_CHARACTERS - 1 : MOST_CHARACTERS;
        return text.substring(0, end) + "…";
    }

    /** The groups of {@code questions}, the largest one first. */
    static List<GapReport.QuestionGroup> of(
            List<AskedQuestion> questions, SearchGaps.PairCloseness closeness, int most) {
        Map<Integer, List<AskedQuestion>> byLeader = new LinkedHashMap<>();
        for (int i = 0; i < questions.size(); i++) {
            int leader = closest(i, byLeader.keySet(), closeness).orElse(i);
            byLeader.computeIfAbsent(leader, _ -> new ArrayList<>()).add(questions.get(i));
        }
        QuestionWords words = new QuestionWords(
                byLeader.values().stream().map(QuestionGroups::texts).toList());
        return byLeader.values().stream()
                .map(group -> group(group, words))
                .sorted(Comparator.comparingInt(group -> -group.count()))
                .limit(most)
                .toList();
    }

    private static Optional<Integer> closest(int question, Set<Integer> leaders, SearchGaps.PairCloseness closeness) {
        return leaders.stream()
                .filter(leader -> closeness.of(leader, question) >= CLOSE)
                .max(Comparator.comparingDouble(leader -> closeness.of(leader, question)));
    }

    private static List<String> texts(List<AskedQuestion> group) {
        return group.stream().map(AskedQuestion::text).toList();
    }

    private static GapReport.QuestionGroup group(List<AskedQuestion> group, QuestionWords words) {
        List<LoggedQuestion> all =
                group.stream().flatMap(question -> question.times().stream()).toList();
        Set<String> sources = new LinkedHashSet<>();
        Map<String, Integer> weeks = new TreeMap<>();
        for (LoggedQuestion question : all) {
            question.asked().forEach(source -> sources.add(source.source()));
            weeks.merge(
                    question.time()
                            .atZone(ZoneOffset.UTC)
                            .toLocalDate()
                            .with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY))
                            .toString(),
                    1,
                    Integer::sum);
        }
        return new GapReport.QuestionGroup(
                words.of(texts(group)),
                all.size(),
                texts(group).stream().limit(MOST_QUESTIONS).toList(),
                sources.stream().limit(MOST_SOURCES).toList(),
                weeks,
                best(all));
    }

    private static @Nullable Double best(List<LoggedQuestion> questions) {
        return questions.stream()
                .flatMapToDouble(question -> question.relevance().stream())
                .boxed()
                .max(Comparator.naturalOrder())
                .orElse(null);
    }
}
