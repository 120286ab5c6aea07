package switchboard.backend.mcp;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import switchboard.backend.mcp.peer.DeclaredCapabilities;
import switchboard.backend.mcp.peer.StdioServerParameters;
import switchboard.backend.mcp.peer.StdioTransport;
import switchboard.backend.mcp.peer.Transport;
import switchboard.call.EngineMessageSanitizer;
import switchboard.call.FailureKind;
import switchboard.call.Secrets;
import switchboard.call.ToolException;
import switchboard.concurrent.TeamShare;

/** Starts a process for every attempt and, if callers are separated, for every principal. Thread-safe. */
final class ProcessTransportFactory implements TransportFactory {
    /**
     * How processes are started.
     *
     * @param program evaluated at each start, because secrets in its environment may have changed
     * @param apart whether each principal has a process of its own
     * @param bounds number and lifetime of processes
     * @param maxLineBytes maximum size of a message
     * @param secrets removed from everything that the process writes
     * @param share the part of the processes that one team may use
     */
    record ProcessSetup(
            Supplier<StdioServerParameters> program,
            boolean apart,
            McpSettings.ProcessSettings bounds,
            int maxLineBytes,
            Supplier<Secrets> secrets,
            TeamShare share) {}

    private final String id;
    private final Vertx vertx;
    private final ProcessSetup start;
    private final Set<Transport> serving = ConcurrentHashMap.newKeySet();
    private final Set<Transport> ending = ConcurrentHashMap.newKeySet();
    private boolean closed;

    ProcessTransportFactory(String id, Vertx vertx, ProcessSetup start) {
        this.id = id;
        this.vertx = vertx;
        this.start = start;
    }

    @Override
    public synchronized Transport open() {
        if (closed) {
            throw new ToolException(FailureKind.UNAVAILABLE, id + " is stopped. " + EngineMessageSanitizer.LATER);
        }
        try {
            Transport transport = StdioTransport.start(
                    id,
                    vertx,
                    start.program().get(),
                    start.maxLineBytes(),
                    start.secrets().get(),
                    start.apart());
            serving.add(transport);
            transport.broken().onComplete(_ -> serving.remove(transport));
            return transport;
        } catch (IOException e) {
            throw new ToolException(
                    FailureKind.UNAVAILABLE,
                    "its program can't be started: " + start.secrets().get().scrub(String.valueOf(e.getMessage())));
        }
    }

    /** A process that several callers share can ask none of them: its questions don't say to which call they belong. */
    @Override
    public DeclaredCapabilities listing() {
        return start.apart() ? DeclaredCapabilities.LISTING : DeclaredCapabilities.LISTING_UNASKED;
    }

    /** The number of processes, except those that are being stopped. */
    int serving() {
        return serving.size();
    }

    /** Stops a process; completes when it has ended. */
    Future<Void> end(Transport transport) {
        serving.remove(transport);
        ending.add(transport);
        return transport.close().onComplete(_ -> ending.remove(transport));
    }

    @Override
    public void discard(Transport broken) {
        end(broken);
    }

    @Override
    public UpstreamCalls calls(Upstream upstream) {
        return start.apart() ? new ProcessPool(id, vertx, this, upstream, start.bounds(), start.share()) : upstream;
    }

    @Override
    public Future<Void> close() {
        synchronized (this) {
            closed = true;
        }
        return Future.join(java.util.stream.Stream.of(List.copyOf(serving), List.copyOf(ending))
                        .flatMap(List::stream)
                        .map(Transport::close)
                        .toList())
                .mapEmpty();
    }
}
