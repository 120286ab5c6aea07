package switchboard.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * A credential. In the configuration it is never written out: only {@code ${env:NAME}} and {@code ${file:PATH}} are
 * accepted. {@link #reveal} is the only way to its text.
 */
public final class Secret {
    private final String text;

    private Secret(String text) {
        this.text = text;
    }

    /** The secret {@code text}. */
    public static Secret of(String text) {
        return new Secret(text);
    }

    /** The text itself; for the one place that sends it. */
    public String reveal() {
        return text;
    }

    /** Compares in constant time. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Secret that
                && MessageDigest.isEqual(
                        text.getBytes(StandardCharsets.UTF_8), that.text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** Never the text. */
    @Override
    public String toString() {
        return "******";
    }
}
