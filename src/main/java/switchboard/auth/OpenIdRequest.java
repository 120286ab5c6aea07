package switchboard.auth;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * A request for authentication (OpenID Connect Core 1.0, section 3.1.2.1): what the browser keeps until it comes back from the
 * issuer.
 *
 * @param state connects the answer with this browser
 * @param verifier shows the issuer that the code comes back from where it was asked for
 * @param nonce connects the ID token with the request
 */
public record OpenIdRequest(String state, String verifier, String nonce) {
    /** Three new secrets. */
    public static OpenIdRequest make() {
        // 64 characters: RFC 7636 wants 43 at least.
        return new OpenIdRequest(SessionId.make(), SessionId.make() + SessionId.make(), SessionId.make());
    }

    /** Contains no secret. */
    @Override
    public String toString() {
        return "OpenIdRequest";
    }

    String challenge() {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(DigestUtils.sha256(verifier.getBytes(StandardCharsets.US_ASCII)));
    }
}
