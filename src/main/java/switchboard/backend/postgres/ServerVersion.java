package switchboard.backend.postgres;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code version()} says about the server.
 *
 * @param postgresql_version the version as people write it
 * @param version_number the same as one number
 * @param full_version the whole text
 * @param operating_system where it runs
 * @param architecture the platform triple it was built for
 * @param compiler what built it
 * @param bit_version {@code 64-bit}
 */
record ServerVersion(
        String postgresql_version,
        String version_number,
        String full_version,
        String operating_system,
        String architecture,
        String compiler,
        String bit_version) {
    private static final String UNKNOWN = "Unknown";

    /** {@code PostgreSQL <version> on <triple>, compiled by <compiler>, <bits>-bit}. */
    private static final Pattern FORM = Pattern.compile(
            "PostgreSQL (\\S+)(?: \\([^)]*\\))?(?: on ([^,\\s]+))?(?:, compiled by (.+?))?(?:, (\\d+-bit))?");

    static ServerVersion parse(String full, String number) {
        Matcher matcher = FORM.matcher(full);
        if (!matcher.matches()) {
            return new ServerVersion(UNKNOWN, number, full, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);
        }
        String triple = orUnknown(matcher.group(2));
        return new ServerVersion(
                orUnknown(matcher.group(1)),
                number,
                full,
                system(triple),
                triple,
                orUnknown(matcher.group(3)),
                orUnknown(matcher.group(4)));
    }

    /** The third part of {@code x86_64-pc-linux-gnu}; the whole of what has no such parts. */
    private static String system(String triple) {
        String[] parts = triple.split("-", -1);
        return parts.length > 2 ? parts[2] : triple;
    }

    private static String orUnknown(@org.jspecify.annotations.Nullable String text) {
        return text == null || text.isBlank() ? UNKNOWN : text;
    }
}
