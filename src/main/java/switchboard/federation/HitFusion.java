package switchboard.federation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ObjDoubleConsumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import switchboard.call.Passage;
import switchboard.call.ScorePart;
import switchboard.call.ScorePart.Name;
import switchboard.call.TermStatistics;
import switchboard.store.PooledKeywordScore;
import switchboard.store.Relevance;

/**
 * Merges the results of several engines into one ranking. Scores of different engines can't be compared, so every
 * passage is scored again by {@link FusionMethod} and multiplied by the weight of its source. Keyword statistics come
 * from the collections that report them and from the found passages. Cosines are used if they are of the model that
 * most sources use. A passage without such a cosine has that of a copy in another source, or else the median cosine of its
 * rank in the other sources. If no source has any, the rank is used instead of the cosine.
 *
 * <p>Stateless. The ranking depends on what was found, never on the order in which sources answered.
 */
final class HitFusion {
    private final KeywordScore keywords;
    private final EmbeddingModels models;
    private final FusionMethod method;

    HitFusion(KeywordScore keywords, EmbeddingModels models, FusionMethod method) {
        this.keywords = keywords;
        this.models = models;
        this.method = method;
    }

    /** The same by another method. */
    HitFusion by(FusionMethod other) {
        return other.equals(method) ? this : new HitFusion(keywords, models, other);
    }

    /** Merges {@code lists} into one ranking without duplicates. */
    List<FusedHit> fuse(String query, List<RankedPassages> lists) {
        return fuse(query, lists, ScoreExplanations.NONE);
    }

    /** Merges {@code lists} into one ranking without duplicates, and notes why hits have their scores. */
    List<FusedHit> fuse(String query, List<RankedPassages> lists, ScoreExplanations explanations) {
        List<RankedPassages> sorted = sorted(lists);
        List<Candidate> pool = pool(sorted);
        KeywordScores words = new KeywordScores(query, sorted, explanations);
        return switch (method) {
            case FusionMethod.WeightedSum(double similarity) -> {
                RankSimilarity nearness = RankSimilarity.of(sorted);
                PooledKeywordScore.Scores fit = words.of(pool);
                yield new WeightedFusion(weight(similarity, nearness, fit), nearness, words, models, explanations)
                        .order(pool, fit, (_, _) -> {});
            }
            case FusionMethod.ReciprocalRank(int k) -> {
                List<FusedHit> hits =
                        Duplicates.merge(byRank(pool, k, words.of(pool).values()), Double::sum);
                if (explanations.areWanted()) {
                    hits.forEach(hit -> explanations.scored(hit.best(), byRank(hit, k)));
                }
                yield hits;
            }
        };
    }

    /**
     * The same hits in two orders.
     *
     * @param current as {@link #fuse} has them
     * @param proposed by other weights; scores are those of {@code current}
     */
    record BothRankings(List<FusedHit> current, List<FusedHit> proposed) {}

    /**
     * Merges {@code lists}, and ranks what comes out by other weights, too. That costs little, because words are counted and
     * copies are found once.
     *
     * @param current the cosine's weight in the ranking in use
     * @param proposed the cosine's weight in the other one
     * @param weight the weight of a passage's source in the other one
     */
    BothRankings both(
            String query,
            List<RankedPassages> lists,
            FusionMethod.WeightedSum current,
            FusionMethod.WeightedSum proposed,
            ToDoubleFunction<Candidate> weight) {
        List<RankedPassages> sorted = sorted(lists);
        KeywordScores words = new KeywordScores(query, sorted, ScoreExplanations.NONE);
        RankSimilarity nearness = RankSimilarity.of(sorted);
        List<Candidate> pool = pool(sorted);
        PooledKeywordScore.Scores fit = words.of(pool);
        double inUse = weight(current.similarity(), nearness, fit);
        double other = weight(proposed.similarity(), nearness, fit);
        Map<Candidate, Double> fits = new IdentityHashMap<>();
        List<FusedHit> hits =
                new WeightedFusion(inUse, nearness, words, models, ScoreExplanations.NONE).order(pool, fit, fits::put);
        return new BothRankings(
                hits,
                new WeightedFusion(other, nearness, words, models, ScoreExplanations.NONE)
                        .again(hits, hit -> fits.getOrDefault(hit.best(), 0.0), weight));
    }

    /** What cosines count for this query. By vectors alone they count for everything. */
    private double weight(double configured, RankSimilarity nearness, PooledKeywordScore.Scores fit) {
        return configured == 1
                ? 1
                : configured
                        * nearness.model()
                                .map(model -> models.weight(model, fit.language()))
                                .orElse(1.0);
    }

    private static List<RankedPassages> sorted(List<RankedPassages> lists) {
        return lists.stream()
                .sorted(Comparator.comparing(list -> list.source().label()))
                .toList();
    }

    private static List<ScorePart> byRank(FusedHit hit, int k) {
        double own = 1.0 / (k + hit.best().rank());
        double others = 0;
        double added = (hit.best().weight() - 1) * own;
        for (Candidate other : hit.others()) {
            others += 1.0 / (k + other.rank());
            added += (other.weight() - 1) / (k + other.rank());
        }
        return Stream.of(
                        new ScorePart(Name.SOURCE_RANK, own),
                        new ScorePart(Name.OTHER_SOURCES, others),
                        new ScorePart(Name.SOURCE_WEIGHT, added))
                .filter(part -> part.name() == Name.SOURCE_RANK || part.value() != 0)
                .toList();
    }

    private List<FusedHit> byRank(List<Candidate> pool, int k, double[] fit) {
        List<FusedHit> hits = new ArrayList<>();
        for (int i = 0; i < fit.length; i++) {
            Candidate candidate = pool.get(i);
            hits.add(FusedHit.of(candidate, 1.0 / (k + candidate.rank()), relevance(candidate, fit[i], models)));
        }
        return hits;
    }

    /** The relevance of a passage with this keyword score; empty if only a cosine of unknown meaning could tell. */
    private static OptionalDouble relevance(Candidate candidate, double byWords, EmbeddingModels models) {
        Passage.Similarity similarity = candidate.passage().similarity();
        return Relevance.of(
                similarity == null
                        ? OptionalDouble.empty()
                        : models.normalized(similarity.model(), similarity.cosine()),
                byWords,
                similarity != null);
    }

    private static List<Candidate> pool(List<RankedPassages> lists) {
        List<Candidate> pool = new ArrayList<>();
        for (RankedPassages list : lists) {
            int rank = 1;
            for (Passage passage : list.passages()) {
                pool.add(new Candidate(list.address(passage), list.source().label(), rank++, list.weight(), passage));
            }
        }
        return pool;
    }

    /** The keyword scores of passages, on one scale for all sources. */
    private final class KeywordScores {
        private final String query;
        private final TermStatistics known;
        private final ScoreExplanations explanations;

        KeywordScores(String query, List<RankedPassages> lists, ScoreExplanations explanations) {
            this.query = query;
            this.explanations = explanations;
            this.known =
                    lists.stream().map(RankedPassages::statistics).reduce(TermStatistics.NONE, TermStatistics::and);
        }

        PooledKeywordScore.Scores of(List<Candidate> candidates) {
            List<String> texts =
                    candidates.stream().map(Candidate::searchedText).toList();
            PooledKeywordScore.Scores scores = keywords.of(query, texts, known);
            explanations.counted(scores);
            return scores;
        }
    }

    /**
     * {@link FusionMethod.WeightedSum} for one query.
     *
     * @param similarity the cosine's weight; the keyword score has the rest
     */
    private record WeightedFusion(
            double similarity,
            RankSimilarity nearness,
            KeywordScores words,
            EmbeddingModels models,
            ScoreExplanations explanations) {
        /**
         * The hits, best first.
         *
         * @param fit the keyword scores of {@code pool}
         * @param fits gets the keyword score of each hit, by its best passage
         */
        List<FusedHit> order(List<Candidate> pool, PooledKeywordScore.Scores fit, ObjDoubleConsumer<Candidate> fits) {
            List<FusedHit> scored = new ArrayList<>();
            for (int i = 0; i < pool.size(); i++) {
                Candidate candidate = pool.get(i);
                double byWords = fit.withProximity()[i];
                fits.accept(candidate, byWords);
                scored.add(FusedHit.of(
                        candidate,
                        score(candidate, List.of(), byWords),
                        relevance(candidate, fit.values()[i], models)));
                if (explanations.areWanted()) {
                    explain(candidate, List.of(candidate), byWords);
                }
            }
            List<FusedHit> merged = Duplicates.merge(scored, Math::max);
            return merged.size() == pool.size() ? merged : eachOnce(merged, fits);
        }

        /** Scores again with copies removed, so that word statistics count each document once. */
        private List<FusedHit> eachOnce(List<FusedHit> merged, ObjDoubleConsumer<Candidate> fits) {
            PooledKeywordScore.Scores fit =
                    words.of(merged.stream().map(FusedHit::best).toList());
            List<FusedHit> scored = new ArrayList<>();
            for (int i = 0; i < merged.size(); i++) {
                FusedHit document = merged.get(i);
                double byWords = fit.withProximity()[i];
                fits.accept(document.best(), byWords);
                List<Candidate> copies = copies(document);
                double score = best(copies, byWords, Candidate::weight);
                scored.add(new FusedHit(
                        document.best(),
                        score,
                        relevance(compared(copies), fit.values()[i], models),
                        document.others()));
                if (explanations.areWanted()) {
                    explain(document.best(), copies, byWords);
                }
            }
            return scored.stream().sorted(FusedHit.ORDER).toList();
        }

        private static List<Candidate> copies(FusedHit document) {
            return Stream.concat(Stream.of(document.best()), document.others().stream())
                    .toList();
        }

        private double best(List<Candidate> copies, double byWords, ToDoubleFunction<Candidate> weight) {
            return copies.stream()
                    .mapToDouble(copy -> weight.applyAsDouble(copy) * score(copy, copies, byWords))
                    .max()
                    .orElseThrow();
        }

        /** {@code hits}, which keep their scores, in the order by this cosine's weight and other weights of sources. */
        List<FusedHit> again(List<FusedHit> hits, ToDoubleFunction<FusedHit> fits, ToDoubleFunction<Candidate> weight) {
            Map<Candidate, FusedHit> same = new IdentityHashMap<>();
            hits.forEach(hit -> same.put(hit.best(), hit));
            return hits.stream()
                    .map(hit -> hit.scored(best(copies(hit), fits.applyAsDouble(hit), weight)))
                    .sorted(FusedHit.ORDER)
                    .map(hit -> same.getOrDefault(hit.best(), hit))
                    .toList();
        }

        /** The copy whose cosine says how relevant the text is, if there is one. */
        private Candidate compared(List<Candidate> copies) {
            return copies.stream().max(Comparator.comparingInt(this::told)).orElseThrow();
        }

        /** 2 if its cosine says how relevant it is, 1 if that is not known of its model, 0 without a cosine. */
        private int told(Candidate copy) {
            Passage.Similarity similarity = copy.passage().similarity();
            if (similarity == null) {
                return 0;
            }
            return models.normalized(similarity.model(), similarity.cosine()).isPresent() ? 2 : 1;
        }

        /** Notes what the score of the copy that scores best is made of. */
        private void explain(Candidate best, List<Candidate> copies, double byWords) {
            Candidate decisive = copies.stream()
                    .max(Comparator.comparingDouble(copy -> copy.weight() * score(copy, copies, byWords)))
                    .orElseThrow();
            explanations.scored(best, parts(decisive, copies, byWords));
        }

        private List<ScorePart> parts(Candidate candidate, List<Candidate> copies, double byWords) {
            List<ScorePart> parts = new ArrayList<>();
            if (similarity < 1) {
                parts.add(new ScorePart(Name.KEYWORD, (1 - similarity) * byWords));
            }
            if (similarity > 0) {
                parts.add(new ScorePart(
                        nearness.known(candidate, copies).isPresent() ? Name.VECTOR : Name.SOURCE_RANK,
                        similarity * nearness.of(candidate, copies)));
            }
            if (candidate.weight() != 1) {
                parts.add(new ScorePart(
                        Name.SOURCE_WEIGHT, (candidate.weight() - 1) * score(candidate, copies, byWords)));
            }
            return parts;
        }

        private double score(Candidate candidate, List<Candidate> copies, double byWords) {
            return similarity * nearness.of(candidate, copies) + (1 - similarity) * byWords;
        }
    }
}
