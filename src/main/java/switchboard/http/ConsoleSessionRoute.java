package switchboard.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import java.util.Map;
import java.util.Set;
import switchboard.auth.Principal;
import switchboard.call.Json;
import switchboard.console.ConsoleSignIn;

/** {@code /api/v1/session}: who is signed in (GET), sign-in (POST) and sign-out (DELETE). */
final class ConsoleSessionRoute {
    private static final int MOST_BYTES = 4096;
    private static final HttpError NO_KEY =
            new HttpError(400, "The body must be JSON with the API key: {\"key\": \"...\"}.");
    private static final HttpError OTHER_METHOD = new HttpError(
            405, "GET says who is signed in, POST signs in, DELETE signs out.", Map.of("Allow", "GET, POST, DELETE"));

    private final ConsoleRoutes routes;
    private final ConsoleCookie cookie;
    private final ConsoleJson json;
    private final CallerAddress addresses;

    ConsoleSessionRoute(ConsoleRoutes routes, ConsoleCookie cookie, ConsoleJson json) {
        this.routes = routes;
        this.cookie = cookie;
        this.json = json;
        this.addresses = new CallerAddress(routes.settings().trustedProxies());
    }

    void on(Router router) {
        router.route("/api/v1/session").handler(context -> handle(context.request()));
    }

    private void handle(HttpServerRequest request) {
        json.answer(
                request,
                switch (request.method().name()) {
                    case "GET" -> told(request);
                    case "POST" -> json.read(request, MOST_BYTES).compose(body -> signIn(request, body));
                    case "DELETE" -> signedOut(request);
                    default -> ConsoleJson.refused(OTHER_METHOD);
                });
    }

    private Future<ConsoleJson.JsonAnswer> told(HttpServerRequest request) {
        return routes.signedIn(cookie, request)
                .map(found -> found.map(person -> new ConsoleJson.JsonAnswer(200, description(person)))
                        .orElseGet(() -> new ConsoleJson.JsonAnswer(401, signInNeeded())));
    }

    private ObjectNode signInNeeded() {
        ObjectNode needed = Json.object();
        needed.putObject("error").put("message", ConsoleRoutes.NOT_SIGNED_IN);
        ArrayNode ways = needed.putArray("sign_in").add("key");
        routes.signIn().openId().ifPresent(openId -> {
            ways.add("openid");
            needed.put("issuer", openId.name());
        });
        return needed;
    }

    private Future<ConsoleJson.JsonAnswer> signIn(HttpServerRequest request, ObjectNode body) {
        JsonNode key = body.path("key");
        if (!key.isTextual() || key.asText().isBlank()) {
            return ConsoleJson.refused(NO_KEY);
        }
        return routes.signIn()
                .signIn(key.asText().strip(), addresses.of(request))
                .compose(outcome -> switch (outcome) {
                    case ConsoleSignIn.SignInOutcome.NotSignedIn(var why) -> {
                        routes.meters().authenticated(why.failure().word());
                        routes.entry()
                                .refused()
                                .refused(
                                        addresses.of(request),
                                        "",
                                        null,
                                        why.failure().word());
                        yield ConsoleJson.refused(HttpError.of(why));
                    }
                    case ConsoleSignIn.SignInOutcome.Opened opened -> {
                        routes.meters().authenticated("ok");
                        // Nobody goes on with a session that was there before a sign-in.
                        yield routes.signOut(cookie, request).map(_ -> {
                            cookie.set(request, opened.token());
                            return new ConsoleJson.JsonAnswer(200, description(opened.person()));
                        });
                    }
                });
    }

    /** The cookie stays if the session could not be ended. */
    private Future<ConsoleJson.JsonAnswer> signedOut(HttpServerRequest request) {
        return routes.signOut(cookie, request).map(_ -> {
            cookie.clear(request);
            return new ConsoleJson.JsonAnswer(204, null);
        });
    }

    private ObjectNode description(ConsoleSignIn.SignedIn person) {
        Principal principal = person.principal();
        ObjectNode shown = Json.object()
                .put("auth", routes.signIn().mode())
                .put("team", principal.team())
                .put("key", principal.id())
                .put("operator", routes.services().operator().test(principal))
                .put("view", view(principal))
                .put("mcp", routes.services().mcp().get());
        if (person.expires() != null) {
            shown.put("expires", person.expires().toString());
        }
        return shown;
    }

    /** The default view, if the person may use it; otherwise the first one. */
    private String view(Principal principal) {
        Set<String> views = principal.views() == null ? Set.of("") : principal.views();
        return views.stream()
                .filter(view -> routes.entry().views().test(principal, view))
                .sorted()
                .findFirst()
                .orElse("");
    }
}
