package switchboard.upstream;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.CertificatePair;
import switchboard.async.Futures;
import switchboard.config.PemFile;

/**
 * The TLS files for connections to an engine. When one has changed, new requests use connections with the new one, and
 * requests under way finish on theirs. A new certificate is used once its key is there. Thread-safe.
 */
final class LiveTls {
    private static final Logger LOG = LoggerFactory.getLogger(LiveTls.class);

    private final String backend;
    private final UpstreamSettings.Tls tls;
    /** The content of the files at the last check. */
    private volatile CertificateTexts seen;

    private CertificateTexts inForce;

    /**
     * The content of the files; null for missing ones.
     *
     * @param authorities trusted authorities
     * @param own the gateway's own certificate
     */
    private record CertificateTexts(
            @Nullable String authorities, @Nullable Pair own) {
        static CertificateTexts of(UpstreamSettings.Tls tls) {
            return new CertificateTexts(
                    tls.caFile() == null ? null : tls.caFile().text(),
                    tls.certFile() == null || tls.keyFile() == null
                            ? null
                            : new Pair(tls.certFile().text(), tls.keyFile().text()));
        }

        HttpClientOptions applied(HttpClientOptions options) {
            if (authorities != null) {
                options.setTrustOptions(trust(authorities));
            }
            if (own != null) {
                options.setKeyCertOptions(own.options());
            }
            return options;
        }

        @Override
        public String toString() {
            return "Texts";
        }
    }

    private record Pair(String certificate, String key) {
        PemKeyCertOptions options() {
            return new PemKeyCertOptions()
                    .addCertValue(Buffer.buffer(certificate))
                    .addKeyValue(Buffer.buffer(key));
        }

        @Override
        public String toString() {
            return "Pair";
        }
    }

    /**
     * The files of {@code tls}.
     *
     * @throws IllegalArgumentException with a message for the operator, if one can't be read
     */
    LiveTls(String backend, UpstreamSettings.Tls tls) {
        this.backend = backend;
        this.tls = tls;
        first("tls.caFile", tls.caFile());
        first("tls.certFile", tls.certFile());
        first("tls.keyFile", tls.keyFile());
        this.inForce = CertificateTexts.of(tls);
        this.seen = inForce;
    }

    private static void first(String key, @Nullable PemFile file) {
        if (file != null) {
            try {
                file.text();
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
            }
        }
    }

    private static PemTrustOptions trust(String authorities) {
        return new PemTrustOptions().addCertValue(Buffer.buffer(authorities));
    }

    /** {@code options} with the content of the files. */
    synchronized HttpClientOptions applied(HttpClientOptions options) {
        if (tls.insecure()) {
            options.setTrustAll(true).setVerifyHost(false);
        }
        return inForce.applied(options);
    }

    /** Makes {@code client} use the current content of the files, if it has changed. */
    void follow(HttpClientAgent client, Vertx vertx) {
        if (!seen.equals(CertificateTexts.of(tls))) {
            take(client, vertx);
        }
    }

    private synchronized void take(HttpClientAgent client, Vertx vertx) {
        CertificateTexts now = CertificateTexts.of(tls);
        if (now.equals(seen)) {
            return;
        }
        seen = now;
        CertificateTexts next = new CertificateTexts(authorities(now.authorities(), vertx), own(now.own(), vertx));
        if (next.equals(inForce)) {
            return;
        }
        inForce = next;
        Futures.finish(
                client.updateSSLOptions(applied(new HttpClientOptions()).getSslOptions(), true),
                _ -> LOG.info("{}: new connections use the changed TLS files", backend),
                failure -> LOG.warn(
                        "{}: the changed TLS files can't be used: {}",
                        backend,
                        failure.getClass().getSimpleName()));
    }

    private @Nullable String authorities(@Nullable String now, Vertx vertx) {
        try {
            if (now != null) {
                trust(now).getTrustManagerFactory(vertx);
            }
            return now;
        } catch (Exception e) { // what reading certificates can throw is declared no further; its words may quote them
            LOG.warn("{}: {} can't be used ({}); the previous one stays in use", backend, tls.caFile(), kind(e));
            return inForce.authorities();
        }
    }

    private @Nullable Pair own(@Nullable Pair now, Vertx vertx) {
        if (now == null || now.equals(inForce.own())) {
            return now;
        }
        Optional<String> fault = fault(now, vertx);
        fault.ifPresent(text -> LOG.warn(
                "{}: {}; the previous certificate and key stay in use until the new ones match", backend, text));
        return fault.isPresent() ? inForce.own() : now;
    }

    private Optional<String> fault(Pair pair, Vertx vertx) {
        String certificate = String.valueOf(tls.certFile());
        String key = String.valueOf(tls.keyFile());
        KeyManagerFactory keys;
        try {
            keys = pair.options().getKeyManagerFactory(vertx);
        } catch (Exception e) { // as above
            return Optional.of(certificate + " and " + key + " can't be used (" + kind(e) + ")");
        }
        try {
            CertificatePair.checked(keys, certificate, key);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.ofNullable(e.getMessage());
        } catch (Exception e) {
            return Optional.of(key + " can't be compared with " + certificate + " (" + kind(e) + ")");
        }
    }

    private static String kind(Exception e) {
        return e.getClass().getSimpleName();
    }
}
