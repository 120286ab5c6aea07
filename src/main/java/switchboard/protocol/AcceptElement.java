package switchboard.protocol;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * One element of a header that says what a client accepts, such as {@code Accept} or {@code Accept-Encoding} (RFC 9110, 12.4.2).
 * Weights are not compared, because the gateway has one form of each kind to offer.
 *
 * @param name a media range or a coding, in lower case
 * @param refused whether its weight is zero, or empty
 */
public record AcceptElement(String name, boolean refused) {
    /** The elements of a header's value, in order; anything can be read. */
    public static List<AcceptElement> of(String header) {
        return Arrays.stream(header.toLowerCase(Locale.ROOT).split(","))
                .map(element -> element.split(";"))
                .filter(parts -> parts.length > 0)
                .map(parts -> new AcceptElement(
                        parts[0].strip(), Arrays.stream(parts).skip(1).anyMatch(AcceptElement::refuses)))
                .toList();
    }

    private static boolean refuses(String parameter) {
        String spaceless = parameter.replace(" ", "");
        return spaceless.startsWith("q=") && spaceless.substring(2).chars().allMatch(c -> c == '0' || c == '.');
    }
}
