package switchboard.federation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import switchboard.call.Passage;

/**
 * The similarity of passages to the query, on one scale for all sources: cosines of the model that most sources use.
 *
 * @param model the model; empty if no passage has a cosine
 * @param medians the median cosine by rank, of the sources that have cosines
 */
record RankSimilarity(Optional<String> model, List<Double> medians) {
    /** The constant of reciprocal rank fusion. */
    private static final int RANK_CONSTANT = 60;

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
        return new RankSimilarity(model, model.map(name -> medians(lists, name)).orElse(List.of()));
    }

    /** The similarity of a passage with these copies of the same text, any of which may have its cosine. */
    double of(Candidate candidate, List<Candidate> copies) {
        return known(candidate, copies).orElseGet(() -> estimate(candidate));
    }

    /** The cosine of a passage, or of one of its copies; empty if that has to be estimated. */
    OptionalDouble known(Candidate candidate, List<Candidate> copies) {
        OptionalDouble own = cosine(candidate);
        return own.isPresent()
                ? own
                : copies.stream().flatMapToDouble(copy -> cosine(copy).stream()).max();
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
