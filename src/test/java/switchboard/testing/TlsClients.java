package switchboard.testing;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Clients over TLS that trust test certificates and have one, or none, of their own. */
public final class TlsClients {
    private TlsClients() {}

    /** A client that trusts {@code server} and shows {@code own}. */
    public static HttpClient client(HttpClient.Version version, TestCertificate server, @Nullable TestCertificate own)
            throws IOException, GeneralSecurityException {
        return HttpClient.newBuilder()
                .version(version)
                .sslContext(context(own, server))
                .build();
    }

    /** The same for several servers. */
    public static SSLContext context(@Nullable TestCertificate own, TestCertificate... trusted)
            throws IOException, GeneralSecurityException {
        KeyStore authorities = KeyStore.getInstance("PKCS12");
        authorities.load(null, null);
        for (TestCertificate one : trusted) {
            authorities.setCertificateEntry(one.certificate().toString(), certificate(one));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(authorities);
        KeyStore identity = KeyStore.getInstance("PKCS12");
        identity.load(null, null);
        if (own != null) {
            identity.setKeyEntry("own", key(own), new char[0], new Certificate[] {certificate(own)});
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(identity, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    /** The certificate in the file. */
    public static X509Certificate certificate(TestCertificate pair) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(pair.certificate())) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static PrivateKey key(TestCertificate pair) throws IOException, GeneralSecurityException {
        String pem = Files.readString(pair.key()).replaceAll("-----[A-Z ]+-----", "");
        return KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem)));
    }
}
