package switchboard.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * An API key that the gateway issued: {@code sb_<keyId>_<secret>}, with another id if somebody has chosen one. The secret has 256 random bits. Only the SHA-256 of
 * the whole text is stored, which is sufficient for a text that can't be guessed.
 *
 * @param id identifies the key in files, logs and metrics; not secret
 * @param text the whole key; secret
 */
public record ApiKey(String id, String text) {
    /** Only copied, so threads may share it. */
    private static final MessageDigest SHA_256 = DigestUtils.getSha256Digest();

    private static final int SECRET_BYTES = 32;
    private static final int ID_BYTES = 5;

    /** Generates a key with the id {@code id}, which its text does not have: it is like that of any other key. */
    public static ApiKey generate(SecureRandom random, String id) {
        return new ApiKey(id, generate(random).text());
    }

    /** Generates a key. */
    public static ApiKey generate(SecureRandom random) {
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        String keyId = HexFormat.of().formatHex(id);
        return new ApiKey(
                keyId,
                "sb_" + keyId + "_" + Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
    }

    /** The SHA-256 of this key, as stored in the teams file: 64 hexadecimal digits. */
    public String sha256() {
        return sha256(text);
    }

    /** The SHA-256 of any text in UTF-8: 64 lower-case hexadecimal digits. */
    public static String sha256(String text) {
        try {
            // This happens at each request, and looking for the algorithm costs more than copying it.
            MessageDigest digest = (MessageDigest) SHA_256.clone();
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the JDK's SHA-256 can be copied", e);
        }
    }

    /** Contains only the id. */
    @Override
    public String toString() {
        return "ApiKey[" + id + "]";
    }
}
