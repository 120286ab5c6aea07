package switchboard.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Certificates of the server for agents. PEM files, reloaded when they change. */
public record TlsConfig(
        @Doc("The server's certificate, followed by intermediate certificates; PEM.")
        Path certificate,

        @Doc("The certificate's private key, PKCS #8; PEM.") Path key,

        @Doc("Authorities for client certificates; PEM. If set, clients need a certificate of one of them.") @Nullable
        Path clientAuthorities) {

    /** The same, with relative file paths resolved against {@code folder}. */
    TlsConfig in(Path folder) {
        return new TlsConfig(
                folder.resolve(certificate),
                folder.resolve(key),
                clientAuthorities == null ? null : folder.resolve(clientAuthorities));
    }
}
