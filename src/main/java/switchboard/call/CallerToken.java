package switchboard.call;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * The access token that a caller has shown. It is kept for one purpose: an authorization server exchanges it for a token
 * that is for another server (RFC 8693). It stays in this process, with the call or stream that it came with, and the session
 * at that server: it is in no message, no file and no text. Immutable.
 */
public final class CallerToken {
    private final String text;
    private final String issuer;
    private final Instant expires;

    /**
     * A token whose signature, audience and times have been checked.
     *
     * @param text the token itself
     * @param issuer the identifier of its issuer ({@code iss})
     * @param expires when it expires ({@code exp})
     */
    public CallerToken(String text, String issuer, Instant expires) {
        this.text = text;
        this.issuer = issuer;
        this.expires = expires;
    }

    /** The token itself. Only the code that sends it to its authorization server should call this. */
    public String reveal() {
        return text;
    }

    /** The identifier of its issuer. */
    public String issuer() {
        return issuer;
    }

    /** When it expires. */
    public Instant expires() {
        return expires;
    }

    /** The SHA-256 of the token, in hexadecimal: what is kept for its bearer is found by it. */
    public String digest() {
        return DigestUtils.sha256Hex(text);
    }

    /** Compares in constant time. */
    @Override
    public boolean equals(Object other) {
        return other instanceof CallerToken that
                && issuer.equals(that.issuer)
                && expires.equals(that.expires)
                && MessageDigest.isEqual(
                        text.getBytes(StandardCharsets.UTF_8), that.text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public int hashCode() {
        return expires.hashCode();
    }

    /** Does not contain the token. */
    @Override
    public String toString() {
        return "******";
    }
}
