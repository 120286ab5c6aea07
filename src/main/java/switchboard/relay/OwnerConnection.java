package switchboard.relay;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.parsetools.RecordParser;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import switchboard.async.HttpConnections;
import switchboard.async.HttpExchange;
import switchboard.call.BackendCall;
import switchboard.call.BackendEvent;
import switchboard.call.BackendReply;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/** Sends calls to the process that owns a backend's data, on connections that are kept. */
final class OwnerConnection {
    private static final int MAX_CONNECTIONS = 256;
    private static final int MAX_WAITING = 1000;
    private static final int CONNECT_TIMEOUT_MS = 5_000;
    private static final int PING_TIMEOUT_MS = 5_000;
    private static final int MAX_PINGS = 10;
    private static final int KEEP_ALIVE_SECONDS = 60;

    /** How long an owner may take to ask for a call. One that takes longer hangs. */
    private static final Duration ASKING = Duration.ofSeconds(5);

    /** How long the answers of a former owner are read. */
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(10);

    private static final int MAX_REASON_BYTES = 16 * 1024;

    private final Vertx vertx;
    private final OwnerAddress address;
    private final HttpClientAgent client;
    private final HttpClientAgent pings;

    /** How far a call is that is only sent when the owner asks for it. */
    private enum Stage {
        ANNOUNCED,
        SENT,
        GIVEN_UP
    }

    OwnerConnection(Vertx vertx, OwnerAddress address) {
        this.vertx = vertx;
        this.address = address;
        this.client = client(MAX_CONNECTIONS, MAX_WAITING);
        this.pings = client(1, MAX_PINGS); // of its own, because calls may wait for a connection when it is fine
    }

    private HttpClientAgent client(int connections, int waiting) {
        return HttpConnections.client(
                vertx,
                new HttpClientOptions()
                        .setKeepAliveTimeout(KEEP_ALIVE_SECONDS)
                        .setPipelining(false)
                        .setConnectTimeout(CONNECT_TIMEOUT_MS)
                        .setSsl(true)
                        .setSslHandshakeTimeout(CONNECT_TIMEOUT_MS)
                        .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
                        .setEnabledSecureTransportProtocols(Set.of(RelayServer.TLS))
                        // Nothing is sent before the other side has proved that it has the key of this certificate.
                        .setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(address.certificate())))
                        .setVerifyHost(false),
                new PoolOptions().setHttp1MaxSize(connections).setMaxWaitQueueSize(waiting));
    }

    OwnerAddress address() {
        return address;
    }

    /** Checks that the owner accepts calls; fails with {@link OwnerUnavailableException} if it does not. */
    Future<Void> ping() {
        return open(pings, HttpMethod.GET, PING_TIMEOUT_MS, PING_TIMEOUT_MS)
                .compose(request -> HttpExchange.<Boolean>send(request, null, response -> {
                    if (response.statusCode() != 204) {
                        throw refused(response);
                    }
                    return HttpExchange.Body.ignore(true);
                }))
                .recover(failure -> Future.failedFuture(
                        failure instanceof OwnerUnavailableException
                                ? failure
                                : new OwnerUnavailableException(false, failure)))
                .mapEmpty();
    }

    /**
     * Sends {@code call} to the owner.
     *
     * @param repeatable whether it changes nothing; otherwise it is sent only when the owner asks for it
     * @return fails with {@link OwnerUnavailableException} if the owner no longer runs, stops or hangs
     */
    Future<BackendReply> send(BackendCall call, CallContext context, boolean repeatable) {
        long remaining = Math.max(1, context.remaining().toMillis());
        long opening = SharedCall.beforeDeadline(context).toMillis();
        return open(client, HttpMethod.POST, remaining, opening)
                .recover(failure -> Future.failedFuture(unopened(failure)))
                .compose(request -> exchange(
                        request,
                        call,
                        remaining,
                        context,
                        new AtomicReference<>(repeatable ? Stage.SENT : Stage.ANNOUNCED)));
    }

    /** Closes its connections, also those of calls under way. */
    Future<Void> close() {
        return Future.join(client.close(), pings.close()).mapEmpty();
    }

    /**
     * Takes no more calls, and closes its connections when those under way are answered. An owner that has given its data
     * to the next one has answered all of them, but this process may not have read all answers yet.
     */
    Future<Void> retire() {
        return Future.join(
                        client.shutdown(LAST_ANSWERS.toMillis(), TimeUnit.MILLISECONDS),
                        pings.shutdown(LAST_ANSWERS.toMillis(), TimeUnit.MILLISECONDS))
                .mapEmpty();
    }

    private Future<HttpClientRequest> open(HttpClient pool, HttpMethod method, long timeoutMs, long openingMs) {
        RequestOptions options = new RequestOptions()
                .setMethod(method)
                .setHost(address.url().getHost())
                .setPort(address.url().getPort())
                .setURI(address.url().getPath())
                .setIdleTimeout(timeoutMs);
        return HttpConnections.request(pool, options, Duration.ofMillis(openingMs))
                .map(request -> request.putHeader("Authorization", "Bearer " + address.token()));
    }

    private static RuntimeException unopened(Throwable failure) {
        return switch (failure) {
            case ConnectionPoolTooBusyException _ ->
                new ToolException(
                        FailureKind.OVERLOADED,
                        "Too many calls wait for the process that owns the data. Try again in a moment.");
            case TimeoutException _ -> notTaken();
            default -> new OwnerUnavailableException(false, failure);
        };
    }

    /** The failure for a call whose time was over before the owner had it. */
    private static ToolException notTaken() {
        return new ToolException(
                FailureKind.TIMEOUT,
                "The process that owns the data did not take the call in time. This call was not carried out."
                        + " Try again later.");
    }

    /** The failure for a call that the owner has, and whose time is over. A slow owner is not gone. */
    private static ToolException late(boolean repeatable) {
        return new ToolException(
                FailureKind.TIMEOUT,
                "The process that owns the data did not answer in time. "
                        + (repeatable
                                ? "Ask for less, or try again later."
                                : "Outcome unknown: check whether this call was carried out, and call again if not."));
    }

    private static ToolException tooLarge() {
        return new ToolException(
                FailureKind.INVALID_ARGUMENT,
                "The call is larger than what one process sends another, " + (IncomingCall.MAX_CALL_BYTES >> 20)
                        + " MiB. Send less at a time.");
    }

    private Future<BackendReply> exchange(
            HttpClientRequest request,
            BackendCall call,
            long remainingMs,
            CallContext context,
            AtomicReference<Stage> stage) {
        Promise<BackendReply> reply = Promise.promise();
        Context loop = vertx.getOrCreateContext();
        context.onCancel(() -> {
            stage.compareAndSet(Stage.ANNOUNCED, Stage.GIVEN_UP);
            reply.tryComplete(new ToolReply.Failed(FailureKind.CANCELLED, "The call was cancelled."));
            loop.runOnContext(_ -> request.reset());
        });
        if (reply.future().isComplete()) {
            return reply.future();
        }
        Buffer body = Buffer.buffer();
        RelayProtocol.CALL.write(call, body);
        if (body.length() > IncomingCall.MAX_CALL_BYTES) {
            request.reset();
            return Future.failedFuture(tooLarge());
        }
        boolean repeatable = stage.get() == Stage.SENT;
        request.putHeader(RelayProtocol.REMAINING, Long.toString(remainingMs));
        HttpExchange.Head<Boolean> head = response -> read(response, context, reply);
        Future<Boolean> exchange = repeatable
                ? HttpExchange.send(request, body, head)
                : whenAsked(request, body, stage, head, timeToAsk(context, reply));
        exchange.onComplete((_, failure) ->
                reply.tryFail(stage.get() == Stage.SENT ? broken(failure, context, repeatable) : notSent(failure)));
        return reply.future();
    }

    /**
     * How long the owner has to ask for a call.
     *
     * @param over runs when it has not asked for it
     */
    private record TimeToAsk(long millis, Runnable over) {}

    /** An owner that does not ask in the time that it has is gone; if only the call has no more time, it may be fine. */
    private static TimeToAsk timeToAsk(CallContext context, Promise<BackendReply> reply) {
        long untilTold = SharedCall.beforeDeadline(context).toMillis();
        return untilTold < ASKING.toMillis()
                ? new TimeToAsk(untilTold, () -> reply.tryFail(notTaken()))
                : new TimeToAsk(ASKING.toMillis(), () -> {});
    }

    private Future<Boolean> whenAsked(
            HttpClientRequest request,
            Buffer body,
            AtomicReference<Stage> stage,
            HttpExchange.Head<Boolean> head,
            TimeToAsk time) {
        long timer = vertx.setTimer(time.millis(), _ -> {
            if (stage.compareAndSet(Stage.ANNOUNCED, Stage.GIVEN_UP)) {
                time.over().run();
                request.reset();
            }
        });
        return HttpExchange.sendWhenAsked(request, body, () -> stage.compareAndSet(Stage.ANNOUNCED, Stage.SENT), head)
                .onComplete(_ -> vertx.cancelTimer(timer));
    }

    /** The failure for a call that the owner has not asked for. */
    private static Throwable notSent(@Nullable Throwable failure) {
        return failure instanceof ToolException
                        || failure instanceof OwnerUnavailableException
                        || failure instanceof IllegalStateException
                ? failure
                : new OwnerUnavailableException(false, failure == null ? new ConnectException("no reply") : failure);
    }

    /** The failure for a call that the owner may have, without a reply. */
    private static Throwable broken(@Nullable Throwable failure, CallContext context, boolean repeatable) {
        if (failure == null) {
            return new OwnerUnavailableException(true, new ConnectException("no reply"));
        }
        if (failure instanceof ToolException
                || failure instanceof OwnerUnavailableException
                || failure instanceof IllegalStateException) {
            return failure;
        }
        return context.cancelled() || failure instanceof TimeoutException
                ? late(repeatable)
                : new OwnerUnavailableException(true, failure);
    }

    private static HttpExchange.Body<Boolean> read(
            HttpClientResponse response, CallContext context, Promise<BackendReply> reply) {
        if (response.statusCode() == 400) {
            return HttpExchange.Body.collect(
                    MAX_REASON_BYTES,
                    () -> new OwnerUnavailableException(false, new ConnectException("status 400")),
                    why -> {
                        throw new ToolException(
                                FailureKind.UNAVAILABLE,
                                "The process that owns the data does not understand this one: " + why
                                        + ". Run the same version of Switchboard in both.");
                    });
        }
        if (response.statusCode() != 200) {
            throw refused(response);
        }
        RecordParser frames = RelayProtocol.reader(event -> tell(context, event), reply::tryComplete);
        return new HttpExchange.Body<>() {
            @Override
            public void take(Buffer piece) {
                frames.handle(piece);
            }

            @Override
            public Boolean end() {
                return true;
            }
        };
    }

    private static OwnerUnavailableException refused(HttpClientResponse response) {
        return new OwnerUnavailableException(
                response.statusCode() == RelayProtocol.GIVEN_UP,
                new ConnectException("status " + response.statusCode()));
    }

    private static void tell(CallContext context, BackendEvent event) {
        switch (event) {
            case BackendEvent.CallProgress(double done, Double total, String message) ->
                context.progress(done, total, message);
            case BackendEvent.Log log -> context.log(log.level(), log.logger() == null ? "" : log.logger(), log.data());
            case BackendEvent.ListChanged _,
                    BackendEvent.ResourcesUpdated _,
                    BackendEvent.DocumentsChanged _ -> {} // not of a call
        }
    }
}
