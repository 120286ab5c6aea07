package switchboard.store;

import java.util.Comparator;

/**
 * A set of documents with an index of its own (a library, a collection). What is in one space never shows in another:
 * not in hits, not in counts, not in term statistics. An owner's spaces are apart from everybody else's of the same
 * name.
 *
 * @param owner whose it is; {@code ""} for the spaces that no owner is bound to
 * @param name any text of 1 to {@value #MAX_NAME} UTF-16 units
 */
public record Namespace(String owner, String name) implements Comparable<Namespace> {
    /** Longest name and longest owner. */
    public static final int MAX_NAME = 200;

    private static final Comparator<Namespace> ORDER =
            Comparator.comparing(Namespace::owner).thenComparing(Namespace::name);

    public Namespace {
        if (name.isEmpty() || name.length() > MAX_NAME || owner.length() > MAX_NAME) {
            throw new IllegalArgumentException("The name of a space has 1 to " + MAX_NAME + " characters.");
        }
    }

    /** The space of that name that no owner is bound to. */
    public static Namespace of(String name) {
        return new Namespace("", name);
    }

    @Override
    public int compareTo(Namespace other) {
        return ORDER.compare(this, other);
    }
}
