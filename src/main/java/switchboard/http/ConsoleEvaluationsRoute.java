package switchboard.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import switchboard.async.Futures;
import switchboard.auth.Principal;
import switchboard.call.Json;
import switchboard.console.ConsoleSignIn.SignedIn;
import switchboard.console.Evaluations.Evaluator;
import switchboard.console.Evaluations.SetLookup;
import switchboard.console.JudgedRun;
import switchboard.console.SessionWatch;
import switchboard.console.SignInUnavailableException;

/**
 * {@code /api/v1/evaluations}: the judged sets that somebody may evaluate (GET), and an evaluation of one of them as a stream of
 * events (POST). Its searches are calls of the person, one after the other; a team has one evaluation at a time. Used on one event
 * loop only.
 */
final class ConsoleEvaluationsRoute {
    private static final int MOST_BYTES = 64 * 1024;
    private static final int MOST_CONFIGURATIONS = 2;
    private static final int LONGEST_NAME = 1000;
    private static final HttpError OTHER_METHOD =
            new HttpError(405, "GET lists sets, POST evaluates one.", Map.of("Allow", "GET, POST"));
    private static final HttpError NO_SET = new HttpError(400, "set must be the name of a judged set, or left out.");
    private static final HttpError NO_CONFIGURATIONS = new HttpError(
            400, "configurations must be a list of one or two objects: arguments of search_everywhere, without query.");
    private static final HttpError UNKNOWN_SET = new HttpError(404, "There is no such set, or it is not yours.");
    private static final HttpError UNKNOWN_VIEW = new HttpError(404, "There is no such view, or it is not yours.");
    private static final HttpError RUNNING = new HttpError(
            409, "An evaluation of your team runs already. Wait for it, or cancel it on the page that has started it.");
    private static final HttpError STOPPING = new HttpError(503, "The gateway stops.", Map.of("Retry-After", "10"));

    private final Vertx vertx;
    private final ConsoleRoutes routes;
    private final ConsoleCookie cookie;
    private final ConsoleJson json;
    private final RequestPreconditions requestPreconditions;
    private final PersonCalls calls;
    private final CallerAddress addresses;
    private final Set<String> preparing = new HashSet<>();
    private final Map<String, EvaluationStream> running = new HashMap<>();
    private boolean stopping;

    /** What somebody wants to know. */
    private record WantedEvaluation(Principal person, String view, String set, List<ObjectNode> configurations) {}

    ConsoleEvaluationsRoute(
            Vertx vertx,
            ConsoleRoutes routes,
            ConsoleCookie cookie,
            ConsoleJson json,
            RequestPreconditions requestPreconditions) {
        this.vertx = vertx;
        this.routes = routes;
        this.cookie = cookie;
        this.json = json;
        this.requestPreconditions = requestPreconditions;
        this.calls = new PersonCalls(vertx, routes.entry().endpoint());
        this.addresses = new CallerAddress(routes.settings().trustedProxies());
        Context loop = vertx.getOrCreateContext();
        routes.services().calls().recent().atEnd(() -> loop.runOnContext(_ -> stop()));
    }

    void on(Router router) {
        router.route("/api/v1/evaluations").handler(context -> handle(context.request()));
    }

    private void handle(HttpServerRequest request) {
        switch (request.method().name()) {
            case "GET" -> json.answer(request, routes.person(cookie, request).compose(this::listed));
            case "POST" ->
                Futures.finish(
                        routes.person(cookie, request).compose(person -> wanted(request, person)),
                        wanted -> evaluate(request, wanted),
                        failure -> json.answer(request, Future.failedFuture(failure)));
            default -> requestPreconditions.refuse(request, OTHER_METHOD);
        }
    }

    private Evaluator evaluator(Principal person) {
        return new Evaluator(person.team(), routes.services().operator().test(person));
    }

    private Future<ConsoleJson.JsonAnswer> listed(Principal person) {
        return routes.services().judging().evaluations().sets(evaluator(person)).map(sets -> {
            ObjectNode body = Json.object();
            ArrayNode all = body.putArray("sets");
            sets.forEach(set -> all.addObject().put("name", set.name()).put("queries", set.queries()));
            return new ConsoleJson.JsonAnswer(200, body);
        });
    }

    private Future<WantedEvaluation> wanted(HttpServerRequest request, Principal person) {
        String view = Objects.requireNonNullElse(request.getParam("view"), "");
        if (!routes.entry().views().test(person, view)) {
            return ConsoleJson.refused(UNKNOWN_VIEW);
        }
        return json.read(request, MOST_BYTES).compose(body -> {
            JsonNode set = body.path("set");
            if (!set.isMissingNode() && (!set.isTextual() || set.asText().length() > LONGEST_NAME)) {
                return ConsoleJson.refused(NO_SET);
            }
            return configurations(body.path("configurations"))
                    .map(found -> Future.succeededFuture(new WantedEvaluation(person, view, set.asText(), found)))
                    .orElseGet(() -> ConsoleJson.refused(NO_CONFIGURATIONS));
        });
    }

    private static Optional<List<ObjectNode>> configurations(JsonNode written) {
        List<ObjectNode> found = new ArrayList<>();
        for (JsonNode one : written) {
            if (one instanceof ObjectNode arguments && !arguments.has("query")) {
                // Texts are not needed, and long ones would leave out hits.
                found.add(arguments.has("detail") ? arguments : arguments.put("detail", "titles"));
            }
        }
        boolean all = written.isArray() && found.size() == written.size();
        return all && !found.isEmpty() && found.size() <= MOST_CONFIGURATIONS ? Optional.of(found) : Optional.empty();
    }

    private void evaluate(HttpServerRequest request, WantedEvaluation wanted) {
        String team = wanted.person().team();
        if (stopping || running.containsKey(team) || !preparing.add(team)) {
            requestPreconditions.refuse(request, stopping ? STOPPING : RUNNING);
            return;
        }
        Futures.finish(
                routes.services().judging().evaluations().find(evaluator(wanted.person()), wanted.set()),
                lookup -> {
                    preparing.remove(team);
                    answer(request, wanted, lookup);
                },
                failure -> {
                    preparing.remove(team);
                    json.answer(request, Future.failedFuture(failure));
                });
    }

    private void answer(HttpServerRequest request, WantedEvaluation wanted, SetLookup lookup) {
        switch (lookup) {
            case SetLookup.UnknownSet _ -> requestPreconditions.refuse(request, UNKNOWN_SET);
            case SetLookup.UnusableSet(String why) -> requestPreconditions.refuse(request, new HttpError(409, why));
            case SetLookup.FoundSet found -> {
                if (stopping) {
                    requestPreconditions.refuse(request, STOPPING);
                } else if (!request.response().closed()) {
                    begin(request, wanted, found.run(wanted.configurations()));
                }
            }
        }
    }

    private void begin(HttpServerRequest request, WantedEvaluation wanted, JudgedRun run) {
        String team = wanted.person().team();
        String token = cookie.of(request);
        String address = addresses.of(request);
        Evaluator evaluator = evaluator(wanted.person());
        SessionWatch session = routes.signIn().watch(token, new SignedIn(wanted.person(), null));
        EvaluationStream stream = new EvaluationStream(
                vertx,
                request,
                routes.settings().limits(),
                new EvaluationStream.EvaluationParts(
                        () -> session.checked()
                                .compose(ConsoleEvaluationsRoute::person)
                                .map(found -> found.filter(
                                                now -> routes.entry().views().test(now, wanted.view()))
                                        .filter(now -> evaluator(now).equals(evaluator))
                                        .map(now -> new PersonCalls.CallingPerson(now, wanted.view(), address))),
                        calls,
                        routes.services().judging().evaluations(),
                        evaluator,
                        run),
                () -> {
                    running.remove(team);
                    routes.meters().streamClosed();
                });
        running.put(team, stream);
        routes.meters().streamOpened();
        stream.begin();
    }

    private static Future<Optional<Principal>> person(SessionWatch.WatchedState state) {
        return switch (state) {
            case SessionWatch.WatchedState.GoesOn(SignedIn now) -> Future.succeededFuture(Optional.of(now.principal()));
            case SessionWatch.WatchedState.Over _ -> Future.succeededFuture(Optional.empty());
            case SessionWatch.WatchedState.NotKnown _ -> Future.failedFuture(new SignInUnavailableException(null));
        };
    }

    private void stop() {
        stopping = true;
        List.copyOf(running.values()).forEach(EvaluationStream::stop);
    }
}
