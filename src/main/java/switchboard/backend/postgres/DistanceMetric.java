package switchboard.backend.postgres;

import java.util.List;
import java.util.Locale;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.text.ClosestName;

/** Distances between vectors, and pgvector's operators for them. */
enum DistanceMetric {
    COSINE("cosine", "<=>", "Cosine Distance", "_cosine_"),
    L2("l2", "<->", "L2 (Euclidean) Distance", "_l2_"),
    INNER_PRODUCT("inner_product", "<#>", "Inner Product (Negative)", "_ip_");

    private static final List<String> WORDS = List.of("cosine", "l2", "euclidean", "inner_product", "inner");

    private final String word;
    private final String operator;
    private final String title;
    private final String opclassPart;

    DistanceMetric(String word, String operator, String title, String opclassPart) {
        this.word = word;
        this.operator = operator;
        this.title = title;
        this.opclassPart = opclassPart;
    }

    /**
     * The metric called {@code word}, ignoring case, including aliases.
     *
     * @throws ToolException if there is none of that name
     */
    static DistanceMetric of(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "cosine" -> COSINE;
            case "l2", "euclidean" -> L2;
            case "inner_product", "inner" -> INNER_PRODUCT;
            default ->
                throw new ToolException(
                        FailureKind.INVALID_ARGUMENT,
                        "There is no distance metric \"" + word + "\"."
                                + ClosestName.of(word, WORDS)
                                        .map(near -> " Did you mean " + near + "?")
                                        .orElse("")
                                + " 'distance_metric' is one of " + String.join(", ", WORDS) + ".");
        };
    }

    String word() {
        return word;
    }

    String operator() {
        return operator;
    }

    String title() {
        return title;
    }

    /** The part of operator class names for this metric. */
    String opclassPart() {
        return opclassPart;
    }
}
