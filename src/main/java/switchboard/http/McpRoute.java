package switchboard.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.auth.AuthOutcome;
import switchboard.auth.Credentials;
import switchboard.auth.Principal;
import switchboard.protocol.Inbound;
import switchboard.protocol.JsonParts;

/**
 * On one event loop, from an HTTP request to the protocol: origin, credential, view, method, media type, size, in this order; whoever
 * fails one is answered here and learns nothing of what would come later.
 */
final class McpRoute {
    private static final Logger LOG = LoggerFactory.getLogger(McpRoute.class);
    private static final byte[] NO_BODY = {};

    private final Vertx vertx;
    private final HttpLimits limits;
    private final HttpMeters meters;
    private final Timeouts timeouts;
    private final Deadlines bodies;
    private final Door door;
    private final CallerAddress callers;
    private final HttpEntry entry;

    McpRoute(Vertx vertx, HttpSettings settings, HttpMeters meters, HttpEntry entry) {
        this.vertx = vertx;
        this.limits = settings.limits();
        this.meters = meters;
        this.timeouts = new Timeouts(vertx);
        this.bodies = timeouts.of(limits.bodyTimeout());
        this.door = new Door(vertx, settings, meters);
        this.callers = new CallerAddress(settings.trustedProxies());
        this.entry = entry;
    }

    /** Takes a request for {@code place} of the view {@code view}. */
    void serve(HttpServerRequest request, String view, Place place) {
        Optional<Refusal> refusal = door.origin(request);
        if (refusal.isEmpty() && request.method().equals(HttpMethod.OPTIONS)) {
            door.preflight(request);
            return;
        }
        refusal = refusal.or(() -> Door.head(request));
        if (refusal.isPresent()) {
            door.refuse(request, refusal.get());
            return;
        }
        request.pause();
        Futures.finish(
                entry.authenticator().authenticate(shown(request, view)),
                outcome -> authenticated(request, view, place, outcome),
                failure -> failed(request, failure));
    }

    private Credentials shown(HttpServerRequest request, String view) {
        List<String> authorization = request.headers().getAll("Authorization");
        List<String> apiKey = request.headers().getAll("X-API-Key");
        return new Credentials(
                callers.of(request),
                view,
                authorization.isEmpty() ? null : authorization.getFirst(),
                apiKey.isEmpty() ? null : apiKey.getFirst(),
                authorization.size() > 1 || apiKey.size() > 1);
    }

    /** Answers a request for anything else. */
    void nothing(HttpServerRequest request) {
        door.refuse(request, door.origin(request).orElseGet(Refusal::notFound));
    }

    private void authenticated(HttpServerRequest request, String view, Place place, AuthOutcome outcome) {
        switch (outcome) {
            case AuthOutcome.Refused refused -> {
                meters.authenticated(refused.failure().word());
                entry.refused()
                        .refused(
                                callers.of(request),
                                view,
                                request.getHeader("traceparent"),
                                refused.failure().word());
                door.refuse(request, Refusal.of(refused));
            }
            case AuthOutcome.Authenticated(Principal principal) -> {
                meters.authenticated("ok");
                admitted(request, view, place, principal);
            }
        }
    }

    private void admitted(HttpServerRequest request, String view, Place place, Principal principal) {
        Optional<Refusal> refusal = entry.views().test(principal, view)
                ? Door.method(request, place.methods())
                : Optional.of(Refusal.notFound());
        if (refusal.isPresent()) {
            door.refuse(request, refusal.get());
            return;
        }
        if (request.method().equals(HttpMethod.POST)) {
            HeldBodies.Body held = entry.bodies().body(principal.team());
            Futures.finish(
                    BodyReader.read(request, limits.maxBodyBytes(), bodies, held::grow),
                    body -> hand(request, view, place, principal, body, held),
                    failure -> {
                        held.close();
                        failed(request, failure);
                    });
        } else {
            request.resume();
            hand(request, view, place, principal, NO_BODY, entry.bodies().body(principal.team()));
        }
    }

    private void hand(
            HttpServerRequest request,
            String view,
            Place place,
            Principal principal,
            byte[] body,
            HeldBodies.Body held) {
        Inbound inbound = new Inbound(view, "http", principal, callers.of(request), request::getHeader, body);
        ReplyChannel reply = new ReplyChannel(vertx, request, limits, timeouts, meters, held::close);
        try {
            place.handler().hand(request, inbound, reply);
        } catch (RuntimeException e) {
            LOG.error("an MCP exchange failed", e);
            reply.end(500, Map.of(), JsonParts.of(new Refusal(500, "Internal error.").json(request)));
        }
    }

    private void failed(HttpServerRequest request, Throwable failure) {
        if (failure instanceof BodyReader.Refused refused) {
            door.refuse(request, refused.refusal());
        } else if (!request.response().closed()) {
            LOG.error("a request failed at the door", failure);
            door.refuse(request, new Refusal(500, "Internal error."));
        }
    }
}
