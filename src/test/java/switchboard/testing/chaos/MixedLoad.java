package switchboard.testing.chaos;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import switchboard.testing.GatewayProcess;
import switchboard.testing.McpTestClient;

/** Callers of all tools, some for each backend, until it is closed. Each backend has a pace of its own. */
public final class MixedLoad implements AutoCloseable {
    private final Tally tally;
    private final Map<String, Pace> paces = new LinkedHashMap<>();
    private final List<McpTestClient> clients = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<RuntimeException> broken = new ConcurrentLinkedQueue<>();
    private volatile boolean over;

    /** Starts {@code callers} for each backend of {@code gateway}, as fast as they can, and counts in {@code tally}. */
    public MixedLoad(Engines engines, GatewayProcess gateway, int callers, Tally tally) {
        this.tally = tally;
        new Scenes(engines).all().forEach((backend, scene) -> {
            Pace pace = new Pace();
            paces.put(backend, pace);
            McpTestClient client = engines.client(gateway);
            clients.add(client);
            for (int i = 0; i < callers; i++) {
                Cast cast = new Cast(client, backend, i, pace, tally);
                threads.add(Thread.ofVirtual().start(() -> play(scene, cast)));
            }
        });
    }

    private void play(Scene scene, Cast cast) {
        try {
            for (int turn = 0; !over; turn++) {
                scene.play(cast, turn);
            }
        } catch (RuntimeException e) {
            broken.add(e);
        }
    }

    /** Sets how many calls a second each backend gets, as {@code perSecond} says; all of them are in it. */
    public void pace(Map<String, Double> perSecond) {
        paces.forEach((backend, pace) -> pace.set(Objects.requireNonNull(perSecond.get(backend))));
    }

    /** The same number of calls a second for each. */
    public void pace(double perSecond) {
        paces.values().forEach(pace -> pace.set(perSecond));
    }

    /** Ends it once each caller has played its scene to the end. */
    @Override
    public void close() {
        over = true;
        pace(Double.POSITIVE_INFINITY);
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }
        clients.forEach(McpTestClient::close);
        if (!broken.isEmpty()) {
            throw new AssertionError("a scene could not be played", broken.peek());
        }
    }
}
