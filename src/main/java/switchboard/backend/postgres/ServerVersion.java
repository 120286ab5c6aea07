package switchboard.backend.postgres;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parts of {@code version()}.
 *
 * @param postgresql_version the version
 * @param version_number the same as one number
 * @param full_version the whole text
 * @param operating_system its operating system
 * @param architecture the platform triple of the build
 * @param compiler the compiler of the build
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

    /** The third part of {@code x86_64-pc-linux-gnu}; the whole text if it has no such parts. */
    private static String system(String triple) {
        String[] parts = triple.split("-", -1);
        return parts.length > 2 ? parts[2] : triple;
    }

    private static String orUnknown(@org.jspecify.annotations.Nullable String text) {
        return text == null || text.isBlank() ? UNKNOWN : text;
    }
}
