package switchboard.text;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Percent-encoding of texts that become a part of a URI (RFC 3986, section 2.1). */
public final class PercentEncoding {
    private PercentEncoding() {}

    /** {@code text} in UTF-8, with everything encoded that could end the part: also slashes, and spaces as {@code %20}. */
    public static String of(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * The text that {@code part} stands for; a plus sign is one.
     *
     * @throws IllegalArgumentException if two hexadecimal digits do not follow a percent sign
     */
    public static String decoded(String part) {
        return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
