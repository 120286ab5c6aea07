package switchboard.call;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import switchboard.text.PercentEncoding;

/**
 * Names a passage in a form that survives copying: {@code [<backend>/<source>/<document>#<start>-<end> · <hash>]}, or
 * {@code #+<length>} where the place is not known. Each part is percent-encoded; the document may have slashes.
 *
 * @param backend id of the backend
 * @param source its source
 * @param document the name that all versions of the document have there
 * @param span the place of the passage
 * @param hash SHA-256 of the passage's UTF-8, lower-case hex: its first {@value #SHORT_HASH} to 64 digits
 */
public record Citation(String backend, String source, String document, PassageSpan span, String hash) {
    /** How many digits of the hash are written. */
    public static final int SHORT_HASH = 16;
    /** The longest form that is read. */
    public static final int LONGEST = 16_000;

    private static final char DOT = '·';
    private static final Pattern HASH = Pattern.compile("[0-9a-fA-F]{16,64}");
    private static final Pattern SPAN = Pattern.compile("(\\d{1,9})-(\\d{1,9})");
    private static final Pattern LENGTH = Pattern.compile("\\+(\\d{1,9})");

    /** The result of reading a citation. */
    public sealed interface Parsed {
        /** It is one. */
        record Valid(Citation citation) implements Parsed {}

        /** It is none; {@code problem} says why. */
        record Malformed(String problem) implements Parsed {}
    }

    /** Reads {@code text}, with its brackets. */
    public static Parsed parse(String text) {
        // Programs that show texts like to write a space that is not broken.
        String given = text.replace('\u00a0', ' ').strip();
        if (given.length() > LONGEST || !given.startsWith("[") || !given.endsWith("]")) {
            return new Parsed.Malformed("It must be in square brackets and have at most " + LONGEST + " characters.");
        }
        int dot = given.lastIndexOf(DOT);
        String hash =
                dot < 0 ? "" : given.substring(dot + 1, given.length() - 1).strip();
        if (!HASH.matcher(hash).matches()) {
            return new Parsed.Malformed("Behind \" · \" must be 16 to 64 hexadecimal digits of the passage's SHA-256.");
        }
        String named = given.substring(1, dot).strip();
        int fragment = named.indexOf('#');
        Optional<PassageSpan> span = fragment < 0 ? Optional.empty() : span(named.substring(fragment + 1));
        if (span.isEmpty()) {
            return new Parsed.Malformed(
                    "Behind the document must be #<start>-<end>, or #+<length>, of at least one character.");
        }
        return named(named.substring(0, fragment), span.get(), hash.toLowerCase(Locale.ROOT));
    }

    private static Parsed named(String path, PassageSpan span, String hash) {
        String[] parts = path.split("/", 3);
        if (parts.length < 3 || Arrays.stream(parts).anyMatch(String::isEmpty)) {
            return new Parsed.Malformed("It must begin with <backend>/<source>/<document>.");
        }
        try {
            return new Parsed.Valid(new Citation(
                    PercentEncoding.decoded(parts[0]),
                    PercentEncoding.decoded(parts[1]),
                    PercentEncoding.decoded(parts[2]),
                    span,
                    hash));
        } catch (IllegalArgumentException _) {
            return new Parsed.Malformed("A percent sign must be followed by two hexadecimal digits.");
        }
    }

    private static Optional<PassageSpan> span(String text) {
        Matcher place = SPAN.matcher(text);
        Matcher length = LENGTH.matcher(text);
        PassageSpan span = place.matches()
                ? PassageSpan.between(Integer.parseInt(place.group(1)), Integer.parseInt(place.group(2)))
                : length.matches()
                        ? PassageSpan.somewhere(Integer.parseInt(length.group(1)))
                        : PassageSpan.somewhere(0);
        return span.length() > 0 ? Optional.of(span) : Optional.empty();
    }

    /** Whether {@code sha256}, 64 digits, is that of the passage. */
    public boolean names(String sha256) {
        return sha256.startsWith(hash);
    }

    /** The same with more digits of the hash. */
    public Citation hashed(String sha256) {
        return new Citation(backend, source, document, span, sha256);
    }

    /** The citation of another passage of the document. */
    public Citation at(PassageSpan other, String sha256) {
        return new Citation(backend, source, document, other, sha256);
    }

    /** As callers see it. */
    @Override
    public String toString() {
        return "[" + PercentEncoding.of(backend) + "/" + PercentEncoding.of(source) + "/"
                + Arrays.stream(document.split("/", -1))
                        .map(PercentEncoding::of)
                        .collect(Collectors.joining("/")) + "#"
                + span + " " + DOT + " " + hash.substring(0, SHORT_HASH) + "]";
    }
}
