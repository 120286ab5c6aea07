package switchboard.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/**
 * A server's certificate, signed by itself, and its key, as PEM files that every user may read.
 *
 * @param certificate also the authority to trust
 */
public record ServerCertificate(Path certificate, Path key) implements AutoCloseable {
    private static final String PASSWORD = "changeit";

    /** A new one that is good for {@code host}, a name. */
    public static ServerCertificate of(String host) {
        try {
            Path folder = Files.createTempDirectory("switchboard-certificate-");
            Path store = folder.resolve("store.p12");
            Programs.run(
                    List.of(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-genkeypair",
                            "-alias",
                            "server",
                            "-keyalg",
                            "RSA",
                            "-validity",
                            "30",
                            "-dname",
                            "CN=" + host,
                            "-ext",
                            "san=dns:" + host,
                            "-storetype",
                            "PKCS12",
                            "-keystore",
                            store.toString(),
                            "-storepass",
                            PASSWORD),
                    null);
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream file = Files.newInputStream(store)) {
                keys.load(file, PASSWORD.toCharArray());
            }
            ServerCertificate made = new ServerCertificate(
                    pem(folder, "CERTIFICATE", keys.getCertificate("server").getEncoded()),
                    pem(
                            folder,
                            "PRIVATE KEY",
                            keys.getKey("server", PASSWORD.toCharArray()).getEncoded()));
            Programs.run(List.of("chmod", "-R", "a+rX", folder.toString()), null);
            return made;
        } catch (IOException | GeneralSecurityException e) {
            throw new AssertionError("no certificate", e);
        }
    }

    private static Path pem(Path folder, String what, byte[] der) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return Files.writeString(
                folder.resolve(what.replace(' ', '-') + ".pem"),
                "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }

    @Override
    public void close() throws IOException {
        Programs.delete(certificate.getParent());
    }
}
