package switchboard.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import switchboard.auth.Principal;
import switchboard.auth.Team;
import switchboard.auth.TeamDirectory;
import switchboard.call.Redaction;
import switchboard.concurrent.BlockingExecutor;
import switchboard.protocol.Redactor;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;

/**
 * Removes what the teams file says to remove from arguments and results. Long texts are searched on an executor.
 * Thread-safe.
 */
final class TeamRedactor implements Redactor {
    private final Supplier<TeamDirectory> teams;
    private final BlockingExecutor executor;

    TeamRedactor(Supplier<TeamDirectory> teams, BlockingExecutor executor) {
        this.teams = teams;
        this.executor = executor;
    }

    @Override
    public Future<ObjectNode> arguments(Principal principal, ObjectNode arguments) {
        return redact(principal, Team.Redactions::arguments, arguments, Redaction::tree);
    }

    @Override
    public Future<ObjectNode> result(Principal principal, ObjectNode result) {
        return redact(principal, Team.Redactions::results, result, RedactedRefs::result);
    }

    private Future<ObjectNode> redact(
            Principal principal,
            Function<Team.Redactions, Redaction> which,
            ObjectNode object,
            BiFunction<Redaction, ObjectNode, ObjectNode> redacted) {
        Redaction redaction = teams.get()
                .team(principal.team())
                .map(Team::redactions)
                .map(which)
                .orElse(Redaction.NOTHING);
        return redaction.none()
                ? Future.succeededFuture(object)
                : executor.run(principal.team(), () -> false, () -> redacted.apply(redaction, object))
                        .recover(busy -> Future.failedFuture(new RpcException(
                                RpcError.INTERNAL, "Too many calls wait for redaction. Try again in a moment.")));
    }
}
