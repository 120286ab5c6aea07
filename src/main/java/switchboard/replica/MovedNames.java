package switchboard.replica;

import java.util.Collection;
import java.util.stream.Collectors;
import switchboard.store.Namespace;

/** Names of libraries and documents in messages. Whoever may write chooses them, so they are cut, and control characters escaped. */
final class MovedNames {
    /** So many are named in a message. */
    static final int NAMED = 5;

    private static final int LONGEST = 100;

    private MovedNames() {}

    static String of(Namespace library) {
        return (library.owner().isEmpty() ? "" : shown(library.owner()) + "/") + shown(library.name());
    }

    static String of(Namespace library, String source) {
        return shown(source) + " in " + of(library);
    }

    static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().limit(LONGEST).forEach(one -> {
            switch (Character.getType(one)) {
                case Character.CONTROL,
                        Character.FORMAT,
                        Character.SURROGATE,
                        Character.LINE_SEPARATOR,
                        Character.PARAGRAPH_SEPARATOR -> shown.append("\\u%04x".formatted(one));
                default -> shown.appendCodePoint(one);
            }
        });
        return text.codePointCount(0, text.length()) > LONGEST ? shown + "..." : shown.toString();
    }

    /** The first ones, and how many more there are. */
    static String some(Collection<String> names) {
        String first = names.stream().limit(NAMED).collect(Collectors.joining(", "));
        return names.size() > NAMED ? first + " and " + (names.size() - NAMED) + " more" : first;
    }
}
