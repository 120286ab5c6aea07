package switchboard.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/**
 * A self-signed certificate made by the JDK's keytool, in PEM files.
 *
 * @param certificate the file of the certificate
 * @param key the file of its private key, PKCS #8
 */
public record TestCertificate(Path certificate, Path key) {
    private static final String PASSWORD = "changeit";

    /** Makes one for {@code names} (such as {@code dns:localhost,ip:127.0.0.1}) in {@code folder}. */
    public static TestCertificate make(Path folder, String alias, String names) {
        Path store = folder.resolve(alias + ".p12");
        try {
            Process keytool = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-genkeypair",
                            "-alias",
                            alias,
                            "-keyalg",
                            "EC",
                            "-dname",
                            "CN=" + alias,
                            "-ext",
                            "SAN=" + names,
                            "-storetype",
                            "PKCS12",
                            "-keystore",
                            store.toString(),
                            "-storepass",
                            PASSWORD)
                    .redirectErrorStream(true)
                    .start();
            String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!keytool.waitFor(30, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
                throw new AssertionError("keytool: " + said);
            }
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                keys.load(in, PASSWORD.toCharArray());
            }
            return new TestCertificate(
                    pem(
                            folder.resolve(alias + ".crt"),
                            "CERTIFICATE",
                            keys.getCertificate(alias).getEncoded()),
                    pem(
                            folder.resolve(alias + ".key"),
                            "PRIVATE KEY",
                            keys.getKey(alias, PASSWORD.toCharArray()).getEncoded()));
        } catch (IOException | GeneralSecurityException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static Path pem(Path file, String kind, byte[] bytes) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }
}
