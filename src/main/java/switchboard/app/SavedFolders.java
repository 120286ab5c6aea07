package switchboard.app;

import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import switchboard.auth.TeamBudgets;
import switchboard.config.GatewayConfig;
import switchboard.console.CountedUsage;
import switchboard.protocol.McpEndpoint;

/**
 * What a restarted gateway goes on with: in the folder {@code state} of the data folder legacy sessions, and what teams have
 * used of their limits; in the folder {@code usage} what the console shows of that time, if there is to be one.
 */
record SavedFolders(List<SavedState> states) {
    private static final Duration OFTEN = Duration.ofMillis(500);
    private static final Duration SELDOM = Duration.ofMinutes(1);

    SavedFolders {
        states = List.copyOf(states);
    }

    /** Those in the data folder {@code data}. */
    static SavedFolders of(
            GatewayConfig config,
            Path data,
            McpEndpoint endpoint,
            TeamBudgets budgets,
            LiveCalls calls,
            Platform platform) {
        List<SavedState> states = new ArrayList<>();
        Path state = data.resolve("state");
        states.add(new SavedState(
                state,
                "sessions and used limits",
                OFTEN,
                List.of(
                        new StateFile(
                                state.resolve("sessions.jsonl"), endpoint::saveSessions, endpoint::restoreSessions),
                        new StateFile(state.resolve("budgets.json"), budgets::save, budgets::restore)),
                platform.executor("state", 1),
                platform.clock()));
        if (config.consoleUse() != GatewayConfig.ConsoleUse.OFF) {
            Path usage = data.resolve("usage");
            CountedUsage counted = calls.usage().counted();
            states.add(new SavedState(
                    usage,
                    "usage",
                    SELDOM,
                    List.of(new StateFile(usage.resolve("usage.jsonl"), counted::save, counted::restore)),
                    platform.executor("usage-file", 1),
                    platform.clock()));
        }
        return new SavedFolders(states);
    }

    /** Takes over what an earlier process has saved. Blocks. */
    void restore() {
        states.forEach(SavedState::restore);
    }

    /** Saves from now on, until {@link #close}. */
    void watch(Vertx vertx) {
        states.forEach(state -> state.watch(vertx));
    }

    /** Saves for the last time, and lets another process do it. Does nothing without {@link #restore}. Blocks. */
    void close() {
        states.forEach(SavedState::close);
    }
}
