package switchboard.auth;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request shows of the keys that its sender has, for tokens that are bound to one.
 *
 * @param method the method of the request
 * @param path the path of its URL, as received; still encoded
 * @param proofs the values of its {@code DPoP} headers (RFC 9449), as received
 * @param certificate the client's certificate of the TLS connection; null without one
 */
public record Possession(
        String method,
        String path,
        List<String> proofs,
        @Nullable X509Certificate certificate) {
    /** Of a sender who shows no key. */
    public static final Possession NONE = new Possession("", "", List.of(), null);

    public Possession {
        proofs = List.copyOf(proofs);
    }

    /** Does not contain the proofs. */
    @Override
    public String toString() {
        return "Possession[" + method + " " + path + ", proofs=" + proofs.size() + ", certificate="
                + (certificate == null ? "absent" : "present") + "]";
    }
}
