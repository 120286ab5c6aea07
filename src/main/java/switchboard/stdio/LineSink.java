package switchboard.stdio;

import io.vertx.core.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import switchboard.protocol.EncodedJson;
import switchboard.protocol.ReplySink;

/** The reply sink of a stdio connection: every message is a line. Used on the connection's event loop only. */
final class LineSink implements ReplySink {
    private final Context loop;
    private final LineWriter lines;
    private final List<Runnable> onGone = new ArrayList<>(1);

    LineSink(Context loop, LineWriter lines) {
        this.loop = loop;
        this.lines = lines;
        lines.over()
                .onFailure(_ -> executeIfOpen(() -> {
                    onGone.forEach(Runnable::run);
                    onGone.clear();
                }));
    }

    @Override
    public void end(int status, Map<String, String> headers, EncodedJson json) {
        if (json.length() > 0) {
            event(json.bytes(), Urgency.KEEP);
        }
    }

    @Override
    public void open(Map<String, String> headers) {
        // The connection is open from the start.
    }

    @Override
    public void event(byte[] json, Urgency urgency) {
        byte[] line = json.clone();
        for (int i = 0; i < line.length; i++) {
            if (line[i] == '\n' || line[i] == '\r') {
                line[i] = ' '; // between two tokens; inside a string it is escaped
            }
        }
        lines.write(line, urgency);
    }

    @Override
    public void close() {
        // Only the end of the input ends the connection.
    }

    @Override
    public boolean closed() {
        return lines.closed();
    }

    @Override
    public void onGone(Runnable action) {
        if (lines.over().failed()) {
            action.run();
        } else {
            onGone.add(action);
        }
    }

    @Override
    public void execute(Runnable action) {
        loop.runOnContext(_ -> action.run());
    }

    /**
     * The same for threads of the connection's own, which may outlive Vert.x: nothing is run, and nothing is thrown, when
     * Vert.x is closed.
     *
     * @return whether Vert.x took the action
     */
    boolean executeIfOpen(Runnable action) {
        try {
            execute(action);
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }

    @Override
    public Runnable after(Duration delay, Runnable action) {
        long timer = loop.owner().setTimer(Math.max(1, delay.toMillis()), _ -> execute(action));
        return () -> loop.owner().cancelTimer(timer);
    }
}
