package switchboard.stdio;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.Semaphore;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.auth.AuthOutcome;
import switchboard.auth.Authenticator;
import switchboard.auth.Credentials;
import switchboard.auth.Principal;
import switchboard.protocol.Connection;
import switchboard.protocol.InboundMessage;
import switchboard.protocol.McpEndpoint;
import switchboard.text.LineReader;

/**
 * One client connected by two byte streams. Input is read on its own thread, not faster than it is answered; output is
 * written on another. Everything in between runs on one event loop.
 */
public final class StdioConnection {
    private static final Logger LOG = LoggerFactory.getLogger(StdioConnection.class);
    private static final Function<String, @Nullable String> NO_HEADERS = _ -> null;
    private static final byte[] NO_BODY = {};

    private final McpEndpoint endpoint;
    private final Authenticator callers;
    private final BiPredicate<Principal, String> views;
    private final StdioLimits limits;
    private final Context loop;
    private final String view;
    private final Credentials nothingShown;
    private final Semaphore room;
    private final Promise<Void> over = Promise.promise();

    /**
     * A connection to {@code endpoint}.
     *
     * @param view the view of the client, {@code ""} for the default view
     * @param callers authenticates the client, for every message
     * @param views whether a view of that name exists for a principal
     */
    public StdioConnection(
            Vertx vertx,
            McpEndpoint endpoint,
            String view,
            Authenticator callers,
            BiPredicate<Principal, String> views,
            StdioLimits limits) {
        this.endpoint = endpoint;
        this.view = view;
        this.nothingShown = new Credentials("", view, null, null);
        this.callers = callers;
        this.views = views;
        this.limits = limits;
        this.loop = vertx.getOrCreateContext();
        this.room = new Semaphore(limits.maxUnderWay());
    }

    /**
     * Serves until the input ends.
     *
     * @return completes when all messages are answered and written; fails with {@link AccessRefusedException} if the caller
     *     may not, or no longer, use the view, and with another exception if the reader disconnects early
     */
    public Future<Void> serve(InputStream in, OutputStream out) {
        LineWriter writer = new LineWriter(out, limits.maxPendingBytes());
        LineSink sink = new LineSink(loop, writer);
        writer.over().onComplete(over);
        Futures.finish(
                callers.authenticate(nothingShown),
                outcome -> {
                    switch (outcome) {
                        case AuthOutcome.Rejected refused -> refuse(refused.message() + " " + refused.fix());
                        case AuthOutcome.Authenticated(Principal principal)
                        when !views.test(principal, view) -> refuse("There is no view \"" + view + "\".");
                        case AuthOutcome.Authenticated(Principal principal) -> {
                            InboundMessage opening =
                                    new InboundMessage(view, InboundMessage.STDIO, principal, NO_HEADERS, NO_BODY);
                            Connection connection = endpoint.connect(opening, sink);
                            over.future().onFailure(_ -> sink.executeIfOpen(connection::lost));
                            PacedInput input = new PacedInput(writer, sink);
                            Thread.ofPlatform().name("stdin").daemon().start(() -> read(in, connection, input, writer));
                        }
                    }
                },
                over::tryFail);
        return over.future();
    }

    private void read(InputStream in, Connection connection, PacedInput input, LineWriter writer) {
        LineReader lines = new LineReader(in, limits.maxLineBytes());
        try {
            boolean more = true;
            while (more && !over.future().isComplete()) {
                switch (lines.next()) {
                    case LineReader.ReadResult.TextLine(byte[] message) -> {
                        room.acquire();
                        more = input.offer(() -> take(connection, message));
                    }
                    case LineReader.ReadResult.TooLong _ -> {
                        room.acquire();
                        more = input.offer(() -> {
                            room.release();
                            connection.refuse("The message is longer than " + limits.maxLineBytes()
                                    + " bytes. Send less at a time.");
                        });
                    }
                    case LineReader.ReadResult.EndOfInput _ -> more = false;
                }
            }
        } catch (IOException e) {
            LOG.warn("standard input can't be read any more: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        boolean open = input.offer(() -> connection.finish().onComplete(_ -> {
            connection.lost(); // before the writer's end, which tells the caller that all is over
            writer.finish();
        }));
        if (!open) {
            over.tryFail(new IOException("the gateway has stopped"));
            writer.finish();
        }
    }

    private void take(Connection connection, byte[] message) {
        Futures.finish(
                callers.authenticate(nothingShown),
                outcome -> {
                    switch (outcome) {
                        case AuthOutcome.Rejected refused -> {
                            room.release();
                            refuse(refused.message() + " " + refused.fix());
                        }
                        case AuthOutcome.Authenticated(Principal principal) ->
                            connection.take(principal, message).onComplete(_ -> room.release());
                    }
                },
                over::tryFail);
    }

    private void refuse(String why) {
        over.tryFail(new AccessRefusedException(why));
    }
}
