package switchboard.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Certificates of the server for agents; PEM files, read again when they change. */
public record TlsConfig(
        @Doc("The server's certificate, followed by those between it and its authority; PEM.")
        Path certificate,

        @Doc("The certificate's private key, PKCS #8; PEM.") Path key,

        @Doc("Authorities of clients; PEM. With it, clients without a certificate of theirs are turned away.") @Nullable
        Path clientAuthorities) {

    /** The same with files found from {@code folder}. */
    TlsConfig in(Path folder) {
        return new TlsConfig(
                folder.resolve(certificate),
                folder.resolve(key),
                clientAuthorities == null ? null : folder.resolve(clientAuthorities));
    }
}
