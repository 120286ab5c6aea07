package switchboard.async;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.X509KeyManager;

/** Checks that a certificate and a key match. They are two files that are replaced one after the other. */
public final class CertificatePair {
    private static final List<String> KEY_TYPES = List.of("RSA", "EC", "EdDSA");

    private CertificatePair() {}

    /**
     * The certificate of {@code keys}; empty if there is none.
     *
     * @throws IllegalArgumentException if the key does not match; {@code certificate} and {@code key} name the files
     *     in the message
     */
    public static Optional<X509Certificate> checked(KeyManagerFactory keys, String certificate, String key)
            throws GeneralSecurityException {
        for (KeyManager manager : keys.getKeyManagers()) {
            if (manager instanceof X509KeyManager known) {
                return Optional.of(checked(known, certificate, key));
            }
        }
        return Optional.empty();
    }

    private static X509Certificate checked(X509KeyManager keys, String certificate, String key)
            throws GeneralSecurityException {
        for (String type : KEY_TYPES) {
            String[] aliases = keys.getServerAliases(type, null);
            if (aliases != null && aliases.length > 0) {
                X509Certificate own = keys.getCertificateChain(aliases[0])[0];
                if (!belong(keys.getPrivateKey(aliases[0]), own.getPublicKey())) {
                    throw new IllegalArgumentException(key + " is not the key of " + certificate);
                }
                return own;
            }
        }
        throw new IllegalArgumentException("the key in " + key + " must be one of " + KEY_TYPES);
    }

    private static boolean belong(PrivateKey key, PublicKey other) throws GeneralSecurityException {
        if (!key.getAlgorithm().equals(other.getAlgorithm())) {
            return false;
        }
        Signature signature = Signature.getInstance(
                switch (key.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> key.getAlgorithm();
                });
        byte[] text = {1, 2, 3};
        signature.initSign(key);
        signature.update(text);
        byte[] signed = signature.sign();
        signature.initVerify(other);
        signature.update(text);
        return signature.verify(signed);
    }
}
