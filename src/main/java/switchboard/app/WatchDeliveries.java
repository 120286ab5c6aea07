package switchboard.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.BackendReply;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.dispatch.Requester;
import switchboard.federation.WatchDesk;
import switchboard.fetch.FetchException;
import switchboard.fetch.WebAddress;
import switchboard.telemetry.MetricNames;
import switchboard.watch.Watch;
import switchboard.watch.WatchBook;
import switchboard.watch.WatchSettings;
import switchboard.watch.WebhookDelivery;
import switchboard.watch.WebhookQueue;
import switchboard.watch.WebhookRules;
import switchboard.watch.WebhookSignature;
import switchboard.watch.WebhookState.OutcomeKind;

/**
 * Tells webhooks the news of standing questions, at least once: what is told is on the disk before the first try. Thread-safe;
 * does not block.
 */
final class WatchDeliveries {
    private static final Logger LOG = LoggerFactory.getLogger(WatchDeliveries.class);

    /** How often it is looked what is due, in milliseconds. */
    private static final long LOOK_MS = 250;

    /** How long a receiver may take. */
    static final Duration LONGEST = Duration.ofSeconds(10);

    /** How long the previous key of a team signs, too. */
    private static final Duration PREVIOUS_KEY = Duration.ofDays(1);

    /** The pause after something could not be sent yet, because its asker or a source is away. */
    private static final Duration NOT_NOW = Duration.ofMinutes(5);

    /** The pause after the state could not be written. */
    private static final Duration AFTER_DISK_ERROR = Duration.ofSeconds(30);

    private final WatchBook book;
    private final WebhookQueue queue;
    private final WatchAskers askers;
    private final WebhookSender sender;
    private final Vertx vertx;
    private final Clock clock;
    private final Map<OutcomeKind, Counter> counters;
    private final Set<Future<Void>> running = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;

    /** What goes out of the gateway is read with the rights of its asker, and is in the audit log. */
    interface DeliveryCalls {
        /**
         * The reply of the backend of the federated tools to a read of {@code uri} by {@code who}, whom it knows as {@code as};
         * never fails.
         */
        Future<BackendReply> read(Requester who, Caller as, String uri);

        /**
         * Something was sent, or could not be.
         *
         * @param error null if it was taken
         */
        void sent(Watch watch, URI url, int bytes, @Nullable FailureKind error, Duration took);
    }

    /** How and where a message goes. */
    private record Destination(DeliveryCalls calls, URI url, WebhookRules rules) {}

    WatchDeliveries(WatchBook book, WebhookQueue queue, WatchAskers askers, Platform platform) {
        this.book = book;
        this.queue = queue;
        this.askers = askers;
        this.vertx = platform.vertx();
        this.clock = platform.clock();
        this.sender = new WebhookSender(platform.vertx(), platform.share());
        MeterRegistry meters = platform.meters();
        Gauge.builder(MetricNames.WATCH_WEBHOOKS_WAITING, queue, WebhookQueue::size)
                .description("Webhooks that wait to be told something")
                .register(meters);
        this.counters = Map.of(
                OutcomeKind.DELIVERED, counter(meters, "delivered"),
                OutcomeKind.RETRYING, counter(meters, "retrying"),
                OutcomeKind.FAILED, counter(meters, "failed"),
                OutcomeKind.ENDED, counter(meters, "ended"));
    }

    private static Counter counter(MeterRegistry meters, String result) {
        return Counter.builder(MetricNames.WATCH_WEBHOOKS)
                .description("Messages to the webhooks of standing questions")
                .tag("result", result)
                .register(meters);
    }

    /** Begins, if this process keeps the questions. */
    void begin(DeliveryCalls calls) {
        if (!book.isOpen()) {
            return;
        }
        vertx.setPeriodic(LOOK_MS, _ -> look(calls));
    }

    private void look(DeliveryCalls calls) {
        while (!stopped && book.asks() && askers.known()) {
            Optional<String> due = queue.take(clock.instant().toEpochMilli());
            if (due.isEmpty()) {
                return;
            }
            Optional<Watch> watch = book.find(due.get());
            if (watch.isEmpty()) {
                queue.gone(due.get());
                continue;
            }
            Future<Void> run = tell(watch.get(), calls);
            running.add(run);
            run.onComplete(_ -> {
                running.remove(run);
                queue.done(watch.get());
            });
        }
    }

    private Future<Void> tell(Watch watch, DeliveryCalls calls) {
        return book.change(watch.uri(), known -> known.telling(clock.instant()))
                .compose(kept -> kept.isPresent() ? send(kept.get(), calls) : settle(watch, UnaryOperator.identity()))
                .otherwise(failure -> {
                    LOG.warn("what became of a webhook can't be kept: {}", failure.getMessage());
                    queue.later(watch, clock.instant().plus(AFTER_DISK_ERROR).toEpochMilli());
                    return null;
                });
    }

    private Future<Void> send(Watch watch, DeliveryCalls calls) {
        Optional<WebhookDelivery> head = watch.answers().webhook().head();
        String hook = watch.question().webhook();
        if (head.isEmpty() || hook == null) {
            return settle(watch, UnaryOperator.identity());
        }
        WebhookDelivery message = head.get();
        Optional<URI> url = parsed(hook);
        Optional<WebhookRules> rules = askers.settings()
                .of(watch.owner().team())
                .flatMap(WatchSettings.TeamWatches::webhooks)
                .filter(allowed -> url.isPresent() && allowed.allows(url.get()) && allowed.secure(url.get()));
        if (rules.isEmpty()) {
            return done(
                    watch,
                    message,
                    OutcomeKind.FAILED,
                    "It was not sent: the host is not among "
                            + WatchDesk.webhooks(watch.owner().team()) + ".hosts any more.");
        }
        return switch (askers.of(watch)) {
            case WatchAskers.Asking.Gone _ ->
                book.gone(watch.uri())
                        .compose(ended -> ended
                                ? settle(watch, UnaryOperator.identity())
                                : unsent(watch, message, "who has asked is not known here now."));
            case WatchAskers.Asking.Asleep(String reason) -> unsent(watch, message, reason);
            case WatchAskers.Asking.Ready(Requester who, Caller caller) ->
                calls.read(who, caller, watch.uri() + WatchDesk.WAITING)
                        .compose(reply -> reply.either(
                                BackendReply.Contents.class,
                                found -> visible(watch, message, found, new Destination(calls, url.get(), rules.get())),
                                failed -> unsent(watch, message, failed.message())));
        };
    }

    private static Optional<URI> parsed(String hook) {
        try {
            return Optional.of(WebAddress.parse(hook));
        } catch (FetchException _) {
            return Optional.empty();
        }
    }

    private Future<Void> visible(
            Watch watch, WebhookDelivery message, BackendReply.Contents found, Destination destination) {
        ObjectNode data = found.contents().isEmpty()
                ? Json.object()
                : data(found.contents().getFirst().path("text").asText());
        JsonNode id = data.remove(WatchDesk.MESSAGE);
        Set<String> later = new HashSet<>();
        data.path(WatchDesk.UNCHECKED).forEach(address -> later.add(address.asText()));
        data.remove(WatchDesk.UNCHECKED);
        if (id == null && !changed(watch)) {
            return unsent(watch, message, "you may not use standing questions now. An operator can change that.");
        }
        if (stopped || id == null || !id.asText().equals(message.id()) || changed(watch)) {
            return settle(watch, UnaryOperator.identity());
        }
        // What was sent under this id before may have had these documents.
        boolean fixed = message.tries() > 1;
        if (!later.isEmpty() && (fixed || data.path("news").isEmpty())) {
            return unsent(
                    watch,
                    message,
                    "Whether you may read what was found can't be checked now: a source does not answer.");
        }
        if (data.path("news").isEmpty()) {
            return done(
                    watch,
                    message,
                    OutcomeKind.FAILED,
                    "It was not sent: you may not read what was found now, or it is gone.");
        }
        ObjectNode body = Json.object()
                .put("type", "watch.news")
                .put("timestamp", Instant.ofEpochMilli(message.begun()).toString());
        body.set("data", data);
        return book.change(watch.uri(), known -> known.postponing(message.id(), later, clock.instant()))
                .compose(_ -> changed(watch)
                        ? settle(watch, UnaryOperator.identity())
                        : post(watch, message, destination, Json.bytes(body)));
    }

    /** Whether its asker has ended the question, or asks another one. */
    private boolean changed(Watch watch) {
        return book.find(watch.uri())
                .filter(now -> now.question().equals(watch.question()))
                .isEmpty();
    }

    private static ObjectNode data(String text) {
        try {
            return Json.parse(text) instanceof ObjectNode data ? data : Json.object();
        } catch (IOException e) {
            throw new IllegalStateException("the gateway's own JSON", e);
        }
    }

    private Future<Void> post(Watch watch, WebhookDelivery message, Destination destination, byte[] body) {
        long since = System.nanoTime();
        Instant now = clock.instant();
        List<byte[]> keys = destination.rules().keys().apply(now.minus(PREVIOUS_KEY));
        Map<String, String> headers = Map.of(
                "content-type",
                "application/json",
                "webhook-id",
                message.id(),
                "webhook-timestamp",
                String.valueOf(now.getEpochSecond()),
                "webhook-signature",
                WebhookSignature.of(keys, message.id(), now.getEpochSecond(), body));
        return sender.post(destination.rules().allowPrivate(), destination.url(), headers, Buffer.buffer(body), LONGEST)
                .andThen(sent -> destination
                        .calls()
                        .sent(
                                watch,
                                destination.url(),
                                body.length,
                                error(sent),
                                Duration.ofNanos(System.nanoTime() - since)))
                .transform(sent -> sent.succeeded()
                        ? answered(watch, message, sent.result())
                        : retry(watch, message, problem(sent.cause(), watch)));
    }

    private static @Nullable FailureKind error(AsyncResult<Integer> sent) {
        if (sent.succeeded()) {
            return taken(sent.result()) ? null : FailureKind.UNAVAILABLE;
        }
        return sent.cause() instanceof FetchException known
                ? known.toToolException().failed().kind()
                : FailureKind.UNAVAILABLE;
    }

    private static boolean taken(int status) {
        return status >= 200 && status < 300;
    }

    private Future<Void> answered(Watch watch, WebhookDelivery message, int status) {
        if (taken(status)) {
            return done(watch, message, OutcomeKind.DELIVERED, "The receiver answered " + status + ".");
        }
        return status == 410
                ? done(
                        watch,
                        message,
                        OutcomeKind.ENDED,
                        "The receiver answered 410: it wants no more. Say the question again with webhook to begin anew.")
                : retry(watch, message, "The receiver answered " + status + ".");
    }

    private static String problem(Throwable cause, Watch watch) {
        if (!(cause instanceof FetchException known)) {
            return "The receiver can't be reached.";
        }
        return known.reason() == FetchException.Reason.REFUSED
                ? "It was not sent: the host is not found on the public Internet. An operator can allow private networks with "
                        + WatchDesk.webhooks(watch.owner().team()) + ".allowPrivate."
                : "The receiver can't be reached: " + known.explanation() + ".";
    }

    private Future<Void> retry(Watch watch, WebhookDelivery message, String detail) {
        return settle(watch, known -> known.untold(message.id(), detail, clock.instant()));
    }

    private Future<Void> unsent(Watch watch, WebhookDelivery message, String reason) {
        return settle(
                watch, known -> known.unsent(message.id(), "It was not sent: " + reason, NOT_NOW, clock.instant()));
    }

    private Future<Void> done(Watch watch, WebhookDelivery message, OutcomeKind kind, String detail) {
        return settle(watch, known -> known.told(message.id(), kind, detail, clock.instant()));
    }

    private void count(OutcomeKind kind) {
        Objects.requireNonNull(counters.get(kind)).increment();
    }

    private Future<Void> settle(Watch watch, UnaryOperator<Watch> change) {
        return book.change(watch.uri(), change).map(now -> {
            now.map(known -> known.answers().webhook().last())
                    .filter(last -> !last.equals(watch.answers().webhook().last()))
                    .ifPresent(last -> count(last.kind()));
            queue.put(watch.uri(), book::find);
            return null;
        });
    }

    /** Tells none any more: what is under way is cancelled, and told after the next start. */
    Future<Void> halt() {
        stopped = true;
        sender.cancel();
        return Future.join(List.copyOf(running)).transform(_ -> sender.close());
    }
}
