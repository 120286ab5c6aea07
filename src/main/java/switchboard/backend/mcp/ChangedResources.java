package switchboard.backend.mcp;

import io.vertx.core.Vertx;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The resources that a server announces as changed. They are passed on a moment later, each once. Thread-safe. */
final class ChangedResources {
    private static final long PAUSE_MS = 100;
    private static final int MOST = 1000;

    private final Vertx vertx;
    private final Supplier<Set<String>> watched;
    private final Consumer<Set<String>> listener;
    private Set<String> pending = new HashSet<>();
    private boolean tooMany;

    /** If there are too many, all that are {@code watched} count as changed. */
    ChangedResources(Vertx vertx, Supplier<Set<String>> watched, Consumer<Set<String>> listener) {
        this.vertx = vertx;
        this.watched = watched;
        this.listener = listener;
    }

    synchronized void add(String uri) {
        if (pending.isEmpty()) {
            vertx.setTimer(PAUSE_MS, _ -> listener.accept(taken()));
        }
        if (pending.size() < MOST) {
            pending.add(uri);
        } else {
            tooMany |= !pending.contains(uri);
        }
    }

    private synchronized Set<String> taken() {
        Set<String> taken = pending;
        if (tooMany) {
            taken.addAll(watched.get());
        }
        pending = new HashSet<>();
        tooMany = false;
        return Set.copyOf(taken);
    }
}
