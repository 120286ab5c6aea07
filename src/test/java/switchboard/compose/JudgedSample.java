package switchboard.compose;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import switchboard.eval.JudgedSet;
import switchboard.eval.Quality;

/** A part of a judged set: the first queries, all that answers them, and as many other documents as wanted. */
final class JudgedSample {
    private JudgedSample() {}

    /** SciFact's folder, which lies outside the repository; empty (and said) where there is none. */
    static Optional<Path> sciFact() {
        Path set = Path.of(Optional.ofNullable(System.getenv("SWITCHBOARD_EVAL_DIR"))
                        .orElse("../shared/eval"))
                .resolve("scifact");
        if (Files.isDirectory(set)) {
            return Optional.of(set);
        }
        System.out.println("NOT RUN: no SciFact in " + set + "; set SWITCHBOARD_EVAL_DIR");
        return Optional.empty();
    }

    /** The first {@code queries} of {@code folder} among {@code documents} documents. */
    static JudgedSet of(Path folder, int queries, int documents) throws IOException {
        JudgedSet whole = JudgedSet.read(folder);
        Map<String, String> asked = new LinkedHashMap<>();
        Set<String> wanted = new HashSet<>();
        whole.queries().entrySet().stream().limit(queries).forEach(query -> {
            asked.put(query.getKey(), query.getValue());
            wanted.addAll(whole.grades().get(query.getKey()).keySet());
        });
        Map<String, String> texts = new LinkedHashMap<>();
        int others = documents - wanted.size();
        for (Map.Entry<String, String> text : whole.texts().entrySet()) {
            if (wanted.contains(text.getKey()) || others-- > 0) {
                texts.put(text.getKey(), text.getValue());
            }
        }
        return new JudgedSet(whole.name(), texts, asked, whole.grades());
    }

    /** The mean nDCG@10 of what {@code search} ranks for each query. */
    static double ndcg(JudgedSet set, Function<String, List<String>> search) {
        return Arrays.stream(ndcgs(set, search)).average().orElse(0);
    }

    /** The nDCG@10 of what {@code search} ranks, query by query. */
    static double[] ndcgs(JudgedSet set, Function<String, List<String>> search) {
        return set.queries().entrySet().stream()
                .mapToDouble(query -> Quality.of(
                                search.apply(query.getValue()), set.grades().get(query.getKey()))
                        .ndcg10())
                .toArray();
    }
}
