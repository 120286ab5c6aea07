package switchboard.insight;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds out from a log what could not be answered, which sources have no part in answers, and what takes long. Of a long log the
 * newest searches count. Not thread-safe.
 */
public final class SearchGaps {
    /** How many searches are looked at. */
    static final int MOST_SEARCHES = 50_000;

    /** How many different questions are compared with each other. */
    private static final int MOST_QUESTIONS = 2_000;

    private static final int OFTEN = 10;
    private static final int MOST_SOURCES = 50;
    private static final int MOST_SLOW = 10;

    private final Instant since;
    private final double leastRelevance;

    /** The oldest one first; of the same moment the one that came first. */
    private final Queue<NumberedSearch> searches = new PriorityQueue<>(
            Comparator.comparing((NumberedSearch one) -> one.search().time())
                    .thenComparingLong(NumberedSearch::number));

    /** Their ids. */
    private final Set<String> ids = new HashSet<>();

    /** Ids of answers with the rest of the hits, and of the searches that they belong to. */
    private final Map<String, String> firstPages = new HashMap<>();

    private final FirstAnswers firstAnswers = new FirstAnswers();

    /** Ids of searches after which something was read. */
    private final Set<String> used = new HashSet<>();

    /** Addresses of documents that were given. */
    private final Set<String> given = new HashSet<>();

    private long number;

    private record NumberedSearch(long number, LoggedQuestion search) {}

    /** Compares texts by meaning. */
    @FunctionalInterface
    public interface Meanings {
        /**
         * How close these texts are to each other.
         *
         * @return for two indexes 0 for unrelated and 1 for related texts, or beyond; empty if they can't be compared
         */
        Future<Optional<PairCloseness>> of(List<String> texts);
    }

    /** How close two texts are. */
    @FunctionalInterface
    public interface PairCloseness {
        /** Nothing is known. */
        PairCloseness NONE = (_, _) -> 0;

        /** Of the texts with these indexes. */
        double of(int one, int other);
    }

    /**
     * Looks at what happened since then.
     *
     * @param leastRelevance a question whose best hit is less relevant is not answered, 0 to 1
     */
    public SearchGaps(Instant since, double leastRelevance) {
        this.since = since;
        this.leastRelevance = leastRelevance;
    }

    /** Earlier searches are left out. */
    public Instant since() {
        return since;
    }

    /** Takes a line of the log into account; those of a team come in their order. */
    public void add(JsonNode line) {
        String id = line.path("id").asText();
        if (LoggedQuestion.time(line).filter(time -> !time.isBefore(since)).isPresent()) {
            given.addAll(line.path("hits").findValuesAsText("address"));
        }
        if (line.hasNonNull("search")) {
            String search = line.path("search").asText();
            String first = firstPages.getOrDefault(search, search);
            if (ids.contains(first)) {
                used.add(first);
            }
            return;
        }
        String first = firstAnswers.of(line);
        if (ids.contains(first)) {
            firstPages.put(id, first);
        }
        LoggedQuestion.of(line).filter(search -> !search.time().isBefore(since)).ifPresent(this::add);
    }

    private void add(LoggedQuestion search) {
        searches.add(new NumberedSearch(number++, search));
        ids.add(search.id());
        if (searches.size() > MOST_SEARCHES) {
            String oldest = searches.remove().search().id();
            ids.remove(oldest);
            used.remove(oldest);
        }
    }

    /** Addresses of all documents that were given. */
    public Set<String> given() {
        return Collections.unmodifiableSet(given);
    }

    /** Sources that were asked at least ten times, the most often asked one first. */
    public List<String> askedOften() {
        return outcomes().entrySet().stream()
                .sorted(Comparator.comparingInt(source -> -source.getValue().size()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private List<LoggedQuestion> searches() {
        return searches.stream().map(NumberedSearch::search).toList();
    }

    /**
     * The report. It computes on the thread that calls it, and on the one on which the texts have been compared.
     *
     * @param mostGroups how many groups of questions it has at most
     */
    public Future<GapReport> report(Meanings meanings, int mostGroups) {
        OpenQuestions open = open();
        return meanings.of(open.texts()).map(known -> open.report(known, mostGroups));
    }

    /** What has to be compared before there is a report. Takes long with many searches. */
    public OpenQuestions open() {
        List<LoggedQuestion> unanswered = searches().stream()
                .filter(search -> search.unanswered(leastRelevance) && !used.contains(search.id()))
                .toList();
        List<LoggedQuestion> readable =
                unanswered.stream().filter(search -> search.query() != null).toList();
        return new OpenQuestions(unanswered.size(), readable.size(), QuestionGroups.AskedQuestion.of(readable));
    }

    /** Questions without an answer, before they are groups. */
    public final class OpenQuestions {
        private final int unanswered;
        private final int readable;
        private final List<QuestionGroups.AskedQuestion> asked;

        private OpenQuestions(int unanswered, int readable, List<QuestionGroups.AskedQuestion> asked) {
            this.unanswered = unanswered;
            this.readable = readable;
            this.asked = asked;
        }

        /** The texts to compare. */
        public List<String> texts() {
            return asked.stream()
                    .limit(MOST_QUESTIONS)
                    .map(QuestionGroups.AskedQuestion::text)
                    .toList();
        }

        /** The report, if that is how close the texts are. Takes long with many texts. */
        public GapReport report(Optional<PairCloseness> known, int mostGroups) {
            int compared = Math.min(asked.size(), MOST_QUESTIONS);
            return new GapReport(
                    searches.size(),
                    unanswered,
                    unanswered - readable,
                    QuestionGroups.of(asked, closeness(known, compared), mostGroups),
                    silent(),
                    slow());
        }
    }

    private static PairCloseness closeness(Optional<PairCloseness> known, int compared) {
        return known.<PairCloseness>map(
                        pairs -> (one, other) -> one < compared && other < compared ? pairs.of(one, other) : 0)
                .orElse(PairCloseness.NONE);
    }

    /** What the sources answered that were asked often. */
    private Map<String, List<LoggedSearch.SourceOutcome>> outcomes() {
        Map<String, List<LoggedSearch.SourceOutcome>> asked = new TreeMap<>();
        searches().forEach(search -> search.asked()
                .forEach(source -> asked.computeIfAbsent(source.source(), _ -> new ArrayList<>())
                        .add(source)));
        asked.values().removeIf(answers -> answers.size() < OFTEN);
        return asked;
    }

    private List<GapReport.SilentSource> silent() {
        Set<String> contributed = new HashSet<>();
        searches().forEach(search -> contributed.addAll(search.contributed()));
        return outcomes().entrySet().stream()
                .filter(source -> !contributed.contains(source.getKey()))
                .map(source -> new GapReport.SilentSource(
                        source.getKey(), source.getValue().size(), (int) source.getValue().stream()
                                .filter(outcome -> !outcome.answered())
                                .count()))
                .sorted(Comparator.comparingInt(source -> -source.asked()))
                .limit(MOST_SOURCES)
                .toList();
    }

    private List<GapReport.SlowQuestion> slow() {
        return searches().stream()
                .sorted(Comparator.comparingLong(search -> -search.ms()))
                .limit(MOST_SLOW)
                .map(search -> {
                    Optional<LoggedSearch.SourceOutcome> slowest = search.asked().stream()
                            .filter(source -> source.ms() > 0)
                            .max(Comparator.comparingLong(LoggedSearch.SourceOutcome::ms));
                    return new GapReport.SlowQuestion(
                            Optional.ofNullable(search.query())
                                    .map(QuestionGroups::shortened)
                                    .orElse(null),
                            search.ms(),
                            slowest.map(LoggedSearch.SourceOutcome::source).orElse(null),
                            slowest.map(LoggedSearch.SourceOutcome::ms).orElse(0L));
                })
                .toList();
    }
}
