package switchboard.backend.upstream;

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
import java.util.function.Function;
import switchboard.backend.ClockCheck;
import switchboard.backend.Finding;
import switchboard.call.ToolException;

/**
 * What {@code doctor} says about an engine that is asked over HTTP: whether it answers, its clock, and what the key may
 * do. Asks one question after the other, each once, and none after one that was not answered at all.
 */
public final class Examination {
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
    public record Question(
            String about, UpstreamRequest request, Function<JsonNode, String> words, Optional<String> needed) {
        /** What every key may ask, or needs to. */
        public static Question needed(String about, String path, Function<JsonNode, String> words, String advice) {
            return new Question(about, UpstreamRequest.get(path), words, Optional.of(advice));
        }

        /** What is good to know; a key without the right to ask is no fault. */
        public static Question welcome(String about, String path, Function<JsonNode, String> words) {
            return new Question(about, UpstreamRequest.get(path), words, Optional.empty());
        }
    }

    /** An examination through {@code client}, whose answers' dates are held against {@code clock}. */
    public Examination(UpstreamClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /**
     * The findings, in the order of the questions.
     *
     * @param ready a question that needs no key
     * @return never fails
     */
    public Future<List<Finding>> of(UpstreamRequest ready, List<Question> questions) {
        return client.once(ready, WITHIN)
                .compose(answer -> {
                    List<Finding> findings = new ArrayList<>();
                    if (!answer.success()) {
                        findings.add(unsound("engine", answer));
                        return Future.succeededFuture(findings);
                    }
                    findings.add(Finding.good("engine", "answers"));
                    date(answer).ifPresent(theirs -> findings.add(ClockCheck.of(theirs, clock.instant())));
                    return ask(questions, findings);
                })
                .recover(failure -> Future.succeededFuture(List.of(Finding.bad("engine", message(failure)))));
    }

    private Future<List<Finding>> ask(List<Question> questions, List<Finding> findings) {
        Future<List<Finding>> asked = Future.succeededFuture(findings);
        for (Question question : questions) {
            asked = asked.compose(_ -> client.once(question.request(), WITHIN)
                    .map(answer -> judge(question, answer))
                    .otherwise(failure -> Finding.bad(question.about(), message(failure)))
                    .map(finding -> {
                        findings.add(finding);
                        return findings;
                    }));
        }
        return asked;
    }

    private Finding judge(Question question, UpstreamResponse answer) {
        if (answer.success()) {
            return Finding.good(question.about(), client.scrub(question.words().apply(answer.json())));
        }
        boolean denied = answer.status() == 401 || answer.status() == 403;
        if (!denied) {
            return unsound(question.about(), answer);
        }
        return question.needed()
                .map(advice -> Finding.bad(question.about(), "refused (" + answer.status() + "); " + advice))
                .orElseGet(
                        () -> Finding.good(question.about(), "not told to this key, which the gateway can do without"));
    }

    private static Finding unsound(String about, UpstreamResponse answer) {
        return Finding.bad(about, answer.unexplained().message());
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
