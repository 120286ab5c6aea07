package switchboard.relay;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.BackendCall;
import switchboard.call.BackendEvent;
import switchboard.call.BackendReply;
import switchboard.dispatch.CallOptions;
import switchboard.dispatch.ClientInteraction;
import switchboard.dispatch.PendingCall;
import switchboard.dispatch.StopReply;

/** A call of another process, from its request until its answer is sent or its connection is gone. */
final class IncomingCall {
    private static final Logger LOG = LoggerFactory.getLogger(IncomingCall.class);
    static final int MAX_CALL_BYTES = 64 * 1024 * 1024;
    private static final long MAX_REMAINING_MS = Duration.ofHours(12).toMillis();

    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final String backendId;
    private final RelayServer.Calls calls;
    private final Runnable ended;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile @Nullable PendingCall pending;

    /**
     * A call that is not read yet.
     *
     * @param backendId the backend that it is for
     * @param ended runs once, when nothing of it is left
     */
    IncomingCall(HttpServerRequest request, String backendId, RelayServer.Calls calls, Runnable ended) {
        this.request = request;
        this.response = request.response();
        this.backendId = backendId;
        this.calls = calls;
        this.ended = ended;
    }

    /** Reads the call from its request, has it carried out, and sends the answer. Call once, on the event loop of the request. */
    void take() {
        response.closeHandler(_ -> lost());
        response.exceptionHandler(_ -> lost());
        request.exceptionHandler(_ -> lost());
        Buffer body = Buffer.buffer();
        request.handler(part -> {
            if (body.length() + part.length() <= MAX_CALL_BYTES) {
                body.appendBuffer(part);
            } else {
                request.connection().close();
            }
        });
        request.endHandler(_ -> carryOut(body));
        if (request.headers().contains(HttpHeaders.EXPECT)) {
            response.writeContinue();
        }
    }

    private void lost() {
        PendingCall under = pending;
        if (under != null) {
            under.cancel();
        }
        end();
    }

    private void end() {
        if (over.compareAndSet(false, true)) {
            ended.run();
        }
    }

    private void carryOut(Buffer body) {
        BackendCall call;
        try {
            call = RelayProtocol.CALL.read(0, body);
        } catch (IllegalStateException | IndexOutOfBoundsException e) {
            LOG.warn("a call from another process can't be parsed: {}", e.toString());
            send(400, Buffer.buffer("it is of another version (" + e.getMessage() + ")"));
            return;
        }
        PendingCall sent = calls.send(
                backendId,
                call.request(),
                call.caller(),
                new CallOptions(
                                remaining(),
                                call.events().any() ? this::tell : null,
                                call.events().logLevel(),
                                call.traceparent(),
                                call.session(),
                                ClientInteraction.with(call.client()))
                        .patiently());
        pending = sent;
        if (over.get()) {
            sent.cancel();
        }
        Futures.finish(sent.reply(), this::answer, _ -> request.connection().close());
    }

    /** That this process stops, or is still starting, is no answer: the caller looks for the owner again. */
    private void answer(BackendReply reply) {
        if (StopReply.notBegun(reply, backendId)) {
            refuse(RelayProtocol.NOT_BEGUN);
        } else if (StopReply.givenUp(reply)) {
            refuse(RelayProtocol.GIVEN_UP);
        } else {
            send(200, RelayProtocol.frame(reply));
        }
    }

    private void refuse(int status) {
        if (response.headWritten()) {
            request.connection().close();
        } else {
            send(status, Buffer.buffer());
        }
    }

    private void send(int status, Buffer body) {
        if (response.closed()) {
            end();
            return;
        }
        if (!response.headWritten()) {
            response.setStatusCode(status);
        }
        Future<Void> written = response.end(body);
        written.onComplete(_ -> end());
    }

    private void tell(BackendEvent event) {
        // Progress is dropped if it is not read; only the reply matters.
        if (!response.ended() && !response.closed() && !response.writeQueueFull()) {
            if (!response.headWritten()) {
                response.setChunked(true);
            }
            response.write(RelayProtocol.frame(event));
        }
    }

    private Duration remaining() {
        long asked = Optional.ofNullable(request.getHeader(RelayProtocol.REMAINING))
                .filter(text -> text.matches("[0-9]{1,15}"))
                .map(Long::parseLong)
                .orElse(MAX_REMAINING_MS);
        return Duration.ofMillis(Math.clamp(asked, 1, MAX_REMAINING_MS));
    }
}
