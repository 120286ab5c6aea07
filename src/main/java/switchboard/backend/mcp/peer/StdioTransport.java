package switchboard.backend.mcp.peer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.Secrets;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.text.LineReader;
import switchboard.text.SurrogatePairs;

/**
 * A server on the standard input and output of its own process, with one message per line. Its standard error goes to
 * the log. Three virtual threads wait for the pipes; messages are handled one after the other on one context.
 *
 * <p>A message of the server belongs to the call that it names. Servers up to 2025-11-25 can't name a call in
 * questions and log messages. Such a message is assigned to the only call under way, or the only one that does not wait
 * for its client, but only while the process works
 * for one principal and no call of it was cancelled, because a server that is still busy with a cancelled call may ask
 * for that one. Everything else is refused or dropped.
 */
public final class StdioTransport implements Transport {
    private static final Logger LOG = LoggerFactory.getLogger(StdioTransport.class);
    private static final int MOST_WAITING = 1024;
    private static final int LONGEST_LOG_LINE = 2000;
    private static final long GRACE_MS = 2_000;
    private static final Consumer<ObjectNode> NOBODY = _ -> {};

    /** A request that waits for its answer; requests are kept in the order of sending. */
    private record PendingRequest(
            Promise<TransportReply> answer, Consumer<ObjectNode> related, Outgoing request, long timer) {}

    private final String backend;
    private final Vertx vertx;
    private final Context context;
    private final Process process;
    private final BlockingQueue<byte[]> outgoing = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Map<String, PendingRequest> waiting = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();
    private final Promise<Void> broken = Promise.promise();
    private final Promise<Void> doubtful = Promise.promise();
    private final boolean ofOnePrincipal;
    private volatile Consumer<ObjectNode> unrelated = NOBODY;

    private StdioTransport(String backend, Vertx vertx, Process process, boolean ofOnePrincipal) {
        this.backend = backend;
        this.ofOnePrincipal = ofOnePrincipal;
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.process = process;
    }

    /**
     * Starts {@code program}.
     *
     * @param maxLineBytes maximum size of a message
     * @param secrets removed from everything that it writes
     * @param ofOnePrincipal whether all calls on it are of the same principal
     * @throws IOException if it can't be started
     */
    public static StdioTransport start(
            String backend,
            Vertx vertx,
            StdioServerParameters program,
            int maxLineBytes,
            Secrets secrets,
            boolean ofOnePrincipal)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(program.command());
        builder.environment().clear();
        builder.environment().putAll(program.environment());
        if (program.folder() != null) {
            builder.directory(program.folder().toFile());
        }
        StdioTransport transport = new StdioTransport(backend, vertx, builder.start(), ofOnePrincipal);
        Process process = transport.process;
        Thread.ofVirtual()
                .name(backend + "-in")
                .start(() -> transport.read(process.getInputStream(), maxLineBytes, secrets));
        Thread.ofVirtual().name(backend + "-log").start(() -> transport.log(process.getErrorStream(), secrets));
        Thread.ofVirtual().name(backend + "-out").start(() -> transport.write(process.getOutputStream()));
        return transport;
    }

    @Override
    public Sent send(Outgoing request, Consumer<ObjectNode> related) {
        String id = request.message().path("id").asText();
        Promise<TransportReply> answer = Promise.promise();
        long timer = vertx.setTimer(
                Math.max(1, request.timeout().toMillis()),
                _ -> giveUp(id, FailureKind.TIMEOUT, backend + " did not answer in time"));
        PendingRequest entry = new PendingRequest(answer, related, request, timer);
        waiting.put(id, entry);
        if (broken.future().isComplete()) {
            fail(id, FailureKind.UNAVAILABLE, gone());
        } else if (!outgoing.offer(Json.bytes(request.message()))) {
            fail(id, FailureKind.OVERLOADED, backend + " does not read its input fast enough; wait, then try again");
        }
        return new Sent(
                answer.future(),
                () -> giveUp(id, FailureKind.CANCELLED, backend + " was not waited for: the call was cancelled"));
    }

    @Override
    public Future<Void> post(ObjectNode message, Map<String, String> headers) {
        return outgoing.offer(Json.bytes(message))
                ? Future.succeededFuture()
                : Future.failedFuture(
                        new ToolException(
                                FailureKind.OVERLOADED,
                                backend
                                        + " does not read its input fast enough. Try again in a moment, with fewer calls at once."));
    }

    @Override
    public Sent listen(Map<String, String> headers, Consumer<ObjectNode> listener, Runnable opened) {
        unrelated = listener;
        opened.run();
        return new Sent(
                broken.future().compose(_ -> Future.failedFuture(new ToolException(FailureKind.UNAVAILABLE, gone()))),
                () -> unrelated = NOBODY);
    }

    @Override
    public long nextId() {
        return ids.incrementAndGet();
    }

    @Override
    public boolean givingUpShows() {
        return false;
    }

    @Override
    public Future<Void> doubtful() {
        return doubtful.future();
    }

    @Override
    public Future<Void> broken() {
        return broken.future();
    }

    /**
     * Closes its input, which tells a server to end. If it does not, it is killed with the processes that it has
     * started. Completes when it has ended and all its messages are handled.
     */
    @Override
    public Future<Void> close() {
        if (!outgoing.offer(new byte[0])) {
            outgoing.clear();
            outgoing.offer(new byte[0]);
        }
        List<ProcessHandle> family = new CopyOnWriteArrayList<>();
        Thread.ofVirtual().start(() -> process.descendants().forEach(family::add));
        long term = vertx.setTimer(GRACE_MS, _ -> end(family, ProcessHandle::destroy));
        long kill = vertx.setTimer(2 * GRACE_MS, _ -> end(family, ProcessHandle::destroyForcibly));
        long last = vertx.setTimer(3 * GRACE_MS, _ -> broken.tryComplete());
        return broken.future().onComplete(_ -> {
            List.of(term, kill, last).forEach(vertx::cancelTimer);
            family.forEach(ProcessHandle::destroy);
        });
    }

    private void end(List<ProcessHandle> family, Consumer<ProcessHandle> how) {
        Thread.ofVirtual().start(() -> {
            process.descendants().forEach(family::add);
            how.accept(process.toHandle());
            family.forEach(how);
        });
    }

    private String gone() {
        return backend + " has ended" + (process.isAlive() ? "" : " with exit code " + process.exitValue());
    }

    private void write(OutputStream out) {
        try (out) {
            for (byte[] message = outgoing.take(); message.length > 0; message = outgoing.take()) {
                out.write(message);
                out.write('\n');
                if (outgoing.isEmpty()) {
                    out.flush();
                }
            }
        } catch (IOException e) {
            LOG.debug("{} no longer reads its input: {}", backend, e.getMessage());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(InputStream in, int maxLineBytes, Secrets secrets) {
        try {
            readAll(in, maxLineBytes, secrets);
        } catch (RejectedExecutionException ended) { // when Vert.x is closed, nothing waits for it
            process.destroy();
        }
    }

    private void readAll(InputStream in, int maxLineBytes, Secrets secrets) {
        LineReader lines = new LineReader(in, maxLineBytes);
        try {
            boolean more = true;
            while (more) {
                switch (lines.next()) {
                    case LineReader.ReadResult.TextLine(byte[] line) -> handle(line, secrets);
                    case LineReader.ReadResult.TooLong _ ->
                        throw new IOException("a line is longer than " + maxLineBytes + " bytes");
                    case LineReader.ReadResult.EndOfInput _ -> more = false;
                }
            }
        } catch (IOException e) {
            LOG.warn("{} is ended: {}", backend, e.getMessage());
        }
        process.destroy();
        outgoing.offer(new byte[0]); // The writer waits for nothing more.
        process.onExit()
                .orTimeout(GRACE_MS, TimeUnit.MILLISECONDS)
                .exceptionally(_ -> process.destroyForcibly())
                .join();
        context.runOnContext(_ -> {
            broken.tryComplete();
            List.copyOf(waiting.keySet()).forEach(id -> fail(id, FailureKind.UNAVAILABLE, gone()));
        });
    }

    /** Passes a line to the context and waits until it is handled, so that reading is not faster than handling. */
    private void handle(byte[] line, Secrets secrets) {
        ObjectNode message;
        try {
            if (!(Json.parseDeep(line) instanceof ObjectNode object)) {
                return;
            }
            message = MessageSanitizer.without(secrets, object);
        } catch (JsonProcessingException e) {
            LOG.warn("{} writes something to its standard output that is not a message; ignored", backend);
            return;
        }
        CompletableFuture<Void> handled = new CompletableFuture<>();
        context.runOnContext(_ -> {
            try {
                take(message);
            } finally {
                handled.complete(null);
            }
        });
        handled.join();
    }

    private void take(ObjectNode message) {
        if (!message.has("method")) {
            PendingRequest entry = remove(message.path("id").asText());
            if (entry != null) {
                entry.answer().tryComplete(new TransportReply(200, message, null));
            }
            return;
        }
        Consumer<ObjectNode> reader = reader(message);
        if (reader != null) {
            reader.accept(message);
        } else if (message.has("id")) {
            refuse(message);
        }
    }

    /** The receiver of a request or notification, or null for none. */
    private @Nullable Consumer<ObjectNode> reader(ObjectNode message) {
        JsonNode params = message.path("params");
        JsonNode named = params.has("progressToken")
                ? params.path("progressToken")
                : params.path("_meta").path("io.modelcontextprotocol/subscriptionId");
        if (!named.isMissingNode()) {
            PendingRequest entry = waiting.get(named.asText());
            return entry == null ? null : entry.related();
        }
        if (!message.has("id") && !message.path("method").asText().equals("notifications/message")) {
            return unrelated;
        }
        return ofOnePrincipal && !doubtful.future().isComplete()
                ? ServerRequests.asking(
                                waiting.values().stream()
                                        .filter(entry -> entry.request().ofCaller()),
                                entry -> entry.request().waits().getAsBoolean())
                        .map(PendingRequest::related)
                        .orElse(null)
                : null;
    }

    /** Refuses a request of the server that belongs to no call. */
    private void refuse(ObjectNode request) {
        ObjectNode answer = Json.object().put("jsonrpc", "2.0");
        answer.set("id", request.path("id"));
        if (request.path("method").asText().equals("ping")) {
            answer.putObject("result");
        } else {
            answer.putObject("error")
                    .put("code", RpcFailure.METHOD_NOT_FOUND)
                    .put(
                            "message",
                            "This does not belong to a single call that is under way, so no client can be asked.");
        }
        if (!outgoing.offer(Json.bytes(answer))) {
            LOG.debug("{} does not read the answer to its request", backend);
        }
    }

    private @Nullable PendingRequest remove(String id) {
        PendingRequest entry = waiting.remove(id);
        if (entry != null) {
            vertx.cancelTimer(entry.timer());
        }
        return entry;
    }

    /** Stops waiting for the answer to a request; the server may still be busy with it. */
    private void giveUp(String id, FailureKind kind, String message) {
        PendingRequest entry = waiting.get(id);
        if (entry != null && entry.request().ofCaller()) {
            doubtful.tryComplete(); // before the request is gone: from now on, no other one is taken for it
        }
        fail(id, kind, message);
    }

    private void fail(String id, FailureKind kind, String message) {
        PendingRequest entry = remove(id);
        if (entry != null) {
            ToolReply.Failed failed = new ToolReply.Failed(kind, message);
            entry.answer()
                    .tryFail(new ToolException(
                            entry.request().repeatable()
                                    ? failed
                                    : failed.withDetails(Json.object().put("outcome", "unknown"))));
        }
    }

    private void log(InputStream in, Secrets secrets) {
        LineReader lines = new LineReader(in, 1024 * 1024);
        try {
            boolean more = true;
            while (more) {
                switch (lines.next()) {
                    case LineReader.ReadResult.TextLine(byte[] line) -> {
                        String text = secrets.scrub(new String(line, StandardCharsets.UTF_8));
                        LOG.info("{}: {}", backend, SurrogatePairs.start(text, LONGEST_LOG_LINE));
                    }
                    case LineReader.ReadResult.TooLong _ -> LOG.info("{}: a line that is too long to show", backend);
                    case LineReader.ReadResult.EndOfInput _ -> more = false;
                }
            }
        } catch (IOException e) {
            LOG.debug("the standard error of {} can't be read any more: {}", backend, e.getMessage());
        }
    }
}
