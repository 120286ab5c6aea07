package switchboard.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.Base64;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.auth.AuthOutcome;
import switchboard.auth.OpenIdRequest;
import switchboard.call.Json;
import switchboard.console.ConsoleSignIn;
import switchboard.console.OpenIdSignIn;
import switchboard.console.SignInUnavailableException;

/**
 * Sign-in at an issuer: {@code /api/v1/openid} sends a person there, and {@code /openid} takes it back. What has to be known
 * on the way back is in a cookie, so that any gateway may take the person back. A failure is shown by the page for sign-in,
 * which gets a word for it.
 */
final class ConsoleOpenIdRoute {
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleOpenIdRoute.class);
    private static final HttpError NONE = new HttpError(404, "console.openid is not set: sign in with an API key.");
    private static final int LONGEST_BACK = 1500;

    /** The sign-in can't be kept now: nobody was refused. */
    private static final String UNAVAILABLE = "sign_in_unavailable";

    private static final String FIRST_PAGE = "search";

    private final ConsoleRoutes routes;
    private final ConsoleCookie session;
    private final ConsoleCookie signIn;
    private final ConsoleJson json;
    private final CallerAddress addresses;

    ConsoleOpenIdRoute(ConsoleRoutes routes, ConsoleCookie session, ConsoleJson json) {
        this.routes = routes;
        this.session = session;
        this.signIn = ConsoleCookie.signIn(routes.settings());
        this.json = json;
        this.addresses = new CallerAddress(routes.settings().trustedProxies());
    }

    /** Sends a person to the issuer; {@code back} is the page to return to. */
    void begin(HttpServerRequest request) {
        Optional<OpenIdSignIn> openId = routes.signIn().openId();
        if (openId.isEmpty()) {
            json.answer(request, ConsoleJson.refused(NONE));
            return;
        }
        OpenIdRequest asked = OpenIdRequest.make();
        Futures.finish(
                // On the way back the browser does not send the cookie of the session.
                routes.signOut(session, request).compose(_ -> openId.get().begin(asked, redirectUri(request))),
                url -> {
                    signIn.set(request, kept(asked, back(request.getParam("back"))));
                    go(request, url);
                },
                failure -> {
                    if (failure instanceof SignInUnavailableException) {
                        fail(request, UNAVAILABLE);
                        return;
                    }
                    LOG.warn(
                            "the console can't reach the issuer {}: {}",
                            openId.get().name(),
                            failure.toString());
                    fail(request, "issuer_unavailable");
                });
    }

    /** Takes a person back from the issuer. */
    void finish(HttpServerRequest request) {
        Optional<OpenIdSignIn> openId = routes.signIn().openId();
        if (openId.isEmpty()) {
            json.answer(request, ConsoleJson.refused(NONE));
            return;
        }
        String kept = signIn.of(request);
        signIn.clear(request);
        JsonNode cookie = read(kept);
        OpenIdRequest asked = new OpenIdRequest(
                cookie.path("state").asText(),
                cookie.path("verifier").asText(),
                cookie.path("nonce").asText());
        String state = request.getParam("state");
        String code = request.getParam("code");
        if (asked.state().isEmpty() || !asked.state().equals(state)) {
            refuse(request, "other_browser");
        } else if (code == null || code.isBlank()) {
            LOG.warn(
                    "the issuer {} let nobody sign in to the console: {}",
                    openId.get().name(),
                    reason(request));
            refuse(request, "issuer_refused");
        } else {
            Futures.finish(
                    openId.get().finish(asked, code, redirectUri(request)),
                    outcome -> told(request, outcome, back(cookie.path("back").asText())),
                    failure -> {
                        if (failure instanceof SignInUnavailableException) {
                            fail(request, UNAVAILABLE);
                            return;
                        }
                        LOG.warn(
                                "a sign-in to the console failed at {}: {}",
                                openId.get().name(),
                                failure.toString());
                        refuse(request, "issuer_refused");
                    });
        }
    }

    private void told(HttpServerRequest request, ConsoleSignIn.SignInOutcome outcome, String back) {
        switch (outcome) {
            case ConsoleSignIn.SignInOutcome.NotSignedIn(AuthOutcome.Rejected why) -> {
                LOG.warn("a person may not use the console: {}", why.message());
                refuse(request, why.failure().word());
            }
            case ConsoleSignIn.SignInOutcome.Opened opened -> {
                routes.meters().authenticated("ok");
                session.set(request, opened.token());
                go(request, back);
            }
        }
    }

    /** A failed authentication. */
    private void refuse(HttpServerRequest request, String word) {
        routes.meters().authenticated(word);
        routes.entry().refused().refused(addresses.of(request), "", null, word);
        fail(request, word);
    }

    /** To the page for sign-in, which says what {@code word} means. */
    private static void fail(HttpServerRequest request, String word) {
        go(request, FIRST_PAGE + "?sign_in=" + word);
    }

    private static void go(HttpServerRequest request, String url) {
        if (!request.response().closed()) {
            request.response()
                    .setStatusCode(302)
                    .putHeader(HttpHeaders.LOCATION, url)
                    .end();
        }
    }

    /** Where the issuer sends people back to: the console as this person's browser calls it. */
    private String redirectUri(HttpServerRequest request) {
        URI publicUrl = routes.settings().publicUrl();
        String console = publicUrl == null ? "http://" + request.authority() : publicUrl.toString();
        return console.endsWith("/") ? console + "openid" : console + "/openid";
    }

    /** One of the console's pages, with what it shows; the first one for anything else. */
    private static String back(@Nullable String wanted) {
        String given = Objects.requireNonNullElse(wanted, "");
        String page = given.split("\\?", 2)[0];
        boolean safe = given.length() <= LONGEST_BACK
                && ConsoleRoutes.PAGES.contains("/" + page)
                && given.chars().allMatch(c -> c > ' ' && c < 0x7f);
        return safe ? given : FIRST_PAGE;
    }

    private static String kept(OpenIdRequest asked, String back) {
        byte[] value = Json.bytes(Json.object()
                .put("state", asked.state())
                .put("verifier", asked.verifier())
                .put("nonce", asked.nonce())
                .put("back", back));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(value);
    }

    private static JsonNode read(@Nullable String cookie) {
        try {
            return cookie == null
                    ? Json.object()
                    : Json.parse(Base64.getUrlDecoder().decode(cookie));
        } catch (IllegalArgumentException | JsonProcessingException _) {
            return Json.object();
        }
    }

    /** The error code of RFC 6749, section 4.1.2.1, without anything that could break a line of the log. */
    private static String reason(HttpServerRequest request) {
        String error =
                Objects.requireNonNullElse(request.getParam("error"), "no code").replaceAll("[^A-Za-z0-9_ -]", "?");
        return error.substring(0, Math.min(error.length(), 100)).toLowerCase(Locale.ROOT);
    }
}
