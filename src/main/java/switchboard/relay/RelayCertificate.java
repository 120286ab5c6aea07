package switchboard.relay;

import io.vertx.core.net.KeyCertOptions;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import javax.net.ssl.KeyManagerFactory;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate of this process for calls of other processes. Only those who read it beside the data trust it. Its
 * private key stays in memory.
 *
 * @param pem the certificate
 * @param identity has it and its private key
 */
record RelayCertificate(String pem, KeyManagerFactory identity) {
    private static final int SERIAL_BITS = 128;

    /** Start of validity. The certificate is valid as long as the process runs, whatever the clock says. */
    private static final Date FROM = Date.from(Instant.EPOCH);

    private static final Date TO = Date.from(Instant.parse("9999-12-31T23:59:59Z"));

    /** A new one. */
    static RelayCertificate make() {
        try {
            SecureRandom random = new SecureRandom();
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            KeyPair pair = generator.generateKeyPair();
            X500Name name = new X500Name("CN=switchboard");
            X509Certificate certificate = new JcaX509CertificateConverter()
                    .getCertificate(new JcaX509v3CertificateBuilder(
                                    name, new BigInteger(SERIAL_BITS, random), FROM, TO, name, pair.getPublic())
                            .build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate())));
            return new RelayCertificate(pem(certificate.getEncoded()), identity(pair.getPrivate(), certificate));
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("every JDK can make a certificate", e);
        }
    }

    /**
     * The key and the certificate, in a store of the JDK's old format, which stays in memory. From PEM, Vert.x makes a PKCS #12 store, which
     * protects keys by a password. That takes half a second where the JVM has only its first compiler, as in tests.
     */
    private static KeyManagerFactory identity(PrivateKey key, Certificate certificate)
            throws GeneralSecurityException, IOException {
        char[] password = {};
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, password);
        store.setKeyEntry("switchboard", key, password, new Certificate[] {certificate});
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, password);
        return factory;
    }

    /** The options for the server. */
    KeyCertOptions options() {
        return KeyCertOptions.wrap(identity);
    }

    private static String pem(byte[] certificate) {
        String lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(certificate);
        return "-----BEGIN CERTIFICATE-----\n" + lines + "\n-----END CERTIFICATE-----\n";
    }

    /** Does not contain the key. */
    @Override
    public String toString() {
        return "certificate";
    }
}
