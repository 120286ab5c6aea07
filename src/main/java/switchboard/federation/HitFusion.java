package switchboard.federation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;
import switchboard.call.Passage;
import switchboard.call.TermStatistics;
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
    /** The constant of reciprocal rank fusion. */
    private static final int RANK_CONSTANT = 60;

    private final KeywordScore keywords;
    private final CosineNormalizer cosines;
    private final FusionMethod method;

    HitFusion(KeywordScore keywords, CosineNormalizer cosines, FusionMethod method) {
        this.keywords = keywords;
        this.cosines = cosines;
        this.method = method;
    }

    /** Merges {@code lists} into one ranking without duplicates. */
    List<FusedHit> fuse(String query, List<RankedPassages> lists) {
        List<RankedPassages> sorted = lists.stream()
                .sorted(Comparator.comparing(list -> list.source().label()))
                .toList();
        List<Candidate> pool = pool(sorted);
        return switch (method) {
            case FusionMethod.WeightedSum(double similarity) ->
                new WeightedFusion(similarity, RankSimilarity.of(sorted), new KeywordScores(query, sorted), cosines)
                        .order(pool);
            case FusionMethod.ReciprocalRank(int k) ->
                Duplicates.merge(byRank(pool, k, new KeywordScores(query, sorted).of(pool)), Double::sum);
        };
    }

    private List<FusedHit> byRank(List<Candidate> pool, int k, double[] fit) {
        List<FusedHit> hits = new ArrayList<>();
        for (int i = 0; i < fit.length; i++) {
            Candidate candidate = pool.get(i);
            hits.add(FusedHit.of(candidate, 1.0 / (k + candidate.rank()), relevance(candidate, fit[i], cosines)));
        }
        return hits;
    }

    /** The relevance of a passage with this keyword score; empty if only a cosine of unknown meaning could tell. */
    private static OptionalDouble relevance(Candidate candidate, double byWords, CosineNormalizer cosines) {
        Passage.Similarity similarity = candidate.passage().similarity();
        return Relevance.of(
                similarity == null ? OptionalDouble.empty() : cosines.of(similarity.model(), similarity.cosine()),
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

        KeywordScores(String query, List<RankedPassages> lists) {
            this.query = query;
            this.known =
                    lists.stream().map(RankedPassages::statistics).reduce(TermStatistics.NONE, TermStatistics::and);
        }

        double[] of(List<Candidate> candidates) {
            return keywords.of(
                    query,
                    candidates.stream()
                            .map(candidate -> text(candidate.passage()))
                            .toList(),
                    known);
        }

        private static String text(Passage passage) {
            return passage.text().startsWith(passage.title())
                    ? passage.text()
                    : passage.title() + "\n" + passage.text();
        }
    }

    /**
     * {@link FusionMethod.WeightedSum} for one query.
     *
     * @param similarity the cosine's weight; the keyword score has the rest
     */
    private record WeightedFusion(
            double similarity, RankSimilarity nearness, KeywordScores words, CosineNormalizer cosines) {
        List<FusedHit> order(List<Candidate> pool) {
            double[] fit = words.of(pool);
            List<FusedHit> scored = new ArrayList<>();
            for (int i = 0; i < pool.size(); i++) {
                Candidate candidate = pool.get(i);
                scored.add(FusedHit.of(
                        candidate, score(candidate, List.of(), fit[i]), relevance(candidate, fit[i], cosines)));
            }
            List<FusedHit> merged = Duplicates.merge(scored, Math::max);
            return merged.size() == pool.size() ? merged : eachOnce(merged);
        }

        /** Scores again with copies removed, so that word statistics count each document once. */
        private List<FusedHit> eachOnce(List<FusedHit> merged) {
            double[] fit = words.of(merged.stream().map(FusedHit::best).toList());
            List<FusedHit> scored = new ArrayList<>();
            for (int i = 0; i < fit.length; i++) {
                FusedHit document = merged.get(i);
                double byWords = fit[i];
                List<Candidate> copies = Stream.concat(Stream.of(document.best()), document.others().stream())
                        .toList();
                double score = copies.stream()
                        .mapToDouble(copy -> copy.weight() * score(copy, copies, byWords))
                        .max()
                        .orElseThrow();
                scored.add(new FusedHit(
                        document.best(), score, relevance(compared(copies), byWords, cosines), document.others()));
            }
            return scored.stream().sorted(FusedHit.ORDER).toList();
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
            return cosines.of(similarity.model(), similarity.cosine()).isPresent() ? 2 : 1;
        }

        private double score(Candidate candidate, List<Candidate> copies, double byWords) {
            return similarity * nearness.of(candidate, copies) + (1 - similarity) * byWords;
        }
    }

    /** The similarity of passages to the query, on one scale for all sources. */
    private record RankSimilarity(Optional<String> model, List<Double> medians) {
        static RankSimilarity of(List<RankedPassages> lists) {
            Map<String, Integer> users = new TreeMap<>();
            for (RankedPassages list : lists) {
                list.passages().stream()
                        .map(Passage::similarity)
                        .filter(similarity -> similarity != null)
                        .map(Passage.Similarity::model)
                        .distinct()
                        .forEach(model -> users.merge(model, 1, Integer::sum));
            }
            Optional<String> model = users.entrySet().stream()
                    .max(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                    .map(Map.Entry::getKey);
            return new RankSimilarity(
                    model, model.map(name -> medians(lists, name)).orElse(List.of()));
        }

        /** The similarity of a passage with these copies of the same text, any of which may have its cosine. */
        double of(Candidate candidate, List<Candidate> copies) {
            OptionalDouble own = cosine(candidate);
            OptionalDouble known = own.isPresent()
                    ? own
                    : copies.stream()
                            .flatMapToDouble(copy -> cosine(copy).stream())
                            .max();
            return known.orElseGet(() -> estimate(candidate));
        }

        private OptionalDouble cosine(Candidate candidate) {
            return model.map(name -> cosine(candidate.passage(), name)).orElse(OptionalDouble.empty());
        }

        private double estimate(Candidate candidate) {
            return medians.isEmpty()
                    ? (RANK_CONSTANT + 1.0) / (RANK_CONSTANT + candidate.rank())
                    : medians.get(Math.min(candidate.rank(), medians.size()) - 1);
        }

        private static List<Double> medians(List<RankedPassages> lists, String model) {
            Map<Integer, List<Double>> byRank = new HashMap<>();
            for (RankedPassages list : lists) {
                List<Double> cosines = list.passages().stream()
                        .map(passage -> cosine(passage, model))
                        .filter(OptionalDouble::isPresent)
                        .map(OptionalDouble::getAsDouble)
                        .sorted(Comparator.reverseOrder())
                        .toList();
                for (int rank = 0; rank < cosines.size(); rank++) {
                    byRank.computeIfAbsent(rank, _ -> new ArrayList<>()).add(cosines.get(rank));
                }
            }
            List<Double> medians = new ArrayList<>();
            double last = Double.MAX_VALUE;
            for (int rank = 0; byRank.containsKey(rank); rank++) {
                // Later ranks come from longer lists only; the estimate must not rise there.
                last = Math.min(last, median(byRank.get(rank)));
                medians.add(last);
            }
            return medians;
        }

        private static double median(List<Double> values) {
            List<Double> sorted = values.stream().sorted().toList();
            int middle = sorted.size() / 2;
            return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        }

        private static OptionalDouble cosine(Passage passage, String model) {
            Passage.Similarity similarity = passage.similarity();
            return similarity != null && similarity.model().equals(model)
                    ? OptionalDouble.of(similarity.cosine())
                    : OptionalDouble.empty();
        }
    }
}
