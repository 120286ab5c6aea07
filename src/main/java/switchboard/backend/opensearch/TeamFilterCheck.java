package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/** Tells a team's filter that an index can't apply from a mistake of the caller. The engine's words would quote the filter. */
record TeamFilterCheck(OpenSearchApi api) {
    /** Fails with {@code thrown}, or with {@code DENIED} if the filter {@code team} alone is refused for {@code index}. */
    <T> Future<T> explained(Throwable thrown, String index, Optional<ObjectNode> team, CallContext context) {
        boolean engineRefuses = refused(thrown);
        return engineRefuses && team.isPresent()
                ? api.search(index, new SearchBodies(List.of(team.get())).counting(), context)
                        .transform(alone -> Future.failedFuture(
                                alone.failed() && refused(alone.cause())
                                        ? new ToolException(
                                                FailureKind.DENIED,
                                                "The index \"" + index
                                                        + "\" is closed to your team: the filter that keeps the team to its own"
                                                        + " documents can't be applied to it. The operator has to correct the"
                                                        + " filter, or the fields that it names.")
                                        : thrown))
                : Future.failedFuture(thrown);
    }

    /** Refusals of the gateway itself have no code. */
    private static boolean refused(Throwable thrown) {
        return thrown instanceof ToolException failure
                && failure.failed().kind() == FailureKind.INVALID_ARGUMENT
                && failure.failed().code() != null;
    }
}
