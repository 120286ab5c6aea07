package switchboard.backend.mcp;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import switchboard.backend.mcp.peer.Link;
import switchboard.backend.mcp.peer.Program;
import switchboard.backend.mcp.peer.StdioLink;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/** A process for every attempt; that of a failed one is ended. */
final class ProgramLinks implements Links {
    private final String id;
    private final Vertx vertx;
    private final Program program;
    private final int maxLineBytes;
    private final UnaryOperator<String> scrub;
    private final Set<Link> running = ConcurrentHashMap.newKeySet();

    ProgramLinks(String id, Vertx vertx, Program program, int maxLineBytes, UnaryOperator<String> scrub) {
        this.id = id;
        this.vertx = vertx;
        this.program = program;
        this.maxLineBytes = maxLineBytes;
        this.scrub = scrub;
    }

    @Override
    public Link open() {
        try {
            Link link = StdioLink.start(id, vertx, program, maxLineBytes, scrub);
            running.add(link);
            return link;
        } catch (IOException e) {
            throw new ToolException(
                    FailureKind.UNAVAILABLE,
                    "its program can't be started: " + scrub.apply(String.valueOf(e.getMessage())));
        }
    }

    @Override
    public void discard(Link broken) {
        running.remove(broken);
        broken.close();
    }

    @Override
    public Future<Void> close() {
        return Future.join(running.stream().map(Link::close).toList()).mapEmpty();
    }
}
