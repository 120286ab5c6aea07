package switchboard.auth;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;
import org.apache.commons.codec.digest.DigestUtils;

/** Ids of sessions. A session is found by the digest of its id, so that a copy of what is kept opens none. */
public final class SessionId {
    /** 192 bits, 32 characters. */
    private static final int ID_BYTES = 24;

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{32}");
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    private SessionId() {}

    /** A new id: random, 32 visible ASCII characters. */
    public static String make() {
        byte[] bits = new byte[ID_BYTES];
        RANDOM.nextBytes(bits);
        return TEXT.encodeToString(bits);
    }

    /** Whether {@code id} could be one of {@link #make}. */
    public static boolean possible(String id) {
        return ID.matcher(id).matches();
    }

    /** The SHA-256 of the id {@code id}, which may be any text, as base64url without padding. */
    public static String key(String id) {
        return TEXT.encodeToString(DigestUtils.sha256(id));
    }
}
