package switchboard.backend.mcp;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import switchboard.backend.mcp.peer.Link;
import switchboard.backend.mcp.peer.Program;
import switchboard.backend.mcp.peer.StdioLink;
import switchboard.call.EngineMessageSanitizer;
import switchboard.call.FailureKind;
import switchboard.call.Secrets;
import switchboard.call.ToolException;
import switchboard.concurrent.TeamShare;

/** Starts a process for every attempt and, if callers are separated, for every principal. Thread-safe. */
final class ProcessLinkFactory implements LinkFactory {
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
            Supplier<Program> program,
            boolean apart,
            McpSettings.ProcessSettings bounds,
            int maxLineBytes,
            Supplier<Secrets> secrets,
            TeamShare share) {}

    private final String id;
    private final Vertx vertx;
    private final ProcessSetup start;
    private final Set<Link> serving = ConcurrentHashMap.newKeySet();
    private final Set<Link> ending = ConcurrentHashMap.newKeySet();
    private boolean closed;

    ProcessLinkFactory(String id, Vertx vertx, ProcessSetup start) {
        this.id = id;
        this.vertx = vertx;
        this.start = start;
    }

    @Override
    public synchronized Link open() {
        if (closed) {
            throw new ToolException(FailureKind.UNAVAILABLE, id + " is stopped. " + EngineMessageSanitizer.LATER);
        }
        try {
            Link link = StdioLink.start(
                    id,
                    vertx,
                    start.program().get(),
                    start.maxLineBytes(),
                    start.secrets().get(),
                    start.apart());
            serving.add(link);
            link.broken().onComplete(_ -> serving.remove(link));
            return link;
        } catch (IOException e) {
            throw new ToolException(
                    FailureKind.UNAVAILABLE,
                    "its program can't be started: " + start.secrets().get().scrub(String.valueOf(e.getMessage())));
        }
    }

    /** The number of processes, except those that are being stopped. */
    int serving() {
        return serving.size();
    }

    /** Stops a process; completes when it has ended. */
    Future<Void> end(Link link) {
        serving.remove(link);
        ending.add(link);
        return link.close().onComplete(_ -> ending.remove(link));
    }

    @Override
    public void discard(Link broken) {
        end(broken);
    }

    @Override
    public UpstreamCalls calls(Upstream upstream) {
        return start.apart() ? new Processes(id, vertx, this, upstream, start.bounds(), start.share()) : upstream;
    }

    @Override
    public Future<Void> close() {
        synchronized (this) {
            closed = true;
        }
        return Future.join(java.util.stream.Stream.of(List.copyOf(serving), List.copyOf(ending))
                        .flatMap(List::stream)
                        .map(Link::close)
                        .toList())
                .mapEmpty();
    }
}
