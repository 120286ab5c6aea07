package switchboard.http;

import io.netty.handler.codec.http.cookie.ServerCookieDecoder;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cookie of the console. Pages can't read it. Behind HTTPS its name has the prefix {@code __Host-} (RFC 6265bis, section
 * 4.1.3.2). Otherwise it has the port, because browsers don't tell the ports of a machine apart.
 *
 * @param secure whether people reach the console by HTTPS
 * @param base its name without these
 * @param sameSite which requests of other sites it comes with
 * @param kept how long browsers keep it; null for as long as they are open
 */
record ConsoleCookie(
        boolean secure,
        String base,
        CookieSameSite sameSite,
        @Nullable Duration kept) {
    private static final Duration LONGEST_SIGN_IN = Duration.ofMinutes(10);

    /** The one that has a session; browsers send it with requests of the same site only. */
    static ConsoleCookie session(HttpSettings settings) {
        return new ConsoleCookie(isSecure(settings), "switchboard-console", CookieSameSite.STRICT, null);
    }

    /** The one of a sign-in at an issuer, which sends people back with a link. */
    static ConsoleCookie signIn(HttpSettings settings) {
        return new ConsoleCookie(isSecure(settings), "switchboard-console-openid", CookieSameSite.LAX, LONGEST_SIGN_IN);
    }

    private static boolean isSecure(HttpSettings settings) {
        URI publicUrl = settings.publicUrl();
        return publicUrl != null && "https".equalsIgnoreCase(publicUrl.getScheme());
    }

    /** The value that {@code request} has; null if it has none, or several. */
    @Nullable
    String of(HttpServerRequest request) {
        // Not by Vert.x' cookies(): those have one of each name.
        List<String> values = request.headers().getAll(HttpHeaders.COOKIE).stream()
                .flatMap(header -> ServerCookieDecoder.STRICT.decodeAll(header).stream())
                .filter(cookie -> cookie.name().equals(name(request)))
                .map(io.netty.handler.codec.http.cookie.Cookie::value)
                .toList();
        return values.size() == 1 ? values.getFirst() : null;
    }

    /** Has the browser keep {@code value} and send it with each request to the console. */
    void set(HttpServerRequest request, String value) {
        Cookie cookie = made(request, value);
        if (kept != null) {
            cookie.setMaxAge(kept.toSeconds());
        }
        request.response().addCookie(cookie);
    }

    /** Has the browser forget it. */
    void clear(HttpServerRequest request) {
        request.response().addCookie(made(request, "").setMaxAge(0));
    }

    private Cookie made(HttpServerRequest request, String value) {
        return Cookie.cookie(name(request), value)
                .setPath("/")
                .setHttpOnly(true)
                .setSecure(secure)
                .setSameSite(sameSite);
    }

    private String name(HttpServerRequest request) {
        return secure ? "__Host-" + base : base + "-" + request.localAddress().port();
    }
}
