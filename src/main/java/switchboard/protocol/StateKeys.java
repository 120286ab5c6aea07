package switchboard.protocol;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** Keys for HMAC-SHA-256. */
public final class StateKeys {
    /** The algorithm they are for. */
    public static final String ALGORITHM = "HmacSHA256";

    private static final int BYTES = 32;

    private StateKeys() {}

    /** One that no other process has. */
    public static SecretKey random() {
        byte[] bits = new byte[BYTES];
        new SecureRandom().nextBytes(bits);
        return new SecretKeySpec(bits, ALGORITHM);
    }

    /** The one that every process makes of {@code secret}, which is hard to guess. */
    public static SecretKey of(String secret) {
        try {
            byte[] bits = MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
            return new SecretKeySpec(bits, ALGORITHM);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
