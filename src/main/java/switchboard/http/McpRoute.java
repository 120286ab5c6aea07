package switchboard.http;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.auth.AuthOutcome;
import switchboard.auth.Principal;
import switchboard.protocol.EncodedJson;
import switchboard.protocol.InboundMessage;

/**
 * Passes HTTP requests to the protocol, on one event loop. It checks, in this order: host and origin, URL, credentials,
 * view, method, media type, size. A request that fails a check is answered here, and the answer reveals nothing about
 * later checks.
 */
final class McpRoute {
    private static final Logger LOG = LoggerFactory.getLogger(McpRoute.class);
    private static final byte[] NO_BODY = {};

    private final Vertx vertx;
    private final HttpLimits limits;
    private final HttpMeters meters;
    private final DeadlineQueues deadlineQueues;
    private final DeadlineQueue bodies;
    private final RequestPreconditions requestPreconditions;
    private final CallerAddress addresses;
    private final HttpServices entry;
    private final Callers callers;

    /** Finds out who has sent a request. */
    @FunctionalInterface
    interface Callers {
        /** The sender of {@code request} to {@code view}; never fails. */
        Future<AuthOutcome> of(HttpServerRequest request, String view);
    }

    McpRoute(Vertx vertx, HttpSettings settings, HttpMeters meters, HttpServices entry, Callers callers) {
        this.vertx = vertx;
        this.limits = settings.limits();
        this.meters = meters;
        this.deadlineQueues = new DeadlineQueues(vertx);
        this.bodies = deadlineQueues.of(limits.bodyTimeout());
        this.requestPreconditions = new RequestPreconditions(vertx, settings, meters);
        this.addresses = new CallerAddress(settings.trustedProxies());
        this.entry = entry;
        this.callers = callers;
    }

    /** Serves a request to {@code endpoint} of the view {@code view}. */
    void serve(HttpServerRequest request, String view, Endpoint endpoint) {
        Optional<HttpError> httpError = requestPreconditions.origin(request);
        if (httpError.isEmpty() && request.method().equals(HttpMethod.OPTIONS)) {
            requestPreconditions.preflight(request);
            return;
        }
        httpError = httpError.or(() -> RequestPreconditions.head(request));
        if (httpError.isPresent()) {
            requestPreconditions.refuse(request, httpError.get());
            return;
        }
        request.pause();
        Futures.finish(
                callers.of(request, view),
                outcome -> authenticated(request, view, endpoint, outcome),
                failure -> failed(request, failure));
    }

    /** Answers a request to an unknown path. */
    void nothing(HttpServerRequest request) {
        requestPreconditions.refuse(
                request, requestPreconditions.origin(request).orElseGet(HttpError::notFound));
    }

    private void authenticated(HttpServerRequest request, String view, Endpoint endpoint, AuthOutcome outcome) {
        switch (outcome) {
            case AuthOutcome.Rejected refused -> {
                meters.authenticated(refused.failure().word());
                entry.refused()
                        .refused(
                                addresses.of(request),
                                view,
                                request.getHeader("traceparent"),
                                refused.failure().word());
                requestPreconditions.refuse(request, HttpError.of(refused));
            }
            case AuthOutcome.Authenticated(Principal principal) -> {
                meters.authenticated("ok");
                admitted(request, view, endpoint, principal);
            }
        }
    }

    private void admitted(HttpServerRequest request, String view, Endpoint endpoint, Principal principal) {
        Optional<HttpError> httpError = entry.views().test(principal, view)
                ? RequestPreconditions.method(request, endpoint.methods())
                : Optional.of(HttpError.notFound());
        if (httpError.isPresent()) {
            requestPreconditions.refuse(request, httpError.get());
            return;
        }
        boolean gone = request.response().closed(); // while the credentials were checked
        if (!request.method().equals(HttpMethod.POST)) {
            if (!gone) {
                request.resume();
            }
            hand(request, view, endpoint, principal, NO_BODY, entry.bodies().body(principal.team()));
        } else if (!gone) {
            BodyMemoryLimiter.Reservation held = entry.bodies().body(principal.team());
            Futures.finish(
                    BodyReader.read(request, limits.maxBodyBytes(), bodies, held::grow),
                    body -> hand(request, view, endpoint, principal, body, held),
                    failure -> {
                        held.close();
                        failed(request, failure);
                    });
        }
    }

    private void hand(
            HttpServerRequest request,
            String view,
            Endpoint endpoint,
            Principal principal,
            byte[] body,
            BodyMemoryLimiter.Reservation held) {
        InboundMessage inboundMessage =
                new InboundMessage(view, "http", principal, addresses.of(request), request::getHeader, body);
        ReplyChannel reply = new ReplyChannel(vertx, request, limits, deadlineQueues, meters, held::close);
        try {
            endpoint.handler().hand(request, inboundMessage, reply);
        } catch (RuntimeException e) {
            LOG.error("an MCP exchange failed", e);
            reply.end(500, Map.of(), EncodedJson.of(new HttpError(500, "Internal error.").json(request)));
        }
    }

    private void failed(HttpServerRequest request, Throwable failure) {
        if (failure instanceof BodyReader.RejectedException refused) {
            requestPreconditions.refuse(request, refused.refusal());
        } else if (!request.response().closed()) {
            LOG.error("a request failed before it reached the protocol", failure);
            requestPreconditions.refuse(request, new HttpError(500, "Internal error."));
        }
    }
}
