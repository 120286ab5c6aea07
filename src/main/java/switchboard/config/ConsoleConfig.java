package switchboard.config;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/** The console: web pages for people. */
public record ConsoleConfig(
        @Nullable
        @Doc(
                "Whether there is a console. If missing: only with `auth.mode: none` on a loopback address; a port that is in"
                        + " use is no error then.")
        Boolean enabled,

        @Default("127.0.0.1")
        @Doc("Address to listen on, by plain HTTP. One that other machines can reach needs `auth.mode: keys`, and"
                + " `publicUrl` with HTTPS, which a proxy in front of it provides.")
        String host,

        @Default("9091") @AllowedRange(min = "0", max = "65535") @Doc("Port to listen on; 0 means any free port.")
        int port,

        @Nullable @Doc("The URL that people use, if a proxy is in front of the console.")
        URI publicUrl,

        @Nullable @Doc("Sign-in with OpenID Connect, in addition to API keys.")
        OpenIdConfig openid) {}
