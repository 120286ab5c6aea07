package switchboard.protocol;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.apache.commons.codec.digest.DigestUtils;

/** Keys for HMAC-SHA-256: the current one, and previous ones whose signatures are valid for some time. */
public final class RequestStateKeys {
    /** The algorithm they are for. */
    public static final String ALGORITHM = "HmacSHA256";

    private static final int BYTES = 32;

    private final Function<Instant, List<SecretKey>> keys;

    private RequestStateKeys(Function<Instant, List<SecretKey>> keys) {
        this.keys = keys;
    }

    /** A random key, for a single process. */
    public static RequestStateKeys random() {
        byte[] bits = new byte[BYTES];
        new SecureRandom().nextBytes(bits);
        List<SecretKey> only = List.of(new SecretKeySpec(bits, ALGORITHM));
        return new RequestStateKeys(_ -> only);
    }

    /**
     * Keys derived from secrets, which must be hard to guess.
     *
     * @param secrets returns the secrets that were in use after an instant, the current one first
     */
    public static RequestStateKeys of(Function<Instant, List<String>> secrets) {
        return new RequestStateKeys(since ->
                secrets.apply(since).stream().map(RequestStateKeys::key).toList());
    }

    /** The current key. */
    public SecretKey current() {
        return keys.apply(Instant.MAX).getFirst();
    }

    /** The keys that may have signed something after {@code instant}. */
    public List<SecretKey> since(Instant instant) {
        return keys.apply(instant);
    }

    private static SecretKey key(String secret) {
        return new SecretKeySpec(DigestUtils.sha256(secret), ALGORITHM);
    }
}
