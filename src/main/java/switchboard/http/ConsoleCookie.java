package switchboard.http;

import io.netty.handler.codec.http.cookie.ServerCookieDecoder;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cookie that has a session of the console. Pages can't read it, and browsers send it with requests of the same site
 * only. Behind HTTPS its name has the prefix {@code __Host-} (RFC 6265bis, section 4.1.3.2). Otherwise it has the port,
 * because browsers don't tell the ports of a machine apart.
 *
 * @param secure whether people reach the console by HTTPS
 */
record ConsoleCookie(boolean secure) {
    private static final String NAME = "switchboard-console";

    /** That of a server with these settings. */
    static ConsoleCookie of(HttpSettings settings) {
        URI publicUrl = settings.publicUrl();
        return new ConsoleCookie(publicUrl != null && "https".equalsIgnoreCase(publicUrl.getScheme()));
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

    /** Has the browser keep {@code token} and send it with each request to the console. */
    void set(HttpServerRequest request, String token) {
        request.response().addCookie(made(request, token));
    }

    /** Has the browser forget the session. */
    void clear(HttpServerRequest request) {
        request.response().addCookie(made(request, "").setMaxAge(0));
    }

    private Cookie made(HttpServerRequest request, String value) {
        return Cookie.cookie(name(request), value)
                .setPath("/")
                .setHttpOnly(true)
                .setSecure(secure)
                .setSameSite(CookieSameSite.STRICT);
    }

    private String name(HttpServerRequest request) {
        return secure ? "__Host-" + NAME : NAME + "-" + request.localAddress().port();
    }
}
