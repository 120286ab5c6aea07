package switchboard.protocol;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** Keys for HMAC-SHA-256: the one that signs now, and those before it, whose signatures hold for a time. */
public final class RequestStateKeys {
    /** The algorithm they are for. */
    public static final String ALGORITHM = "HmacSHA256";

    private static final int BYTES = 32;

    private final Function<Instant, List<SecretKey>> keys;

    private RequestStateKeys(Function<Instant, List<SecretKey>> keys) {
        this.keys = keys;
    }

    /** One that no other process has. */
    public static RequestStateKeys random() {
        byte[] bits = new byte[BYTES];
        new SecureRandom().nextBytes(bits);
        List<SecretKey> only = List.of(new SecretKeySpec(bits, ALGORITHM));
        return new RequestStateKeys(_ -> only);
    }

    /**
     * Those that every process makes of secrets, which are hard to guess.
     *
     * @param secrets by an instant, the secrets that were in force after it, the one of now first
     */
    public static RequestStateKeys of(Function<Instant, List<String>> secrets) {
        return new RequestStateKeys(since ->
                secrets.apply(since).stream().map(RequestStateKeys::key).toList());
    }

    /** The one that signs now. */
    public SecretKey current() {
        return keys.apply(Instant.MAX).getFirst();
    }

    /** Those that may have signed something after {@code instant}. */
    public List<SecretKey> since(Instant instant) {
        return keys.apply(instant);
    }

    private static SecretKey key(String secret) {
        try {
            byte[] bits = MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
            return new SecretKeySpec(bits, ALGORITHM);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
