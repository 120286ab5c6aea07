package switchboard.federation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import switchboard.auth.Principal;
import switchboard.call.HitSide;
import switchboard.call.InterleavedHits;
import switchboard.call.Json;
import switchboard.federation.TeamDraft.DraftedHit;

/**
 * How one search mixes the ranking in use with one that is tried.
 *
 * @param trial what is tried
 * @param ranking the one in use
 * @param methods both methods of fusion
 * @param seed of the coins: of the trial, the caller and what it asks, so that an answer with the rest of the hits goes on with the same
 *     mix, whichever gateway gives it, and who asks again is shown the same
 */
record TrialRanking(
        TeamRankings.RankingTrial trial, TeamRankings.TeamRanking ranking, TrialMethods methods, long seed) {
    /** The methods of fusion of both rankings. */
    record TrialMethods(FusionMethod.WeightedSum current, FusionMethod.WeightedSum proposed) {}

    /**
     * The mix for a search; empty if it is not one of the share that mixes, or if the call itself says how to rank or wants to
     * know why.
     */
    static Optional<TrialRanking> of(
            TeamRankings.RankingTrial trial,
            TeamRankings.TeamRanking ranking,
            FederationSettings.FusionMethods configured,
            SearchEverywhereTool.Args args,
            Principal principal) {
        if (args.weights() != null
                || args.fusion() != null
                || args.explain()
                || !(args.choices().method(ranking.methods(configured)) instanceof FusionMethod.WeightedSum current)
                || !(args.choices().method(trial.proposed().methods(configured))
                        instanceof FusionMethod.WeightedSum proposed)) {
            return Optional.empty();
        }
        long seed = seed(trial, args, principal);
        return new SplittableRandom(seed).nextDouble() < trial.share()
                ? Optional.of(new TrialRanking(trial, ranking, new TrialMethods(current, proposed), seed))
                : Optional.empty();
    }

    /** The same for all that asks for the same hits, however many and in whatever detail. */
    private static long seed(TeamRankings.RankingTrial trial, SearchEverywhereTool.Args args, Principal principal) {
        ObjectNode asked = Json.object()
                .put("trial", trial.id())
                .put("team", principal.team())
                .put("key", principal.id())
                .put("query", args.query())
                .put("per_document", args.per_document())
                .put("min_relevance", args.min_relevance())
                .put("mode", args.mode().name());
        args.sources().forEach(asked.putArray("sources")::add);
        asked.set("filters", args.filters());
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(asked.toString().getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(hash).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The hits of {@code lists} in a mix of both rankings; each says which one put it there. */
    List<FusedHit> fuse(
            HitFusion fusion, SearchEverywhereTool.Args args, List<RankedPassages> lists, SignalTreatments treatments) {
        HitFusion.BothRankings both = fusion.both(
                args.query(),
                lists,
                methods.current(),
                methods.proposed(),
                passage -> ranking.weightIn(trial.proposed(), passage.source(), passage.weight()));
        List<FusedHit> mix = mix(shown(both.current(), args), shown(both.proposed(), args), args, treatments);
        return mix.isEmpty() ? both.current() : mix;
    }

    /** Two orders of the same hits in one: those that are demoted come last, in the order of the one that shows more. */
    List<FusedHit> mix(
            List<FusedHit> current,
            List<FusedHit> proposed,
            SearchEverywhereTool.Args args,
            SignalTreatments treatments) {
        MixedPlaces places = new MixedPlaces(current, proposed, args.per_document(), treatments);
        List<DraftedHit<FusedHit>> drafted = TeamDraft.mix(
                places.drafted(current),
                places.drafted(proposed),
                args.limit(),
                places,
                new SplittableRandom(seed).split());
        return Stream.concat(drafted.stream().map(one -> one.hit().by(one.side())), places.demoted().stream())
                .toList();
    }

    /** What the caller may be shown of one ranking alone. */
    private static List<FusedHit> shown(List<FusedHit> ranking, SearchEverywhereTool.Args args) {
        return FusedHit.relevant(ranking, args.min_relevance());
    }

    /** What the search log should know of the hits of this mix. */
    InterleavedHits noted(List<FusedHit> hits) {
        return new InterleavedHits(trial.id(), hits.stream().map(FusedHit::side).toList());
    }

    /** Whether one of the rankings put any of {@code hits} there, so that their order is not that of the scores. */
    static boolean mixes(List<FusedHit> hits) {
        return hits.stream().anyMatch(hit -> hit.side() != HitSide.BOTH);
    }
}
