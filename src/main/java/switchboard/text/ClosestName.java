package switchboard.text;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.text.similarity.DamerauLevenshteinDistance;

/** Finds the existing name that is most similar to a misspelt one. */
public final class ClosestName {
    private static final int LONGEST = 100;

    private ClosestName() {}

    /**
     * The one of {@code known} with the least edit distance from {@code name} (ignoring case, {@code _} and {@code -};
     * swapping two neighbours is one edit), if at most a third of its characters differ, or one of a shorter name; but not
     * one that has no character in common with it. Ties go to the first in alphabetical order.
     */
    public static Optional<String> of(String name, Collection<String> known) {
        String wanted = fold(name);
        int allowed = Math.max(1, wanted.length() / 3);
        String nearest = null;
        for (String candidate : known.stream().sorted().toList()) {
            String folded = fold(candidate);
            int distance = new DamerauLevenshteinDistance(allowed).apply(wanted, folded);
            boolean alike = distance == 0 || distance < Math.max(wanted.length(), folded.length());
            if (distance >= 0 && alike && (nearest == null || distance < allowed)) {
                allowed = distance;
                nearest = candidate;
            }
        }
        return Optional.ofNullable(nearest);
    }

    private static String fold(String name) {
        String folded = name.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
        return folded.length() > LONGEST ? folded.substring(0, LONGEST) : folded;
    }
}
