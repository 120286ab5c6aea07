package switchboard.http;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.auth.Principal;
import switchboard.console.CallAudience;
import switchboard.console.ConsoleSignIn.SignedIn;
import switchboard.console.SessionWatch;

/**
 * {@code GET /api/v1/calls}: a stream of the calls that the person may see. All streams send at the same moments, four times
 * a second: so the same calls are written once for all of them. Used on one event loop only.
 */
final class ConsoleCallsRoute {
    static final int MOST = 100;
    static final int MOST_OF_A_TEAM = 50;
    static final int MOST_OF_A_SESSION = 10;

    private static final Duration EVERY = Duration.ofMillis(250);
    private static final Map<String, String> LATER = Map.of("Retry-After", "10");
    private static final HttpError TOO_MANY = new HttpError(
            503, "Too many people watch calls: " + MOST + ". Try again when one of them has left.", LATER);
    private static final HttpError TOO_MANY_OF_YOURS = new HttpError(
            429,
            "You watch calls on " + MOST_OF_A_SESSION + " pages already. Close one of them, then try again.",
            LATER);
    private static final HttpError TOO_MANY_OF_YOUR_TEAM = new HttpError(
            429, "Your team watches calls on " + MOST_OF_A_TEAM + " pages already. Try again later.", LATER);
    private static final HttpError STOPPING = new HttpError(503, "The gateway stops.", LATER);
    private static final HttpError NOT_SIGNED_IN = new HttpError(401, ConsoleRoutes.NOT_SIGNED_IN);

    private final Vertx vertx;
    private final ConsoleRoutes routes;
    private final ConsoleCookie cookie;
    private final RequestPreconditions requestPreconditions;
    private final List<CallStream> streams = new ArrayList<>();
    private @Nullable Long timer;
    private boolean stopping;

    ConsoleCallsRoute(
            Vertx vertx, ConsoleRoutes routes, ConsoleCookie cookie, RequestPreconditions requestPreconditions) {
        this.vertx = vertx;
        this.routes = routes;
        this.cookie = cookie;
        this.requestPreconditions = requestPreconditions;
        Context loop = vertx.getOrCreateContext();
        routes.services().calls().recent().atEnd(() -> loop.runOnContext(_ -> stop()));
    }

    void handle(HttpServerRequest request) {
        String token = cookie.of(request);
        Futures.finish(
                routes.signedIn(cookie, request),
                person -> {
                    if (!request.response().closed()) {
                        answer(request, token, person);
                    }
                },
                failure -> requestPreconditions.refuse(request, ConsoleJson.refusal(failure)));
    }

    private void answer(HttpServerRequest request, @Nullable String token, Optional<SignedIn> person) {
        Optional<HttpError> refusal = person.isEmpty()
                ? Optional.of(NOT_SIGNED_IN)
                : refusal(token, person.get().principal().team());
        refusal.ifPresentOrElse(
                httpError -> requestPreconditions.refuse(request, httpError),
                () -> open(request, token, person.orElseThrow()));
    }

    private Optional<HttpError> refusal(@Nullable String token, String team) {
        if (stopping) {
            return Optional.of(STOPPING);
        }
        if (count(watcher -> token != null && token.equals(watcher.token())) >= MOST_OF_A_SESSION) {
            return Optional.of(TOO_MANY_OF_YOURS);
        }
        boolean alone = team.isEmpty(); // without teams
        if (!alone && count(watcher -> watcher.principal().team().equals(team)) >= MOST_OF_A_TEAM) {
            return Optional.of(TOO_MANY_OF_YOUR_TEAM);
        }
        return streams.size() >= MOST ? Optional.of(TOO_MANY) : Optional.empty();
    }

    private long count(Predicate<CallStream.Watcher> which) {
        return streams.stream().map(CallStream::watcher).filter(which).count();
    }

    private void open(HttpServerRequest request, @Nullable String token, SignedIn person) {
        CallAudience audience = routes.services().calls().audience().apply(person.principal());
        CallStream stream = new CallStream(
                vertx,
                request,
                routes.settings().limits(),
                new CallStream.Watcher(token, routes.signIn().watch(token, person), person.principal(), audience),
                this::closed);
        if (streams.isEmpty()) {
            routes.services().calls().source().watched(true);
        }
        streams.add(stream);
        routes.meters().streamOpened();
        if (timer == null) {
            timer = vertx.setPeriodic(EVERY.toMillis(), _ -> send());
        }
        stream.begin(
                new CallBatches(routes.services().calls()), routes.services().calls());
    }

    private void closed(CallStream stream, boolean tooSlow) {
        if (streams.remove(stream)) {
            routes.meters().streamClosed();
            if (tooSlow) {
                routes.meters().readerCut();
            }
        }
        if (streams.isEmpty() && timer != null) {
            vertx.cancelTimer(timer);
            timer = null;
            routes.services().calls().source().watched(false);
        }
    }

    private void send() {
        CallBatches batches = new CallBatches(routes.services().calls());
        List.copyOf(streams).forEach(stream -> {
            Optional<CallStream.Ending> ending = ending(stream.watcher());
            ending.ifPresentOrElse(stream::end, () -> stream.send(batches));
        });
    }

    /** Why a stream has to end now: what somebody may see is looked up again each time. */
    private Optional<CallStream.Ending> ending(CallStream.Watcher watcher) {
        return switch (watcher.session().now()) {
            case SessionWatch.WatchedState.Over _ -> Optional.of(CallStream.Ending.SIGNED_OUT);
            case SessionWatch.WatchedState.NotKnown _ -> Optional.of(CallStream.Ending.UNAVAILABLE);
            case SessionWatch.WatchedState.GoesOn(SignedIn now) ->
                seesTheSame(watcher, now.principal()) ? Optional.empty() : Optional.of(CallStream.Ending.CHANGED);
        };
    }

    private boolean seesTheSame(CallStream.Watcher watcher, Principal now) {
        return now.equals(watcher.principal())
                || routes.services().calls().audience().apply(now).equals(watcher.audience());
    }

    private void stop() {
        stopping = true;
        List.copyOf(streams).forEach(stream -> stream.end(CallStream.Ending.STOPPING));
    }
}
