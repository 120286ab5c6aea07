package switchboard.protocol.method;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import switchboard.call.Arguments;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.catalog.ArgumentValidator;
import switchboard.telemetry.FinishedRequest.AccessDecision;

/** Validates the arguments with the tool's schema, and adds the defaults. */
final class ValidateArguments {
    /**
     * The arguments with defaults.
     *
     * @throws ToolException if they are not valid; it lists all problems
     */
    Arguments validate(RequestedTool tool) {
        tool.operation().arguments(tool.arguments());
        return switch (tool.published().validator().check(tool.arguments())) {
            case ArgumentValidator.Validation.Valid valid -> valid.arguments();
            case ArgumentValidator.Validation.Invalid invalid -> {
                tool.operation().decided(AccessDecision.INVALID);
                throw new ToolException(failure(tool.name(), invalid.problems()));
            }
        };
    }

    private static ToolReply.Failed failure(String tool, List<String> problems) {
        ObjectNode details = Json.object();
        problems.forEach(details.putArray("problems")::add);
        return new ToolReply.Failed(
                        FailureKind.INVALID_ARGUMENT,
                        "Invalid arguments for " + tool + ": " + String.join("; ", problems))
                .withDetails(details);
    }
}
