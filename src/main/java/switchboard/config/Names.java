package switchboard.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** The name that a mistyped one probably stands for. */
final class Names {
    private Names() {}

    /** {@code "; did you mean x?"} if a known name is near, otherwise the list of the known names. */
    static String suggestion(String wrong, Collection<String> known) {
        int reach = Math.max(1, wrong.length() / 3);
        LevenshteinDistance distance = LevenshteinDistance.getDefaultInstance();
        return known.stream()
                .filter(name -> distance.apply(fold(wrong), fold(name)) <= reach)
                .min(Comparator.comparing(name -> distance.apply(fold(wrong), fold(name))))
                .map(name -> "; did you mean " + name + "?")
                .orElseGet(() -> "; known are "
                        + String.join(", ", known.stream().sorted().toList()));
    }

    private static String fold(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_]", "");
    }
}
