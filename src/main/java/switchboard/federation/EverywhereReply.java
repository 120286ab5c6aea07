package switchboard.federation;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.Passage;
import switchboard.call.ToolReply;
import switchboard.store.TextWindows;

/** The result of {@code search_everywhere}. Component names are those on the wire. */
record EverywhereReply(List<Hit> results, List<SourceStatus> sources) {
    private static final int SNIPPET_CHARS = 400;

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

    /** A copy of the document in another source. */
    record OtherSource(
            String address,
            String source,
            int source_rank,
            @Nullable Double source_score) {
        static OtherSource of(Candidate candidate) {
            return new OtherSource(
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
            @Nullable List<OtherSource> also_in) {
        static Hit of(FusedHit fusedHit, Detail detail, TextWindows windows) {
            Candidate best = fusedHit.best();
            Passage passage = best.passage();
            List<OtherSource> others =
                    fusedHit.others().stream().map(OtherSource::of).toList();
            return new Hit(
                    best.address().toString(),
                    best.source(),
                    passage.title(),
                    passage.url(),
                    switch (detail) {
                        case TITLES -> null;
                        case SNIPPETS -> windows.cut(passage.text(), SNIPPET_CHARS);
                        case PASSAGES -> passage.text();
                    },
                    fusedHit.score(),
                    best.rank(),
                    passage.score(),
                    passage.similarity() == null ? null : passage.similarity().cosine(),
                    detail == Detail.PASSAGES && !passage.fields().isEmpty() ? passage.fields() : null,
                    others.isEmpty() ? null : others);
        }
    }

    /** The first {@code limit} of the hits for {@code query}. */
    static EverywhereReply of(
            String query, List<FusedHit> fusedHits, List<SourceStatus> statuses, int limit, Detail detail) {
        List<FusedHit> best = fusedHits.stream().limit(limit).toList();
        TextWindows windows = TextWindows.of(
                detail == Detail.SNIPPETS ? query : "",
                best.stream().map(hit -> hit.best().passage().text()).toList());
        return new EverywhereReply(
                best.stream().map(hit -> Hit.of(hit, detail, windows)).toList(), statuses);
    }

    /** The failure for a search in which no source answered. It names the reason for each source. */
    static ToolReply nobody(List<SourceStatus> statuses) {
        ObjectNode details = Json.object();
        statuses.forEach(status -> details.withArrayProperty("sources").add(Json.tree(status)));
        boolean late = statuses.stream().allMatch(status -> status.status() == SourceStatus.Status.TIMEOUT);
        return new ToolReply.Failed(
                        late ? FailureKind.TIMEOUT : FailureKind.UNAVAILABLE,
                        "No source could be searched: "
                                + statuses.stream()
                                        .map(status -> status.source() + ": " + status.detail())
                                        .collect(Collectors.joining("; "))
                                + (late
                                        ? ". Ask fewer with sources."
                                        : ". Try again later, or ask others with sources."))
                .withDetails(details);
    }
}
