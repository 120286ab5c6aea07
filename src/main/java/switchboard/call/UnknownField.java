package switchboard.call;

import java.util.Collection;
import java.util.TreeSet;
import switchboard.text.ClosestName;
import switchboard.text.SurrogatePairs;

/** The failure of a search in a source that lacks a field of the filter. */
public final class UnknownField {
    private static final int MOST_NAMED = 20;
    private static final int LONGEST_NAME = 60;

    private UnknownField() {}

    /**
     * The failure for {@code field}. Its message names the field that was probably meant, or else some of those that there are.
     *
     * @param field the field that the caller named; a long name is cut
     * @param known the fields that filters may name
     */
    public static ToolException of(String field, Collection<String> known) {
        String problem = "There is no field \"" + shortened(field) + "\" to filter by.";
        return new ToolException(
                FailureKind.INVALID_ARGUMENT,
                ClosestName.of(field, known)
                        .map(near -> problem + " Did you mean \"" + shortened(near) + "\"?")
                        .orElseGet(() -> problem + " " + named(known)));
    }

    private static String shortened(String name) {
        return name.length() <= LONGEST_NAME
                ? name
                : name.substring(0, SurrogatePairs.after(name, LONGEST_NAME)) + "...";
    }

    private static String named(Collection<String> known) {
        String first = String.join(
                ", ",
                new TreeSet<>(known)
                        .stream().limit(MOST_NAMED).map(UnknownField::shortened).toList());
        return known.size() > MOST_NAMED ? "There are " + first + " and others." : "There are " + first + ".";
    }
}
