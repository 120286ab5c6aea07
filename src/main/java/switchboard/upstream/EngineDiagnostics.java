package switchboard.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import switchboard.call.ClockCheck;
import switchboard.call.DiagnosticFinding;
import switchboard.call.Health;
import switchboard.call.ToolException;

/**
 * Checks an engine over HTTP for readiness and {@code doctor}: whether it answers, its clock, and the permissions of
 * the key. Sends one request after the other, each once.
 */
public final class EngineDiagnostics {
    private static final Duration WITHIN = Duration.ofSeconds(5);

    private final UpstreamClient client;
    private final Clock clock;

    /**
     * A request to the engine.
     *
     * @param about the subject of its answer, in a word
     * @param request the request
     * @param words describes a good answer
     * @param needed if the gateway needs the permission for this: what to do without it
     */
    public record Probe(
            String about, UpstreamRequest request, Function<JsonNode, String> words, Optional<String> needed) {
        /** A check that every key allows, or that the gateway needs. */
        public static Probe needed(String about, String path, Function<JsonNode, String> words, String advice) {
            return needed(about, UpstreamRequest.get(path), words, advice);
        }

        /** The same with any request that only reads. */
        public static Probe needed(
                String about, UpstreamRequest request, Function<JsonNode, String> words, String advice) {
            return new Probe(about, request, words, Optional.of(advice));
        }

        /** A check that is useful but not needed: a key without the permission is no problem. */
        public static Probe optional(String about, String path, Function<JsonNode, String> words) {
            return new Probe(about, UpstreamRequest.get(path), words, Optional.empty());
        }
    }

    /**
     * Checks whether the engine accepts the key, with requests that only a valid key allows.
     *
     * @param ways the requests; one success is sufficient, because a key may be restricted to a part of them
     * @param unknown the statuses for an unknown key
     * @param advice what to do if all are refused
     */
    public record Key(List<Probe> ways, Set<Integer> unknown, String advice) {
        public Key {
            ways = List.copyOf(ways);
            unknown = Set.copyOf(unknown);
        }
    }

    /** Checks through {@code client}; the dates of answers are compared with {@code clock}. */
    public EngineDiagnostics(UpstreamClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /**
     * The engine's health for calls with the key: down if it refuses the key, degraded if it knows the key but allows
     * none of the requests.
     *
     * @param ready a request that needs no key
     * @param timeout time limit of each request
     * @return never fails
     */
    public Future<Health> health(UpstreamRequest ready, Key key, Duration timeout) {
        return client.probe(ready, timeout)
                .compose(health -> health.ok()
                        ? refusal(key, timeout).map(refused -> refused.map(
                                        status -> key.unknown().contains(status)
                                                ? Health.down(refusal(status, key.advice()))
                                                : Health.degraded(refusal(status, key.advice())))
                                .orElse(health))
                        : Future.succeededFuture(health))
                .recover(failure -> Future.succeededFuture(Health.down(message(failure))));
    }

    /** The status of the last refusal; empty if one of the requests was not refused. */
    private Future<Optional<Integer>> refusal(Key key, Duration timeout) {
        Future<Optional<Integer>> asked = Future.succeededFuture(Optional.of(0));
        for (Probe way : key.ways()) {
            asked = asked.compose(refused -> refused.isEmpty()
                    ? Future.succeededFuture(refused)
                    : client.once(way.request(), timeout)
                            .map(answer -> denied(answer) ? Optional.of(answer.status()) : Optional.<Integer>empty()));
        }
        return asked;
    }

    private static boolean denied(UpstreamResponse answer) {
        return answer.status() == 401 || answer.status() == 403;
    }

    private static String refusal(int status, String advice) {
        return "the engine answers, but refuses the key (" + status + "); " + advice;
    }

    /**
     * The findings, in the order of the requests; those about the key first.
     *
     * @param ready a request that needs no key
     * @return never fails
     */
    public Future<List<DiagnosticFinding>> of(UpstreamRequest ready, Key key, List<Probe> questions) {
        return client.once(ready, WITHIN)
                .compose(answer -> {
                    List<DiagnosticFinding> findings = new ArrayList<>();
                    if (!answer.success()) {
                        findings.add(unsound("engine", answer));
                        return Future.succeededFuture(findings);
                    }
                    findings.add(DiagnosticFinding.good("engine", "answers"));
                    date(answer).ifPresent(theirs -> findings.add(ClockCheck.of(theirs, clock.instant())));
                    return key(key, findings).compose(told -> ask(questions, told));
                })
                .recover(failure -> Future.succeededFuture(List.of(DiagnosticFinding.bad("engine", message(failure)))));
    }

    /** The finding of the first request that is not refused; otherwise the first refusal. */
    private Future<List<DiagnosticFinding>> key(Key key, List<DiagnosticFinding> findings) {
        Future<List<DiagnosticFinding>> asked = Future.succeededFuture(List.of());
        for (Probe way : key.ways()) {
            asked = asked.compose(before -> before.stream().anyMatch(DiagnosticFinding::sound)
                    ? Future.succeededFuture(before)
                    : client.once(way.request(), WITHIN)
                            .map(answer -> judge(way, answer))
                            .otherwise(failure -> DiagnosticFinding.bad(way.about(), message(failure)))
                            .map(finding -> finding.sound() || before.isEmpty() ? List.of(finding) : before));
        }
        return asked.map(told -> {
            findings.addAll(told);
            return findings;
        });
    }

    private Future<List<DiagnosticFinding>> ask(List<Probe> questions, List<DiagnosticFinding> findings) {
        Future<List<DiagnosticFinding>> asked = Future.succeededFuture(findings);
        for (Probe question : questions) {
            asked = asked.compose(_ -> client.once(question.request(), WITHIN)
                    .map(answer -> judge(question, answer))
                    .otherwise(failure -> DiagnosticFinding.bad(question.about(), message(failure)))
                    .map(finding -> {
                        findings.add(finding);
                        return findings;
                    }));
        }
        return asked;
    }

    private DiagnosticFinding judge(Probe question, UpstreamResponse answer) {
        if (answer.success()) {
            return DiagnosticFinding.good(
                    question.about(), client.scrub(question.words().apply(answer.json())));
        }
        if (!denied(answer)) {
            return unsound(question.about(), answer);
        }
        return question.needed()
                .map(advice -> DiagnosticFinding.bad(question.about(), "refused (" + answer.status() + "); " + advice))
                .orElseGet(() -> DiagnosticFinding.good(
                        question.about(), "not available with this key; the gateway works without it"));
    }

    private static DiagnosticFinding unsound(String about, UpstreamResponse answer) {
        return DiagnosticFinding.bad(about, answer.unexplained().message());
    }

    private static Optional<Instant> date(UpstreamResponse answer) {
        try {
            return Optional.ofNullable(answer.date())
                    .map(text -> ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant());
        } catch (DateTimeException _) {
            return Optional.empty(); // an engine with a date of its own making says nothing about its clock
        }
    }

    private static String message(Throwable failure) {
        return failure instanceof ToolException told
                ? told.failed().message()
                : failure.getClass().getSimpleName();
    }
}
