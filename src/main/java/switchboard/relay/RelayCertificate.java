package switchboard.relay;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate of this process for calls of other processes. Only those who read it beside the data trust it. Its
 * private key stays in memory.
 *
 * @param pem the certificate
 * @param key its private key, PKCS #8
 */
record RelayCertificate(String pem, String key) {
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
            byte[] signed = new JcaX509v3CertificateBuilder(
                            name, new BigInteger(SERIAL_BITS, random), FROM, TO, name, pair.getPublic())
                    .build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate()))
                    .getEncoded();
            return new RelayCertificate(
                    pem("CERTIFICATE", signed),
                    pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("every JDK can make a certificate", e);
        }
    }

    /** The options for the server. */
    PemKeyCertOptions options() {
        return new PemKeyCertOptions().addCertValue(Buffer.buffer(pem)).addKeyValue(Buffer.buffer(key));
    }

    private static String pem(String kind, byte[] bytes) {
        String lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(bytes);
        return "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n";
    }

    /** Does not contain the key. */
    @Override
    public String toString() {
        return "certificate";
    }
}
