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
 * What readiness and {@code doctor} say about an engine that is asked over HTTP: whether it answers, its clock, and what
 * the key may do. Asks one question after the other, each once.
 */
public final class EngineDiagnostics {
    private static final Duration WITHIN = Duration.ofSeconds(5);

    private final UpstreamClient client;
    private final Clock clock;

    /**
     * A question to the engine.
     *
     * @param about what its answer is about, in a word
     * @param request the question
     * @param words what a good answer says
     * @param needed whether the gateway can't do without the right to ask this; says what to do about it
     */
    public record Probe(
            String about, UpstreamRequest request, Function<JsonNode, String> words, Optional<String> needed) {
        /** What every key may ask, or needs to. */
        public static Probe needed(String about, String path, Function<JsonNode, String> words, String advice) {
            return needed(about, UpstreamRequest.get(path), words, advice);
        }

        /** The same with a request of any form that only reads. */
        public static Probe needed(
                String about, UpstreamRequest request, Function<JsonNode, String> words, String advice) {
            return new Probe(about, request, words, Optional.of(advice));
        }

        /** What is good to know; a key without the right to ask is no fault. */
        public static Probe welcome(String about, String path, Function<JsonNode, String> words) {
            return new Probe(about, UpstreamRequest.get(path), words, Optional.empty());
        }
    }

    /**
     * Whether the engine takes the key, asked by what only a key in force may do.
     *
     * @param ways the questions; one that is answered is enough, because a key may be meant for a part of them
     * @param unknown the statuses with which the engine refuses a key that it does not know
     * @param advice what to do where all are refused
     */
    public record Key(List<Probe> ways, Set<Integer> unknown, String advice) {
        public Key {
            ways = List.copyOf(ways);
            unknown = Set.copyOf(unknown);
        }
    }

    /** An examination through {@code client}, whose answers' dates are held against {@code clock}. */
    public EngineDiagnostics(UpstreamClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /**
     * How the engine is for calls with the key: down where it refuses the key, degraded where it knows the key and lets it
     * do nothing of what is asked.
     *
     * @param ready a question that needs no key
     * @param timeout for each question
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

    /** The status with which the last of the ways was refused, unless one of them was not. */
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
     * The findings, in the order of the questions: first what the engine says to the key.
     *
     * @param ready a question that needs no key
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

    /** What the first way that is not refused says; where all are, the first refusal. */
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
                        question.about(), "not available with this key; the gateway does not need it"));
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
