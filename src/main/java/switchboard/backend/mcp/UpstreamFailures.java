package switchboard.backend.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.UnaryOperator;
import switchboard.backend.mcp.peer.RpcFailure;
import switchboard.call.CallContext;
import switchboard.call.EngineMessageSanitizer;
import switchboard.call.FailureKind;
import switchboard.call.RelayedReply;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/** Translates failures of a server for callers. */
record UpstreamFailures(String backend, UnaryOperator<String> scrub) {
    /** The reply to the call of {@code context} for {@code failure}. A defect is passed on unchanged. */
    ToolReply of(Throwable failure, CallContext context) {
        return switch (failure) {
            case RpcFailure error -> of(error);
            case ToolException e ->
                ConsentQuestion.of(e.failed(), context)
                        .<ToolReply>map(question -> question)
                        .orElse(e.failed());
            case RuntimeException defect -> throw defect;
            default -> throw new IllegalStateException("an unexpected failure", failure);
        };
    }

    private ToolReply of(RpcFailure error) {
        if (error.code() == RpcFailure.MISSING_CAPABILITY
                && error.data().path("requiredCapabilities") instanceof ObjectNode required) {
            return new RelayedReply.CapabilitiesMissing(required);
        }
        FailureKind kind =
                switch (error.code()) {
                    case RpcFailure.INVALID_PARAMS -> FailureKind.INVALID_ARGUMENT;
                    case RpcFailure.RESOURCE_NOT_FOUND -> FailureKind.NOT_FOUND;
                    default -> FailureKind.UNAVAILABLE;
                };
        return new ToolReply.Failed(
                        kind,
                        EngineMessageSanitizer.then(
                                backend + " answered with an error: " + scrub.apply(ToolDefinition.clean(error.text())),
                                kind == FailureKind.UNAVAILABLE
                                        ? EngineMessageSanitizer.LATER
                                        : "Check the arguments against the tool's description."))
                .withCode(Integer.toString(error.code()));
    }
}
