package switchboard.text;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Header values that repeat values of a message, with an encoding for those that headers can't contain (MCP 2026-07-28,
 * transports, section on custom headers).
 */
public final class HeaderValue {
    private static final Pattern PLAIN = Pattern.compile("[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?");
    private static final String PREFIX = "=?base64?";
    private static final String SUFFIX = "?=";

    private HeaderValue() {}

    /** {@code value} in a form for headers: encoded if it is not plain text, or looks encoded already. */
    public static String encode(String value) {
        if (PLAIN.matcher(value).matches() && !(value.startsWith(PREFIX) && value.endsWith(SUFFIX))) {
            return value;
        }
        return PREFIX + Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)) + SUFFIX;
    }

    /** Decodes {@code raw}; empty if its encoding is not valid. */
    public static Optional<String> decode(String raw) {
        if (raw.length() < PREFIX.length() + SUFFIX.length() || !raw.startsWith(PREFIX) || !raw.endsWith(SUFFIX)) {
            return Optional.of(raw);
        }
        String base64 = raw.substring(PREFIX.length(), raw.length() - SUFFIX.length());
        if (base64.length() % 4 != 0) {
            return Optional.empty();
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(base64));
            return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(bytes).toString());
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
