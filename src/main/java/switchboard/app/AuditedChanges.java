package switchboard.app;

import io.vertx.core.Future;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.cluster.OperatorCommands.NotDecidedException;
import switchboard.concurrent.BlockingExecutor;
import switchboard.config.ConfigException;
import switchboard.config.Problem;
import switchboard.console.ChangeOutcome;
import switchboard.console.ConsoleEditor;

/**
 * Makes what operators change in the console, each with a line in the audit log.
 *
 * @param executor of one thread, so that one change follows the other
 */
record AuditedChanges(AuditRecorder audit, BlockingExecutor executor) {
    private static final ChangeOutcome NOT_AUDITED = new ChangeOutcome.Unchanged(
            ChangeOutcome.Problem.UNAVAILABLE,
            "Nothing is changed while the audit log can't be written. Try again later, or look at the gateway's log.");

    /**
     * Makes {@code change}.
     *
     * @param method what the audit log calls it
     * @param subject what it is about
     */
    Future<ChangeOutcome> make(ConsoleEditor editor, String method, String subject, Callable<ChangeOutcome> change) {
        if (!audit.ready()) {
            return Future.succeededFuture(NOT_AUDITED);
        }
        return executor.run(() -> known(change))
                .andThen(done -> audit.changed(editor, method, subject, true, word(done.result())));
    }

    /** Notes that {@code editor} may not do that. */
    void denied(ConsoleEditor editor, String method) {
        audit.changed(editor, method, "", false, "denied");
    }

    private static String word(@Nullable ChangeOutcome outcome) {
        return switch (outcome) {
            case ChangeOutcome.Changed _ -> "ok";
            case ChangeOutcome.Unchanged unchanged -> unchanged.reason().name().toLowerCase(Locale.ROOT);
            case null -> "internal";
        };
    }

    /** What {@code change} fails with, as far as it is foreseen. */
    private static ChangeOutcome known(Callable<ChangeOutcome> change) throws Exception {
        try {
            return change.call();
        } catch (TeamsFileException e) {
            return new ChangeOutcome.Unchanged(ChangeOutcome.Problem.CONFLICT, String.valueOf(e.getMessage()));
        } catch (ConfigException e) {
            return new ChangeOutcome.Unchanged(
                    ChangeOutcome.Problem.CONFLICT,
                    "The teams file can't be used: "
                            + e.problems().stream().map(Problem::toString).collect(Collectors.joining("; ")));
        } catch (NotDecidedException e) {
            return new ChangeOutcome.Unchanged(ChangeOutcome.Problem.UNAVAILABLE, String.valueOf(e.getMessage()));
        }
    }
}
