package switchboard.watch;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signatures of the specification Standard Webhooks, version 1: HMAC-SHA256. */
public final class WebhookSignature {
    private static final String ALGORITHM = "HmacSHA256";

    private WebhookSignature() {}

    /**
     * The header {@code webhook-signature}: a signature with each of {@code keys}.
     *
     * @param seconds the time of the attempt, in seconds since 1970
     */
    public static String of(List<byte[]> keys, String id, long seconds, byte[] body) {
        return keys.stream().map(key -> "v1," + of(key, id, seconds, body)).collect(Collectors.joining(" "));
    }

    private static String of(byte[] key, String id, long seconds, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            mac.update((id + "." + seconds + ".").getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("each Java has " + ALGORITHM, e);
        }
    }
}
