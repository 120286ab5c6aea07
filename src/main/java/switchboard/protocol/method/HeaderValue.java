package switchboard.protocol.method;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** Header values that repeat values of the body, with an encoding for values that headers can't contain. */
public final class HeaderValue {
    private static final String PREFIX = "=?base64?";
    private static final String SUFFIX = "?=";

    private HeaderValue() {}

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
