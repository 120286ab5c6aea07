package switchboard.compose;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.Passage;
import switchboard.call.ToolReply;

/** What {@code search_everywhere} answers, cut to what the caller can afford. Component names are those on the wire. */
record EverywhereReply(
        List<Hit> results,
        List<SourceStatus> sources,
        @Nullable Truncated truncated) {
    private static final int SNIPPET_CHARS = 280;
    private static final int CHARS_PER_TOKEN = 4;

    /** How much of each hit is shown. */
    enum Detail {
        /** Title and address. */
        @JsonProperty("titles")
        TITLES,
        /** The beginning of the passage, too. */
        @JsonProperty("snippets")
        SNIPPETS,
        /** The whole passage and the document's fields. */
        @JsonProperty("passages")
        PASSAGES
    }

    /** What the caller asked to see. */
    record Wanted(
            int offset, int limit, Detail detail, @Nullable Integer budgetTokens) {}

    /** The same document in another source. */
    record Elsewhere(
            String address,
            String source,
            int source_rank,
            @Nullable Double source_score) {
        static Elsewhere of(Candidate candidate) {
            return new Elsewhere(
                    candidate.address().toString(),
                    candidate.source(),
                    candidate.rank(),
                    candidate.passage().score());
        }
    }

    /** One document. */
    record Hit(
            String address,
            String source,
            String title,
            @Nullable String url,
            @Nullable String text,
            double score,
            int source_rank,
            @Nullable Double source_score,
            @Nullable Double similarity,
            @Nullable ObjectNode fields,
            @Nullable List<Elsewhere> also_in) {
        static Hit of(Fused fused, Detail detail) {
            Candidate best = fused.best();
            Passage passage = best.passage();
            List<Elsewhere> others = fused.others().stream().map(Elsewhere::of).toList();
            return new Hit(
                    best.address().toString(),
                    best.source(),
                    passage.title(),
                    passage.url(),
                    switch (detail) {
                        case TITLES -> null;
                        case SNIPPETS -> snippet(passage.text());
                        case PASSAGES -> passage.text();
                    },
                    fused.score(),
                    best.rank(),
                    passage.score(),
                    passage.similarity() == null ? null : passage.similarity().cosine(),
                    detail == Detail.PASSAGES && !passage.fields().isEmpty() ? passage.fields() : null,
                    others.isEmpty() ? null : others);
        }
    }

    /**
     * What was left out.
     *
     * @param omitted how many hits
     * @param shortened how many hits are shown with less than was asked for
     * @param next how to get it
     */
    record Truncated(int omitted, int shortened, String next) {}

    /** The part of {@code fused} that is wanted and fits. */
    static EverywhereReply of(List<Fused> fused, List<SourceStatus> statuses, Wanted wanted) {
        List<Fused> page =
                fused.stream().skip(wanted.offset()).limit(wanted.limit()).toList();
        if (wanted.budgetTokens() == null) {
            return new EverywhereReply(
                    page.stream().map(hit -> Hit.of(hit, wanted.detail())).toList(), statuses, null);
        }
        Budget budget = new Budget(wanted.budgetTokens(), statuses);
        List<Hit> shown = new ArrayList<>();
        int shortened = 0;
        for (Fused hit : page) {
            Hit fitting = budget.fit(hit, wanted.detail());
            if (fitting == null) {
                break;
            }
            if (!fitting.equals(Hit.of(hit, wanted.detail()))) {
                shortened++;
            }
            shown.add(fitting);
        }
        int omitted = page.size() - shown.size();
        return new EverywhereReply(
                shown,
                statuses,
                omitted + shortened == 0
                        ? null
                        : new Truncated(
                                omitted,
                                shortened,
                                omitted == 0
                                        ? "fetch_document with an address gives the text"
                                        : "call again with offset " + (wanted.offset() + shown.size())));
    }

    /** Nobody could be asked: a failure that says of each source why. */
    static ToolReply nobody(List<SourceStatus> statuses) {
        ObjectNode details = Json.object();
        statuses.forEach(status -> details.withArrayProperty("sources").add(Json.tree(status)));
        boolean late = statuses.stream().allMatch(status -> status.status() == SourceStatus.Status.TIMEOUT);
        return new ToolReply.Failed(
                        late ? FailureKind.TIMEOUT : FailureKind.UNAVAILABLE,
                        "No source could be searched: "
                                + statuses.stream()
                                        .map(status -> status.source() + ": " + status.detail())
                                        .collect(Collectors.joining("; ")))
                .withDetails(details);
    }

    private static String snippet(String text) {
        if (text.length() <= SNIPPET_CHARS) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(SNIPPET_CHARS - 1)) ? SNIPPET_CHARS - 1 : SNIPPET_CHARS;
        return text.substring(0, end) + "…";
    }

    /** Spends tokens on hits, best first. */
    private static final class Budget {
        private long left;

        Budget(int tokens, List<SourceStatus> statuses) {
            left = (long) tokens * CHARS_PER_TOKEN
                    - Json.text(Json.tree(new EverywhereReply(List.of(), statuses, null)))
                            .length();
        }

        @Nullable
        Hit fit(Fused fused, Detail detail) {
            for (Detail less : List.of(Detail.PASSAGES, Detail.SNIPPETS, Detail.TITLES)) {
                if (less.compareTo(detail) <= 0) {
                    Hit hit = Hit.of(fused, less);
                    int cost = Json.text(Json.tree(hit)).length() + 1;
                    if (cost <= left) {
                        left -= cost;
                        return hit;
                    }
                }
            }
            return null;
        }
    }
}
