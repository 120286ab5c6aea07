package switchboard.session;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/** Ids of sessions. A session is found by the digest of its id, so that a copy of what is kept opens none. */
final class SessionId {
    /** 192 bits, 32 characters. */
    private static final int ID_BYTES = 24;

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    private SessionId() {}

    /** A new id. */
    static String make() {
        byte[] bits = new byte[ID_BYTES];
        RANDOM.nextBytes(bits);
        return TEXT.encodeToString(bits);
    }

    /** The digest of the id {@code id}, which may be any text. */
    static String key(String id) {
        try {
            return TEXT.encodeToString(
                    MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
