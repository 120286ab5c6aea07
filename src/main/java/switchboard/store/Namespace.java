package switchboard.store;

import java.util.Comparator;
import switchboard.call.Caller;

/**
 * A set of documents with an index of its own (a library, a collection). Nothing of one namespace shows in another: no
 * hits, no counts, no term statistics. Namespaces of different owners are separate even if they have the same name.
 *
 * @param owner the owner's name; {@code ""} for namespaces without an owner
 * @param name any text of 1 to {@value #MAX_NAME} characters
 */
public record Namespace(String owner, String name) implements Comparable<Namespace> {
    /** Maximum length of the name and of the owner, in code points, as JSON Schema counts. */
    public static final int MAX_NAME = 200;

    private static final Comparator<Namespace> ORDER =
            Comparator.comparing(Namespace::owner).thenComparing(Namespace::name);

    public Namespace {
        if (name.isEmpty() || length(name) > MAX_NAME || length(owner) > MAX_NAME) {
            throw new IllegalArgumentException("The name of a namespace has 1 to " + MAX_NAME + " characters.");
        }
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    /** The namespace of that name without an owner. */
    public static Namespace of(String name) {
        return new Namespace("", name);
    }

    @Override
    public int compareTo(Namespace other) {
        return ORDER.compare(this, other);
    }

    /** The namespace {@code name} of the owner that the caller is bound to; of no owner without a binding. */
    public static Namespace of(Caller caller, String name) {
        return new Namespace(caller.owner(), name);
    }
}
