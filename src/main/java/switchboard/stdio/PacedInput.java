package switchboard.stdio;

import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.Deque;
import switchboard.async.Futures;

/**
 * Handles input in its order, on the connection's event loop, but none while too much output waits for its reader: a
 * client that sends many messages before it reads waits, and loses nothing. Who offers bounds how much waits here.
 */
final class PacedInput {
    private final LineWriter lines;
    private final LineSink sink;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean paused;

    /** Input whose answers go to {@code lines}, by {@code sink}. */
    PacedInput(LineWriter lines, LineSink sink) {
        this.lines = lines;
        this.sink = sink;
    }

    /** Handles {@code input} after everything that was offered before; on any thread. Returns whether Vert.x took it. */
    boolean offer(Runnable input) {
        return sink.executeIfOpen(() -> {
            waiting.add(input);
            if (!paused) {
                handle();
            }
        });
    }

    private void handle() {
        paused = false;
        while (!waiting.isEmpty() && !paused) {
            Future<Void> room = lines.room();
            if (room.isComplete()) {
                waiting.remove().run();
            } else {
                paused = true;
                Futures.finish(room, _ -> sink.executeIfOpen(this::handle), _ -> {});
            }
        }
    }
}
