package switchboard.store;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.call.Caller;
import switchboard.text.SurrogatePairs;

/**
 * Who may read a document: users, groups, or everyone. Users and groups are named as the bindings of teams give them to
 * callers; case matters.
 *
 * @param names each {@value #USER}{@code NAME} or {@value #GROUP}{@code NAME}; none stands for everyone. Nobody has a name of
 *     another form, which another version may have written
 */
public record AllowedReaders(List<String> names) {
    /** What precedes the name of a user. */
    public static final String USER = "user:";

    /** What precedes the name of a group. */
    public static final String GROUP = "group:";

    /** Stands for everyone who may use the document's library. */
    public static final String EVERYONE = "everyone";

    /** Maximum number of names that a caller can give. */
    public static final int MAX = 100;

    /** Maximum length of a name with its kind, in UTF-16 units. */
    public static final int MAX_LENGTH = 300;

    /** Everyone may read the document. */
    public static final AllowedReaders ALL = new AllowedReaders(List.of());

    /** Orders the names; {@value #EVERYONE} stands alone, as no name. */
    public AllowedReaders {
        names = names.contains(EVERYONE)
                ? List.of()
                : names.stream().distinct().sorted().toList();
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
        return new AllowedReaders(names);
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

    /** The names for those who may read the document; null if everyone may. */
    public @Nullable List<String> shown() {
        return restricted() ? names : null;
    }

    /** Whether anybody is kept out. */
    public boolean restricted() {
        return !names.isEmpty();
    }
}
