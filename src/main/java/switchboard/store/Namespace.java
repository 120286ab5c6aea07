package switchboard.store;

import java.util.Comparator;

/**
 * A set of documents with an index of its own (a library, a collection). What is in one namespace never shows in another:
 * not in hits, not in counts, not in term statistics. An owner's namespaces are apart from everybody else's of the same
 * name.
 *
 * @param owner whose it is; {@code ""} for the namespaces that no owner is bound to
 * @param name any text of 1 to {@value #MAX_NAME} UTF-16 units
 */
public record Namespace(String owner, String name) implements Comparable<Namespace> {
    /** Longest name and longest owner. */
    public static final int MAX_NAME = 200;

    private static final Comparator<Namespace> ORDER =
            Comparator.comparing(Namespace::owner).thenComparing(Namespace::name);

    public Namespace {
        if (name.isEmpty() || name.length() > MAX_NAME || owner.length() > MAX_NAME) {
            throw new IllegalArgumentException("The name of a namespace has 1 to " + MAX_NAME + " characters.");
        }
    }

    /** The namespace of that name that no owner is bound to. */
    public static Namespace of(String name) {
        return new Namespace("", name);
    }

    @Override
    public int compareTo(Namespace other) {
        return ORDER.compare(this, other);
    }
}
