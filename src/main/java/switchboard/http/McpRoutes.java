package switchboard.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Credentials;
import switchboard.auth.Possession;
import switchboard.auth.ProtectedResource;

/**
 * What the server for agents answers: MCP at {@code /mcp}, {@code /sse} and {@code /messages}, also of each view, and where
 * tokens come from.
 *
 * @param settings those of the server
 * @param meters those of the server
 * @param entry the services that it calls
 * @param console the URL of the console, if people who open the server in a browser may be told; otherwise null
 */
public record McpRoutes(
        HttpSettings settings,
        HttpMeters meters,
        HttpServices entry,
        @Nullable URI console) implements HttpVerticle.Routes {
    /** The same without a console. */
    public McpRoutes(HttpSettings settings, HttpMeters meters, HttpServices entry) {
        this(settings, meters, entry, null);
    }

    @Override
    public Router on(Vertx vertx) {
        meters.watchLoop(vertx);
        CallerAddress addresses = new CallerAddress(settings.trustedProxies());
        McpRoute route = new McpRoute(vertx, settings, meters, entry, (request, view) -> entry.authenticator()
                .authenticate(shown(request, view, addresses)));
        RequestPreconditions requestPreconditions = new RequestPreconditions(vertx, settings, meters);
        BrowserPage page = new BrowserPage(requestPreconditions, settings.publicUrl(), console);
        Router router = Router.router(vertx);
        router.route("/").handler(context -> page.toBrowsers(context.request(), context::next));
        McpEndpoints mcpEndpoints = new McpEndpoints(entry.endpoint(), settings.publicUrl());
        serve(router, page, route, "/mcp", mcpEndpoints.streamable());
        serve(router, page, route, "/sse", mcpEndpoints.stream());
        serve(router, page, route, "/messages", mcpEndpoints.messages());
        serve(router, page, route, "/mcp/:view", mcpEndpoints.streamable());
        serve(router, page, route, "/mcp/:view/sse", mcpEndpoints.stream());
        serve(router, page, route, "/mcp/:view/messages", mcpEndpoints.messages());
        MetadataRoute metadata = new MetadataRoute(requestPreconditions, entry.resource());
        router.route(ProtectedResource.WELL_KNOWN + "*").handler(context -> metadata.handle(context.request()));
        router.route().handler(context -> route.nothing(context.request()));
        return router;
    }

    /** What {@code request} shows of its sender. */
    private Credentials shown(HttpServerRequest request, String view, CallerAddress addresses) {
        List<String> authorization = request.headers().getAll("Authorization");
        List<String> apiKey = request.headers().getAll("X-API-Key");
        boolean certificates = settings.tls() != null && settings.tls().clientAuthorities() != null;
        return new Credentials(
                addresses.of(request),
                view,
                authorization.isEmpty() ? null : authorization.getFirst(),
                apiKey.isEmpty() ? null : apiKey.getFirst(),
                authorization.size() > 1 || apiKey.size() > 1,
                new Possession(
                        request.method().name(),
                        Objects.requireNonNullElse(request.path(), ""),
                        request.headers().getAll("DPoP"),
                        certificates ? HttpTls.clientCertificate(request) : null));
    }

    private static void serve(Router router, BrowserPage page, McpRoute route, String path, Endpoint endpoint) {
        router.route(path)
                .handler(context -> page.toBrowsers(
                        context.request(), () -> route.serve(context.request(), view(context), endpoint)));
    }

    /** The view that the path names, or the default one. */
    private static String view(RoutingContext context) {
        return Objects.requireNonNullElse(context.pathParam("view"), "");
    }
}
