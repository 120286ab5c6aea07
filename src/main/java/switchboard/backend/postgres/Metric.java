package switchboard.backend.postgres;

import java.util.Locale;

/** Distances between vectors, and pgvector's operators for them. */
enum Metric {
    COSINE("cosine", "<=>", "Cosine Distance", "_cosine_"),
    L2("l2", "<->", "L2 (Euclidean) Distance", "_l2_"),
    INNER_PRODUCT("inner_product", "<#>", "Inner Product (Negative)", "_ip_");

    private final String word;
    private final String operator;
    private final String title;
    private final String opclassPart;

    Metric(String word, String operator, String title, String opclassPart) {
        this.word = word;
        this.operator = operator;
        this.title = title;
        this.opclassPart = opclassPart;
    }

    /** The metric of an argument, aliases included. */
    static Metric of(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "cosine" -> COSINE;
            case "l2", "euclidean" -> L2;
            case "inner_product", "inner" -> INNER_PRODUCT;
            default -> throw new IllegalArgumentException("invalid distance metric: " + word);
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

    /** What the names of operator classes for this metric contain. */
    String opclassPart() {
        return opclassPart;
    }
}
