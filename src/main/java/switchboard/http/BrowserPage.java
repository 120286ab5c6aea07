package switchboard.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.auth.PublicUrl;

/**
 * What a person sees who opens an address of MCP clients in a browser: what this is, and how to connect a client. The page is
 * the same for everybody, with or without a key, and says nothing about teams, views or tools.
 */
final class BrowserPage {
    private static final String STYLE =
            "body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}"
                    + "pre{overflow:auto;padding:.75rem;border:1px solid;border-radius:.25rem}:root{color-scheme:light dark;background:Canvas;color:CanvasText}";

    private static final String PAGE = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Switchboard</title>
            <style>%s</style>
            </head>
            <body>
            <main>
            <h1>Switchboard</h1>
            <p>This is an MCP gateway: one address at which AI agents search and use documents, databases and tools. It is made for
            MCP clients. %s</p>
            <h2>Connect a client</h2>
            <p>The URL for MCP clients is %s. Where Switchboard is installed, this prints what to paste into a client, here Claude
            Code:</p>
            <pre><code>switchboard connect claude-code</code></pre>
            <p><code>switchboard connect --help</code> lists the clients. If this server wants a key, the people who run it give
            you one. The client sends it in the header <code>Authorization: Bearer KEY</code>.</p>
            </main>
            </body>
            </html>
            """;

    private final RequestPreconditions requestPreconditions;
    private final Buffer page;
    private final String policy;

    /**
     * The page of a server.
     *
     * @param publicUrl where callers see it; null if they see its own address
     * @param console where the console is; null if there is none, or not for everybody
     */
    BrowserPage(RequestPreconditions requestPreconditions, @Nullable URI publicUrl, @Nullable URI console) {
        this.requestPreconditions = requestPreconditions;
        // No character of an absolute URL is one of HTML's, apart from &, which is no mistake there.
        String url = Optional.ofNullable(publicUrl)
                .map(PublicUrl::of)
                .map(known -> "<code>" + known.origin() + known.path("") + "</code>")
                .orElse("the address of this server with <code>/mcp</code> at its end");
        this.page = Buffer.buffer(PAGE.formatted(STYLE, people(console), url));
        this.policy = "default-src 'none'; style-src 'sha256-" + sha256(STYLE)
                + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    }

    private static String people(@Nullable URI console) {
        return console == null
                ? "There is nothing to see in a browser."
                : "For people there is <a href=\"" + console + "\">the console</a>.";
    }

    private static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Answers a request of a browser, if its host, origin and URL may be; hands on any other. */
    void toBrowsers(HttpServerRequest request, Runnable others) {
        if (fromBrowser(request)) {
            answer(request);
        } else {
            others.run();
        }
    }

    /** Whether somebody wants to read the answer: clients accept JSON or server-sent events. */
    private static boolean fromBrowser(HttpServerRequest request) {
        if (!List.of(HttpMethod.GET, HttpMethod.HEAD).contains(request.method())) {
            return false;
        }
        String accepted =
                String.join(",", request.headers().getAll(HttpHeaders.ACCEPT)).toLowerCase(Locale.ROOT);
        return accepted.contains("text/html")
                && !accepted.contains("text/event-stream")
                && !accepted.contains("application/json");
    }

    private void answer(HttpServerRequest request) {
        Optional<HttpError> httpError =
                requestPreconditions.origin(request).or(() -> RequestPreconditions.head(request));
        if (httpError.isPresent()) {
            requestPreconditions.refuse(request, httpError.get());
            return;
        }
        request.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/html; charset=utf-8")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .putHeader("Content-Security-Policy", policy)
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Referrer-Policy", "no-referrer")
                .end(page);
        request.resume();
    }
}
