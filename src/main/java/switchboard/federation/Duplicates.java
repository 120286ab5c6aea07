package switchboard.federation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleBinaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds passages of the same document in several sources: texts of which one is mostly contained in the other, or else
 * the same URL. Containment is measured on runs of {@value #RUN} words (A. Broder, "On the resemblance and containment of documents", 1997).
 */
final class Duplicates {
    private static final int RUN = 5;
    private static final int FEWEST_RUNS = 8;
    private static final String SHORT = "a short text as a whole";
    private static final double CONTAINED = 0.8;
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]+");
    private static final Pattern SCHEME = Pattern.compile("^https?://", Pattern.CASE_INSENSITIVE);

    private final List<Group> groups = new ArrayList<>();
    private final Map<String, List<Group>> byUrl = new HashMap<>();
    private final Map<Integer, List<Group>> byRun = new HashMap<>();

    private Duplicates() {}

    /**
     * The hits in order, each passage once.
     *
     * @param together combines the scores of two copies of a document
     */
    static List<FusedHit> merge(List<FusedHit> hits, DoubleBinaryOperator together) {
        Duplicates duplicates = new Duplicates();
        hits.stream().sorted(FusedHit.ORDER).forEach(duplicates::add);
        return duplicates.groups.stream()
                .map(group -> group.fused(together))
                .sorted(FusedHit.ORDER)
                .toList();
    }

    private static final class Group {
        private final FusedHit best;
        private final Set<Integer> runs;
        private final List<FusedHit> others = new ArrayList<>();

        Group(FusedHit best, Set<Integer> runs) {
            this.best = best;
            this.runs = runs;
        }

        FusedHit fused(DoubleBinaryOperator together) {
            double score = others.stream().mapToDouble(FusedHit::score).reduce(best.score(), together);
            return new FusedHit(
                    best.best(),
                    score,
                    best.relevance(),
                    others.stream().map(FusedHit::best).toList());
        }

        boolean holds(String source) {
            return best.best().source().equals(source)
                    || others.stream().anyMatch(other -> other.best().source().equals(source));
        }
    }

    private void add(FusedHit next) {
        Candidate candidate = next.best();
        Set<Integer> runs = runs(candidate.passage().text());
        String url = url(candidate.passage().url());
        Optional<Group> same = sameText(runs, candidate).or(() -> sameUrl(url, candidate));
        Group group = same.orElseGet(() -> {
            Group first = new Group(next, runs);
            groups.add(first);
            runs.forEach(
                    run -> byRun.computeIfAbsent(run, _ -> new ArrayList<>(1)).add(first));
            return first;
        });
        if (same.isPresent()) {
            group.others.add(next);
        }
        if (url != null) {
            byUrl.computeIfAbsent(url, _ -> new ArrayList<>(1)).add(group);
        }
    }

    private Optional<Group> sameUrl(@Nullable String url, Candidate candidate) {
        return url == null
                ? Optional.empty()
                : byUrl.getOrDefault(url, List.of()).stream()
                        .filter(group -> !group.holds(candidate.source()))
                        .findFirst();
    }

    /**
     * The group with the same text. Passages of one source are never copies: the embedded stores have folded theirs, and
     * other engines distinguish them.
     */
    private Optional<Group> sameText(Set<Integer> runs, Candidate candidate) {
        Map<Group, Integer> shared = new HashMap<>();
        for (Integer run : runs) {
            byRun.getOrDefault(run, List.of()).forEach(group -> shared.merge(group, 1, Integer::sum));
        }
        return groups.stream()
                .filter(group -> !group.holds(candidate.source()))
                .filter(group -> shared.getOrDefault(group, 0)
                        >= Math.max(1, CONTAINED * Math.min(runs.size(), group.runs.size())))
                .findFirst();
    }

    /** The runs of words; for a short text one of its own kind, so that it only equals the same text; none without words. */
    private static Set<Integer> runs(String text) {
        int[] words = WORD.matcher(text.toLowerCase(Locale.ROOT))
                .results()
                .mapToInt(match -> match.group().hashCode())
                .toArray();
        Set<Integer> runs = HashSet.newHashSet(words.length);
        for (int i = 0; i + RUN <= words.length; i++) {
            runs.add(Arrays.hashCode(Arrays.copyOfRange(words, i, i + RUN)));
        }
        if (words.length == 0 || runs.size() >= FEWEST_RUNS) {
            return runs;
        }
        return Set.of(Objects.hash(SHORT, Arrays.hashCode(words)));
    }

    /** A normalized form of web addresses, equal for addresses of the same page; null if it is not a web address. */
    private static @Nullable String url(@Nullable String url) {
        if (url == null || !SCHEME.matcher(url).find()) {
            return null;
        }
        String rest = SCHEME.matcher(url).replaceFirst("");
        int fragment = rest.indexOf('#');
        String page = fragment < 0 ? rest : rest.substring(0, fragment);
        int slash = page.indexOf('/');
        String host = (slash < 0 ? page : page.substring(0, slash)).toLowerCase(Locale.ROOT);
        String path = slash < 0 ? "" : page.substring(slash);
        return host + (path.equals("/") ? "" : path);
    }
}
