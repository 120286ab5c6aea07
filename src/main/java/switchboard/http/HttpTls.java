package switchboard.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import switchboard.async.CertificatePair;

/**
 * The server's certificate and key, and the authorities for client certificates.
 *
 * @param certificate PEM file
 * @param key PEM file, PKCS #8
 * @param clientAuthorities PEM file; null if clients need no certificate
 */
public record HttpTls(Path certificate, Path key, @Nullable Path clientAuthorities) {
    private static final List<HttpVersion> VERSIONS = List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1);

    /** The certificate with which the client of {@code request} connected; null without one. */
    static @Nullable X509Certificate clientCertificate(HttpServerRequest request) {
        SSLSession session = request.connection().sslSession();
        try {
            return session != null && session.getPeerCertificates()[0] instanceof X509Certificate own ? own : null;
        } catch (SSLPeerUnverifiedException _) {
            return null;
        }
    }

    /** Adds the current content of the files to {@code options}, and enables HTTP/2. */
    HttpServerOptions applied(HttpServerOptions options) {
        options.setSsl(true).setUseAlpn(true).setAlpnVersions(VERSIONS); // and so it has options of TLS
        fill(options.getSslOptions());
        return options;
    }

    /** The TLS options for a running server. */
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
     * Reads and checks the files; blocks.
     *
     * @return when the certificate expires
     * @throws IllegalArgumentException if they can't be used, or the key does not match the certificate
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
