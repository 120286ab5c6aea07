package switchboard.app.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import switchboard.app.BackendTypes;
import switchboard.app.CommandRefusedException;
import switchboard.app.GatewayApp;
import switchboard.app.Installation;
import switchboard.call.BackendEvent;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest.Maintain;
import switchboard.call.Caller;
import switchboard.call.ToolReply;
import switchboard.config.GatewayConfig;
import switchboard.dispatch.CallOptions;
import switchboard.dispatch.PendingCall;

/**
 * Maintenance of embedded backends: through the gateway that serves the data folder, or in this process if there is
 * none.
 */
final class MaintenanceRunner {
    private static final Duration TIMEOUT = Duration.ofHours(12);

    @Mixin
    private final GatewayOptions options = new GatewayOptions();

    @Option(names = "--backend", paramLabel = "ID", description = "Backends to work on; by default all that keep data.")
    private List<String> chosen = List.of();

    /** Receives the result of each backend. */
    interface BackendAnswers {
        /** The backend {@code id} succeeded. */
        void done(String id, ObjectNode facts);

        /** The backend {@code id} failed. */
        void failed(String id, String why);

        /** Prints one line for each to {@code out}. */
        static BackendAnswers to(PrintWriter out, Function<ObjectNode, String> words) {
            return new BackendAnswers() {
                @Override
                public void done(String id, ObjectNode facts) {
                    out.println(id + ": " + words.apply(facts));
                }

                @Override
                public void failed(String id, String why) {
                    out.println(id + ": " + why);
                }
            };
        }
    }

    /**
     * Runs {@code chore} on each of the backends, one after the other.
     *
     * @param watched shows progress and cancels
     * @param answers receives the result of each backend
     * @return the exit code
     */
    int run(Function<String, Maintain.Chore> chore, Watched watched, BackendAnswers answers) {
        AtomicBoolean succeeded = new AtomicBoolean();
        within(app -> succeeded.set(run(app, chore, watched, answers)));
        return succeeded.get() ? 0 : CommandFailures.FAILED;
    }

    /** The same in {@code app}. Returns whether all backends succeeded. */
    boolean run(GatewayApp app, Function<String, Maintain.Chore> chore, Watched watched, BackendAnswers answers) {
        boolean succeeded = true;
        for (String id : ids(app)) {
            succeeded &= report(id, ask(app, id, chore.apply(id), watched), answers);
        }
        watched.progress().end();
        return succeeded;
    }

    /**
     * Progress and cancellation of a chore.
     *
     * @param progress shows how far it is
     * @param interruption cancels it
     */
    record Watched(Progress progress, InterruptHandler interruption) {}

    /**
     * Does {@code work} in a gateway without ports in this process. It relays to the owner of the data, if another
     * process owns it.
     */
    void within(Consumer<GatewayApp> work) {
        BackendTypes types = BackendTypes.shipped();
        try (GatewayApp app = GatewayApp.start(
                options.load(types, GatewayOptions.FOR_A_COMMAND), options.installation(), types, Clock.systemUTC())) {
            ShutdownSignals.before(app::close);
            work.accept(app);
        }
    }

    /** The folders of the installation. */
    Installation installation() {
        return options.installation();
    }

    /** The configuration, as a gateway would load it. */
    GatewayConfig config() {
        return options.load(BackendTypes.shipped());
    }

    private List<String> ids(GatewayApp app) {
        List<String> keepers = app.keepers();
        if (!keepers.containsAll(chosen)) {
            throw new CommandRefusedException(
                    "--backend " + chosen + ": the backends that keep data are " + keepers + ".");
        }
        return chosen.isEmpty() ? keepers : chosen;
    }

    private static boolean report(String id, BackendReply reply, BackendAnswers answers) {
        if (reply instanceof ToolReply.Ok ok && ok.structured() != null) {
            answers.done(id, ok.structured());
            return true;
        }
        answers.failed(id, reply instanceof ToolReply.Failed failed ? failed.message() : "unexpected reply");
        return false;
    }

    private static BackendReply ask(GatewayApp app, String id, Maintain.Chore chore, Watched watched) {
        PendingCall call = app.dispatcher()
                .send(
                        id,
                        new Maintain(chore),
                        Caller.unrestricted(),
                        CallOptions.withEvents(TIMEOUT, event -> tell(id, event, watched.progress()), null));
        return watched.interruption().waitFor(call::cancel, () -> call.reply().await());
    }

    private static void tell(String id, BackendEvent event, Progress progress) {
        if (event instanceof BackendEvent.CallProgress now) {
            progress.at(now.progress(), now.total() == null ? 0 : now.total(), id);
        }
    }
}
