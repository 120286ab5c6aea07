package switchboard.store;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.call.Caller;
import switchboard.text.SurrogatePairs;

/**
 * Who may read a document: users, groups, or everyone. Users and groups are named as the bindings of teams give them to
 * callers; case matters. Several places may say it, such as the document itself and its collection; then who reads it is in
 * the list of each.
 *
 * @param places a list of names for each place that restricts the document, in one order; none stands for everyone. A name is
 *     {@value #USER}{@code NAME} or {@value #GROUP}{@code NAME}. Nobody has a name of another form, which another version may
 *     have written
 */
public record AllowedReaders(List<List<String>> places) {
    /** What precedes the name of a user. */
    public static final String USER = "user:";

    /** What precedes the name of a group. */
    public static final String GROUP = "group:";

    /** Stands for everyone who may use the document's library. */
    public static final String EVERYONE = "everyone";

    /** Maximum number of places that can restrict a document, each in its own way. */
    public static final int MAX_PLACES = 5;

    /** Maximum number of names that a caller can give. */
    public static final int MAX = 100;

    /** Maximum length of a name with its kind, in UTF-16 units. */
    public static final int MAX_LENGTH = 300;

    /** By length, then by names. Must stay above the constants below, whose constructor uses it. */
    private static final Comparator<List<String>> ORDER = Comparator.<List<String>>comparingInt(List::size)
            .thenComparing((one, other) -> Arrays.compare(one.toArray(String[]::new), other.toArray(String[]::new)));

    /** Everyone may read the document. */
    public static final AllowedReaders ALL = new AllowedReaders(List.of());

    /** Nobody may read the document but who may read everything; its name has a form that no caller's has. */
    public static final AllowedReaders NOBODY = new AllowedReaders(List.of(List.of("nobody")));

    /** Leaves out the lists of everyone, and those that another list is a part of. */
    public AllowedReaders {
        List<List<String>> lists = places.stream()
                .filter(names -> !names.isEmpty() && !names.contains(EVERYONE))
                .map(names -> names.stream().distinct().sorted().toList())
                .distinct()
                .sorted(ORDER)
                .toList();
        places = lists.stream()
                .filter(list -> {
                    Set<String> names = new HashSet<>(list);
                    return lists.stream().noneMatch(other -> other.size() < list.size() && names.containsAll(other));
                })
                .toList();
    }

    /** Whoever has one of {@code names}, which may be written by another version; everyone if there are none. */
    public static AllowedReaders anyOf(List<String> names) {
        return new AllowedReaders(List.of(names));
    }

    /**
     * Who is among these readers and among {@code others}.
     *
     * @throws IllegalArgumentException if that is more than {@value #MAX_PLACES} lists
     */
    public AllowedReaders and(AllowedReaders others) {
        AllowedReaders both = narrowedBy(others);
        if (both.places.size() > MAX_PLACES) {
            throw new IllegalArgumentException(
                    "at most " + MAX_PLACES
                            + " different lists can say who reads a document; use the same list in some places, or leave one out");
        }
        return both;
    }

    /** Whether whoever is among these is among {@code others}, as far as the lists tell. */
    public boolean within(AllowedReaders others) {
        return narrowedBy(others).equals(this);
    }

    /** Who is among these readers and among {@code others}, however many lists that is. */
    public AllowedReaders narrowedBy(AllowedReaders others) {
        return new AllowedReaders(
                Stream.concat(places.stream(), others.places.stream()).toList());
    }

    /** Whether who has {@code names} is in the list of each place. */
    boolean permits(Set<String> names) {
        return places.stream().allMatch(place -> place.stream().anyMatch(names::contains));
    }

    /**
     * The names of {@code caller}: those that its bindings {@code user} and {@code groups} give it.
     *
     * @throws switchboard.call.ToolException {@code DENIED} if it lacks a claim
     */
    public static List<String> namesOf(Caller caller) {
        Stream<String> user = caller.binding("user").stream().map(binding -> USER + binding.value());
        Stream<String> groups = caller.binding("groups").stream()
                .flatMap(binding -> binding.values().stream())
                .map(group -> GROUP + group);
        return Stream.concat(user, groups).toList();
    }

    /**
     * Readers that a caller names.
     *
     * @throws IllegalArgumentException that says what is wrong, if there are too many or one has another form
     */
    public static AllowedReaders of(List<String> names) {
        if (names.size() > MAX) {
            throw new IllegalArgumentException("at most " + MAX + " readers can be named; use groups");
        }
        names.forEach(AllowedReaders::check);
        return anyOf(names);
    }

    private static void check(String name) {
        boolean named = Stream.of(USER, GROUP).anyMatch(kind -> name.startsWith(kind) && name.length() > kind.length());
        if (!named && !name.equals(EVERYONE)) {
            throw new IllegalArgumentException(
                    "a reader is \"user:NAME\", \"group:NAME\" or \"everyone\", not \"" + shortened(name) + "\"");
        }
        if (!SurrogatePairs.replaceLone(name).equals(name)) {
            throw new IllegalArgumentException("a reader has half a character");
        }
        if (name.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("a reader has at most " + MAX_LENGTH + " characters");
        }
    }

    private static String shortened(String name) {
        return name.length() <= 40 ? name : name.substring(0, 40) + "...";
    }

    /** What those see who may read the document: the names, or a list of names for each place; null if everyone may. */
    public @Nullable List<?> shown() {
        if (!restricted()) {
            return null;
        }
        return places.size() == 1 ? places.getFirst() : places;
    }

    /** Whether anybody is kept out. */
    public boolean restricted() {
        return !places.isEmpty();
    }
}
