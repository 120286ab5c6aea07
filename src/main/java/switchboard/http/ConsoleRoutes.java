package switchboard.http;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import switchboard.async.Futures;
import switchboard.auth.AuthFailure;
import switchboard.auth.AuthOutcome;
import switchboard.auth.Principal;
import switchboard.console.ConsoleEditor;
import switchboard.console.ConsoleFiles;
import switchboard.console.ConsoleSignIn;

/**
 * What the console's server answers: its pages and their files, the sign-in, and MCP for who is signed in. What a page
 * shows of tools and documents it gets by MCP, so that the same decisions, limits and audit apply as to an agent of the
 * same team.
 *
 * @param settings those of the server
 * @param meters those of the servers for callers
 * @param entry the services that it calls
 * @param signIn who uses the console
 * @param files the files of the pages
 * @param services what the console's own requests use
 */
public record ConsoleRoutes(
        HttpSettings settings,
        HttpMeters meters,
        HttpServices entry,
        ConsoleSignIn signIn,
        ConsoleFiles files,
        ConsoleServices services)
        implements HttpVerticle.Routes {
    static final String NOT_SIGNED_IN = "You are not signed in, or no longer.";

    static final List<String> PAGES = List.of(
            "/search", "/evaluate", "/sources", "/live", "/tools", "/teams", "/usage", "/gaps", "/watches", "/tuning");
    private static final String STATIC = "/static/";

    @Override
    public Router on(Vertx vertx) {
        ConsoleGuard guard = new ConsoleGuard(settings);
        ConsoleCookie cookie = ConsoleCookie.session(settings);
        RequestPreconditions requestPreconditions = new RequestPreconditions(vertx, settings, meters);
        McpRoute mcp = new McpRoute(vertx, settings, meters, entry, (request, _) -> caller(cookie, request));
        Endpoint endpoint = new Endpoint(List.of(HttpMethod.POST), (_, inboundMessage, reply) -> entry.endpoint()
                .post(inboundMessage, reply));
        ConsoleJson json = new ConsoleJson(vertx, requestPreconditions);
        ConsoleOpenIdRoute openId = new ConsoleOpenIdRoute(this, cookie, json);
        ConsoleCallsRoute watched = new ConsoleCallsRoute(vertx, this, cookie, requestPreconditions);
        Router router = Router.router(vertx);
        router.route().handler(context -> guarded(context, guard, requestPreconditions));
        router.get("/api/v1/openid").handler(context -> openId.begin(context.request()));
        router.get("/openid").handler(context -> openId.finish(context.request()));
        new ConsoleSessionRoute(this, cookie, json).on(router);
        new ConsoleJudgmentsRoute(this, cookie, json).on(router);
        new ConsoleEvaluationsRoute(vertx, this, cookie, json, requestPreconditions).on(router);
        new ConsoleUploadsRoute(this, cookie, json, vertx).on(router);
        new ConsoleKeysRoute(this, cookie, json).on(router);
        new ConsoleDefinitionsRoute(this, cookie, json).on(router);
        new ConsoleSchedulesRoute(this, cookie, json).on(router);
        new ConsoleTeamsRoute(this, cookie, json).on(router);
        new ConsoleTuningRoute(this, cookie, json).on(router);
        new ConsoleUsageRoute(this, cookie, json).on(router);
        router.get("/api/v1/backends")
                .handler(context -> json.answer(context.request(), backends(cookie, context.request())));
        router.get("/api/v1/calls").handler(context -> watched.handle(context.request()));
        router.route("/api/v1/mcp").handler(context -> mcp.serve(context.request(), view(context), endpoint));
        router.get("/").handler(context -> redirect(context.response(), "search"));
        PAGES.forEach(page -> router.get(page).handler(context -> send(context.request(), files.page())));
        router.get(STATIC + "*").handler(context -> send(context.request(), files.find(name(context.request()))));
        router.route().handler(context -> requestPreconditions.refuse(context.request(), nothing()));
        return router;
    }

    private static void guarded(RoutingContext context, ConsoleGuard guard, RequestPreconditions requestPreconditions) {
        ConsoleGuard.protect(context.response());
        Optional<HttpError> unusual = ConsoleGuard.isPlain(context.request().path(), context.normalizedPath())
                ? Optional.empty()
                : Optional.of(nothing());
        unusual.or(() -> guard.refusal(context.request()))
                .ifPresentOrElse(httpError -> requestPreconditions.refuse(context.request(), httpError), context::next);
    }

    private static HttpError nothing() {
        return new HttpError(404, "There is nothing at this path. The console begins at /.");
    }

    /** Who has sent {@code request}, by its session; empty if nobody is signed in. A body waits until it is read. */
    Future<Optional<ConsoleSignIn.SignedIn>> signedIn(ConsoleCookie cookie, HttpServerRequest request) {
        if (!request.method().equals(HttpMethod.GET)) {
            request.pause();
        }
        return signIn.signedIn(cookie.of(request));
    }

    /** The same for MCP; fails with what is answered if it can't be known now. */
    private Future<AuthOutcome> caller(ConsoleCookie cookie, HttpServerRequest request) {
        return signedIn(cookie, request)
                .map(found -> found.<AuthOutcome>map(person -> new AuthOutcome.Authenticated(person.principal()))
                        .orElseGet(() -> new AuthOutcome.Rejected(
                                AuthFailure.MISSING, NOT_SIGNED_IN, "Sign in.", Map.of(), null)))
                .recover(failure -> ConsoleJson.refused(ConsoleJson.refusal(failure)));
    }

    /** Who has sent {@code request}; fails with the answer 401 if nobody is signed in. */
    Future<Principal> person(ConsoleCookie cookie, HttpServerRequest request) {
        return signedIn(cookie, request)
                .compose(found -> found.map(person -> Future.succeededFuture(person.principal()))
                        .orElseGet(() -> ConsoleJson.refused(new HttpError(401, NOT_SIGNED_IN))));
    }

    /** Ends the session of {@code request}, if it has one. */
    Future<Void> signOut(ConsoleCookie cookie, HttpServerRequest request) {
        String token = cookie.of(request);
        return token == null ? Future.succeededFuture() : signIn.signOut(token);
    }

    /** The same, for who changes something. */
    Future<ConsoleEditor> editor(ConsoleCookie cookie, HttpServerRequest request) {
        String address = new CallerAddress(settings.trustedProxies()).of(request);
        return person(cookie, request).map(person -> new ConsoleEditor(person, address));
    }

    private Future<ConsoleJson.JsonAnswer> backends(ConsoleCookie cookie, HttpServerRequest request) {
        return person(cookie, request)
                .map(person -> new ConsoleJson.JsonAnswer(
                        200, services.sources().backends().apply(person)));
    }

    private static String view(RoutingContext context) {
        return Objects.requireNonNullElse(context.request().getParam("view"), "");
    }

    private static void redirect(HttpServerResponse response, String target) {
        response.setStatusCode(302).putHeader(HttpHeaders.LOCATION, target).end();
    }

    private static String name(HttpServerRequest request) {
        String path = Objects.requireNonNullElse(request.path(), "");
        return path.startsWith(STATIC) ? path.substring(STATIC.length()) : "";
    }

    private static void send(HttpServerRequest request, Future<Optional<ConsoleFiles.StaticFile>> file) {
        request.pause();
        Futures.finish(
                file,
                found -> answer(request, found),
                _ -> plain(request, new HttpError(503, "The file could not be read. Try again.")));
    }

    private static void answer(HttpServerRequest request, Optional<ConsoleFiles.StaticFile> found) {
        if (found.isEmpty()) {
            plain(request, nothing());
            return;
        }
        ConsoleFiles.StaticFile file = found.get();
        boolean gzip = AcceptedCodings.gzip(request);
        String tag = "\"" + file.tag() + (gzip ? "-gzip\"" : "\"");
        HttpServerResponse response = request.response()
                .putHeader(HttpHeaders.ETAG, tag)
                .putHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING)
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache"); // a newer gateway has newer files
        file.importMapHash().ifPresent(hash -> response.putHeader(ConsoleGuard.POLICY, ConsoleGuard.policy(hash)));
        if (tag.equals(request.getHeader(HttpHeaders.IF_NONE_MATCH))) {
            response.setStatusCode(304).end();
        } else if (gzip) {
            response.putHeader(HttpHeaders.CONTENT_TYPE, file.type())
                    .putHeader(HttpHeaders.CONTENT_ENCODING, "gzip")
                    .end(file.gzipped());
        } else {
            response.putHeader(HttpHeaders.CONTENT_TYPE, file.type()).end(file.bytes());
        }
        request.resume();
    }

    private static void plain(HttpServerRequest request, HttpError httpError) {
        request.response()
                .setStatusCode(httpError.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .end(httpError.body(request));
        request.resume();
    }
}
