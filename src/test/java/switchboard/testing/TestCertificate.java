package switchboard.testing;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A self-signed certificate for the next 90 days, in PEM files.
 *
 * @param certificate the file of the certificate
 * @param key the file of its private key, PKCS #8
 */
public record TestCertificate(Path certificate, Path key) {
    private static final Duration VALID = Duration.ofDays(90);
    private static final int SERIAL_BITS = 64;

    /**
     * Makes one in {@code folder}.
     *
     * @param alias the name of its subject and of the files
     * @param names whom it is for, such as {@code dns:localhost,ip:127.0.0.1}
     */
    public static TestCertificate make(Path folder, String alias, String names) {
        try {
            SecureRandom random = new SecureRandom();
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            KeyPair pair = generator.generateKeyPair();
            X500Name subject = new X500Name("CN=" + alias);
            Instant now = Instant.now();
            byte[] signed = new JcaX509v3CertificateBuilder(
                            subject,
                            new BigInteger(SERIAL_BITS, random),
                            Date.from(now),
                            Date.from(now.plus(VALID)),
                            subject,
                            pair.getPublic())
                    .addExtension(Extension.subjectAlternativeName, false, new GeneralNames(alternatives(names)))
                    .build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate()))
                    .getEncoded();
            return new TestCertificate(
                    pem(folder.resolve(alias + ".crt"), "CERTIFICATE", signed),
                    pem(
                            folder.resolve(alias + ".key"),
                            "PRIVATE KEY",
                            pair.getPrivate().getEncoded()));
        } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
            throw new AssertionError(e);
        }
    }

    private static GeneralName[] alternatives(String names) {
        return Stream.of(names.split(","))
                .map(name -> List.of(name.split(":", 2)))
                .map(name -> new GeneralName(
                        name.getFirst().equals("ip") ? GeneralName.iPAddress : GeneralName.dNSName, name.getLast()))
                .toArray(GeneralName[]::new);
    }

    private static Path pem(Path file, String kind, byte[] bytes) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }
}
