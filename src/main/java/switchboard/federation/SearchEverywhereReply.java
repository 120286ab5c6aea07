package switchboard.federation;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.call.EngineMessageSanitizer;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.Passage;
import switchboard.call.PassageRef;
import switchboard.call.PassageRefs;
import switchboard.call.SpellingSuggestion;
import switchboard.call.ToolReply;
import switchboard.signal.PassageSignal;
import switchboard.signal.Quotation;
import switchboard.store.Relevance;
import switchboard.store.RoundedScore;
import switchboard.store.TextWindows;

/** The result of {@code search_everywhere}. Component names are those on the wire. */
record SearchEverywhereReply(
        @Nullable String quoted,
        @Nullable Boolean interleaved,
        List<Hit> results,
        @Nullable Map<String, Integer> hidden,
        @Nullable String reason,
        @Nullable List<SpellingSuggestion.Correction> corrected,
        List<SourceStatus> sources,
        @Nullable String time) {
    private static final int SNIPPET_CHARS = 400;

    /** Maximum number of different reasons in a failure, and of sources that are named for each. */
    private static final int MOST_REASONS = 10;

    private static final int MOST_NAMED = 5;
    private static final int MOST_DETAILS = 20;

    /** How much of each hit is returned. */
    enum Detail {
        /** Title and address. */
        @JsonProperty("titles")
        TITLES,
        /** Also the part of the passage around what matched. */
        @JsonProperty("snippets")
        SNIPPETS,
        /** The whole passage and the document's fields. */
        @JsonProperty("passages")
        PASSAGES
    }

    /** Another document with the same text. */
    record OtherSource(
            String address,
            String source,
            int source_rank,
            @Nullable Double source_score) {
        /** All of them, best first: those in other sources, then those that a source itself named. */
        static List<OtherSource> of(FusedHit hit) {
            Map<DocumentUri, OtherSource> all = new LinkedHashMap<>();
            for (Candidate other : hit.others()) {
                all.putIfAbsent(other.address(), of(other.address(), other));
            }
            Stream.concat(Stream.of(hit.best()), hit.others().stream())
                    .forEach(candidate ->
                            candidate.copies().forEach(copy -> all.putIfAbsent(copy, of(copy, candidate))));
            return all.values().stream().limit(switchboard.store.Hit.MAX_COPIES).toList();
        }

        private static OtherSource of(DocumentUri address, Candidate candidate) {
            return new OtherSource(
                    address.toString(),
                    candidate.source(),
                    candidate.rank(),
                    candidate.passage().score());
        }
    }

    /** One passage. */
    record Hit(
            String address,
            String source,
            String title,
            @Nullable String url,
            @Nullable List<PassageSignal> signals,
            @Nullable String text,
            double score,
            @Nullable Double relevance,
            int source_rank,
            @Nullable Double source_score,
            @Nullable Double similarity,
            @Nullable ObjectNode fields,
            @Nullable List<OtherSource> also_in,
            @Nullable HitExplanation explanation,
            @Nullable PassageRef ref) {
        static Hit of(
                FusedHit fusedHit,
                Detail detail,
                TextWindows windows,
                @Nullable List<PassageSignal> signals,
                @Nullable HitExplanation explanation,
                PassageRefs refs) {
            Candidate best = fusedHit.best();
            Passage passage = best.passage();
            List<OtherSource> others = OtherSource.of(fusedHit);
            return new Hit(
                    best.address().toString(),
                    best.source(),
                    passage.title(),
                    passage.url(),
                    signals,
                    switch (detail) {
                        case TITLES -> null;
                        case SNIPPETS -> windows.cut(passage.text(), SNIPPET_CHARS);
                        case PASSAGES -> passage.text();
                    },
                    RoundedScore.of(fusedHit.score()),
                    Relevance.shown(fusedHit.relevance()),
                    best.rank(),
                    passage.score(),
                    RoundedScore.of(Optional.ofNullable(passage.similarity()).map(Passage.Similarity::cosine)),
                    detail == Detail.PASSAGES && !passage.fields().isEmpty() ? passage.fields() : null,
                    others.isEmpty() ? null : others,
                    explanation,
                    detail == Detail.TITLES ? null : HitRefs.of(best, refs));
        }
    }

    /**
     * The hits for a query that are relevant enough, as many and in as much detail as requested.
     *
     * @param mixes is told what is shown, and says whether two rankings are mixed in it
     */
    static SearchEverywhereReply of(
            SearchEverywhereTool.Args args,
            SignalTreatments treatments,
            List<FusedHit> found,
            ScoreExplanations explanations,
            List<SourceStatus> statuses,
            List<SpellingSuggestion.Correction> corrections,
            PassageRefs refs,
            Predicate<List<FusedHit>> mixes) {
        List<FusedHit> relevant = FusedHit.relevant(found, args.min_relevance());
        SignalledHits signalled = SignalledHits.of(
                relevant, new SignalledHits.Most(args.limit(), args.per_document()), treatments, explanations);
        List<FusedHit> best = signalled.best();
        Detail detail = args.detail();
        TextWindows windows = TextWindows.of(
                detail == Detail.SNIPPETS ? args.query() : "",
                best.stream().map(hit -> hit.best().passage().text()).toList());
        Iterator<HitExplanation> explained =
                HitExplanation.of(best, explanations).iterator();
        return new SearchEverywhereReply(
                Quotation.of(best),
                mixes.test(best) ? true : null,
                best.stream()
                        .map(hit -> Hit.of(
                                hit,
                                detail,
                                windows,
                                signalled.of(hit),
                                explained.hasNext() ? explained.next() : null,
                                refs))
                        .toList(),
                signalled.hidden(),
                best.isEmpty() ? nothing(args, found, relevant) : null,
                corrections.isEmpty() ? null : corrections,
                statuses,
                refs.time(detail != Detail.TITLES && !best.isEmpty()));
    }

    private static String nothing(SearchEverywhereTool.Args args, List<FusedHit> found, List<FusedHit> relevant) {
        if (!relevant.isEmpty()) {
            return "What was found is hidden by the operator's rules on signals; hidden says how many, and why.";
        }
        return found.isEmpty()
                ? "No source has anything that matches. Ask in other words."
                : Relevance.tooLow(
                        args.min_relevance(),
                        found.stream()
                                .flatMapToDouble(hit -> hit.relevance().stream())
                                .max());
    }

    /** The failure for a search in which no source answered. It names the field that none knows, or the reason for each source. */
    static ToolReply nobody(List<SourceStatus> statuses) {
        ArrayNode sources = Json.array();
        statuses.stream().limit(MOST_DETAILS).forEach(status -> sources.add(Json.tree(status)));
        return UnknownFilterFields.of(statuses)
                .map(UnknownFilterFields::failure)
                .orElseGet(() -> unsearchable(statuses))
                .withDetail("sources", sources);
    }

    private static ToolReply.Failed unsearchable(List<SourceStatus> statuses) {
        FailureKind kind = kind(statuses);
        return new ToolReply.Failed(
                kind,
                EngineMessageSanitizer.then(
                        "No source could be searched: " + reasons(statuses),
                        switch (kind) {
                            case INVALID_ARGUMENT ->
                                "list_sources lists the fields of each source that filters may use.";
                            case TIMEOUT -> "Ask fewer with sources.";
                            default -> "Try again later, or ask others with sources.";
                        }));
    }

    /** Each reason once, with the first sources that have it. */
    private static String reasons(List<SourceStatus> statuses) {
        Map<String, List<String>> sources = new LinkedHashMap<>();
        for (SourceStatus status : statuses) {
            String reason = String.valueOf(status.detail()).replaceFirst("\\.$", "");
            sources.computeIfAbsent(reason, _ -> new ArrayList<>()).add(status.source());
        }
        return sources.entrySet().stream()
                .limit(MOST_REASONS)
                .map(reason -> named(reason.getValue()) + ": " + reason.getKey())
                .collect(Collectors.joining("; "));
    }

    private static String named(List<String> sources) {
        String first = String.join(", ", sources.subList(0, Math.min(MOST_NAMED, sources.size())));
        return sources.size() > MOST_NAMED ? first + " and " + (sources.size() - MOST_NAMED) + " others" : first;
    }

    private static FailureKind kind(List<SourceStatus> statuses) {
        if (statuses.stream().allMatch(SourceStatus::refused)) {
            return FailureKind.INVALID_ARGUMENT;
        }
        return statuses.stream().allMatch(status -> status.status() == SourceStatus.Status.TIMEOUT)
                ? FailureKind.TIMEOUT
                : FailureKind.UNAVAILABLE;
    }
}
