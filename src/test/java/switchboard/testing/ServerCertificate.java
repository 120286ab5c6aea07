package switchboard.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A {@link TestCertificate} in files that every user may read, for a server that runs as another one.
 *
 * @param certificate also the authority to trust
 */
public record ServerCertificate(Path certificate, Path key) implements AutoCloseable {
    /** A new one that is good for {@code host}, a name. */
    public static ServerCertificate of(String host) {
        try {
            Path folder = Files.createTempDirectory("switchboard-certificate-");
            TestCertificate made = TestCertificate.make(folder, "server", "dns:" + host);
            Programs.run(List.of("chmod", "-R", "a+rX", folder.toString()), null);
            return new ServerCertificate(made.certificate(), made.key());
        } catch (IOException e) {
            throw new AssertionError("no certificate", e);
        }
    }

    @Override
    public void close() throws IOException {
        Programs.delete(certificate.getParent());
    }
}
