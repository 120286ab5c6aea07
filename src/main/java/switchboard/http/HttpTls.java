package switchboard.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.async.CertificatePair;

/**
 * The server's certificate and key, and whose certificates clients must have.
 *
 * @param certificate PEM file
 * @param key PEM file, PKCS #8
 * @param clientAuthorities PEM file; null to ask clients for no certificate
 */
public record HttpTls(Path certificate, Path key, @Nullable Path clientAuthorities) {
    private static final List<HttpVersion> VERSIONS = List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1);

    /** {@code options} with the files as they are now, and HTTP/2 for clients that ask for it. */
    HttpServerOptions applied(HttpServerOptions options) {
        options.setSsl(true).setUseAlpn(true).setAlpnVersions(VERSIONS); // and so it has options of TLS
        fill(options.getSslOptions());
        return options;
    }

    /** The same for a server that runs. */
    ServerSSLOptions options() {
        ServerSSLOptions options = new ServerSSLOptions();
        options.setApplicationLayerProtocols(
                VERSIONS.stream().map(HttpVersion::alpnName).toList());
        fill(options);
        return options;
    }

    private void fill(ServerSSLOptions options) {
        options.setUseAlpn(true).setKeyCertOptions(identity());
        if (clientAuthorities != null) {
            options.setClientAuth(ClientAuth.REQUIRED)
                    .setTrustOptions(new PemTrustOptions().addCertPath(clientAuthorities.toString()));
        }
    }

    /**
     * Reads the files as they are now; blocks.
     *
     * @return when the certificate ends
     * @throws IllegalArgumentException if they can't be used, or the key is not the certificate's
     */
    public Instant check(Vertx vertx) {
        try {
            Optional<X509Certificate> own = CertificatePair.checked(
                    identity().getKeyManagerFactory(vertx), certificate.toString(), key.toString());
            if (own.isPresent()) {
                return own.get().getNotAfter().toInstant();
            }
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (Exception e) { // what reading the files can throw is declared no further
            throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
        }
        throw new IllegalArgumentException("there is no certificate in " + certificate);
    }

    private PemKeyCertOptions identity() {
        return new PemKeyCertOptions().setCertPath(certificate.toString()).setKeyPath(key.toString());
    }
}
