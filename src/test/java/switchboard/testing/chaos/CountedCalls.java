package switchboard.testing.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.ReplicaProcesses;

/** Calls of a team with a limit through all gateways in turns, and how many of them were let through. */
final class CountedCalls {
    private static final double A_SECOND = 6;
    private static final Duration LONG = Duration.ofMinutes(3);

    private final ReplicaProcesses replicas;
    private final String team;
    private final String view;
    private final String tool;
    private final AtomicInteger answered = new AtomicInteger();
    private AtomicBoolean ended = new AtomicBoolean();
    private @Nullable Thread thread;

    CountedCalls(ReplicaProcesses replicas, String team, String view, String tool) {
        this.replicas = replicas;
        this.team = team;
        this.view = view;
        this.tool = tool;
    }

    /** How many were let through. */
    int answered() {
        return answered.get();
    }

    void start() {
        AtomicBoolean end = new AtomicBoolean();
        ended = end;
        thread = Thread.ofVirtual().start(() -> call(end));
    }

    /** Ends them after the call that is under way. */
    void stop() {
        Thread running = thread;
        thread = null;
        ended.set(true);
        try {
            if (running != null && !running.join(LONG)) {
                throw new AssertionError("a call waits for ever");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private void call(AtomicBoolean end) {
        Pace pace = new Pace();
        pace.set(A_SECOND);
        List<McpTestClient> clients = new ArrayList<>();
        for (int index = 0; index < replicas.count(); index++) {
            clients.add(replicas.client(index, view, replicas.of(team)));
        }
        for (int turn = 0; !end.get(); turn++) {
            pace.await();
            try {
                if (!clients.get(turn % clients.size())
                        .call(tool, Json.object())
                        .isError()) {
                    answered.incrementAndGet();
                }
            } catch (AssertionError _) {
                // The gateway is gone, or the call was refused with a status.
            }
        }
        clients.forEach(McpTestClient::close);
    }
}
