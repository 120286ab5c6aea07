package switchboard.backend.weaviate;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.text.SurrogatePairs;

/**
 * Checks names for paths, queries and GraphQL documents against Weaviate's grammar, so that nothing can be injected,
 * and converts them to the stored form.
 */
final class WeaviateIdentifiers {
    private static final Pattern COLLECTION = Pattern.compile("[A-Za-z][_0-9A-Za-z]{0,254}");
    private static final Pattern PROPERTY = Pattern.compile("[_A-Za-z][_0-9A-Za-z]{0,230}");
    private static final Pattern VECTOR = Pattern.compile("[_A-Za-z][_0-9A-Za-z]{0,229}");
    private static final Pattern TENANT = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Pattern UUID =
            Pattern.compile("[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}");
    private static final int SHOWN = 80;
    private static final int LISTED = 50;

    private WeaviateIdentifiers() {}

    /**
     * The name of a collection as stored: with its first letter in upper case.
     *
     * @throws ToolException {@code INVALID_ARGUMENT}
     */
    static String collection(String given) {
        if (given.isEmpty()) {
            throw invalid("collection_name is required.");
        }
        if (!COLLECTION.matcher(given).matches()) {
            throw invalid(quoted(given)
                    + " is not a valid collection name: it must be a letter, then letters, digits and _, at most 255.");
        }
        return capitalised(given);
    }

    /** {@code name} with its first letter in upper case. */
    static String capitalised(String name) {
        return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }

    /** {@code name} with its first letter in lower case, as Weaviate stores properties. */
    static String uncapitalised(String name) {
        return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }

    /** Whether {@code name} could be a property. */
    static boolean isProperty(String name) {
        return PROPERTY.matcher(name).matches();
    }

    /** Whether {@code name} could be a named vector. */
    static boolean isVector(String name) {
        return VECTOR.matcher(name).matches();
    }

    /** Whether {@code name} could be a collection as it is stored. */
    static boolean isStoredCollection(String name) {
        return COLLECTION.matcher(name).matches() && Character.isUpperCase(name.charAt(0));
    }

    /** Whether {@code name} could be a tenant. */
    static boolean isTenant(String name) {
        return TENANT.matcher(name).matches();
    }

    /**
     * A tenant's name.
     *
     * @throws ToolException {@code INVALID_ARGUMENT}
     */
    static String tenant(String given) {
        if (!isTenant(given)) {
            throw invalid(quoted(given) + " is not a valid tenant name: 1 to 64 letters, digits, _ and -.");
        }
        return given;
    }

    /** The canonical form of a UUID; empty if {@code given} is not one. */
    static Optional<String> uuid(String given) {
        return UUID.matcher(given).matches() ? Optional.of(given.toLowerCase(Locale.ROOT)) : Optional.empty();
    }

    /**
     * {@code text}, which must be valid Unicode: a lone surrogate has no UTF-8 form.
     *
     * @param what its name in messages
     * @throws ToolException {@code INVALID_ARGUMENT}
     */
    static String sound(String what, String text) {
        if (!SurrogatePairs.wellFormed(text)) {
            throw invalid(what + " holds half of a surrogate pair, which is not valid Unicode.");
        }
        return text;
    }

    /** {@code text} for a message: quoted, without control characters, not longer than a line. */
    static String quoted(String text) {
        StringBuilder shown = new StringBuilder("\"");
        text.codePoints().limit(SHOWN).forEach(c -> {
            boolean plain = !Character.isISOControl(c) && (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE);
            shown.appendCodePoint(plain ? c : '\uFFFD');
        });
        return shown.append(text.codePointCount(0, text.length()) > SHOWN ? "…\"" : "\"")
                .toString();
    }

    /** {@code names} for a message: the first of them, if there are many. */
    static String listed(Collection<String> names) {
        String first = names.stream().limit(LISTED).collect(Collectors.joining(", "));
        return names.size() > LISTED ? first + " and " + (names.size() - LISTED) + " more" : first;
    }

    static ToolException invalid(String message) {
        return new ToolException(FailureKind.INVALID_ARGUMENT, message);
    }
}
