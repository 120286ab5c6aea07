package switchboard.protocol.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.catalog.ArgumentValidator;
import switchboard.catalog.PublishedTool;
import switchboard.catalog.ToolSearch;
import switchboard.federation.CallToolArgs;
import switchboard.protocol.Redactor;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;

/**
 * Finds the tool that a request calls: the one with the requested name, or the one that the arguments of {@code
 * call_tool} name.
 */
final class FindTool {
    /** The result of the search. */
    sealed interface Found {
        /** The tool to call. */
        record ToCall(RequestedTool tool) implements Found {}

        /** {@code callTool} names a tool that does not exist for the caller. */
        record NothingToCall(RequestedTool callTool, ToolReply.Failed answer) implements Found {}
    }

    private final VisibleTools tools;
    private final Redactor redactor;

    FindTool(VisibleTools tools, Redactor redactor) {
        this.tools = tools;
        this.redactor = redactor;
    }

    /**
     * Finds the tool of {@code call}, and removes private data from its arguments.
     *
     * @throws RpcException if there is no tool with the requested name, or headers and arguments differ
     */
    Future<Found> find(RpcCall call) {
        PublishedTool tool = named(call, call.requiredText("name"));
        call.operation().tool(tool.name(), tool.backend());
        ObjectNode given = arguments(call);
        call.repeatingHeaders().ifPresent(message -> ParamHeaders.check(message, tool, given));
        return redactor.arguments(call.principal(), given)
                .map(arguments -> resolved(new RequestedTool(call, tool, arguments)));
    }

    private PublishedTool named(RpcCall call, String name) {
        VisibleTools.Match match = tools.find(call.principal(), call.view(), name);
        if (!(match instanceof VisibleTools.Match.SingleMatch)) {
            call.operation().unknownTool(name);
        }
        return switch (match) {
            case VisibleTools.Match.SingleMatch one -> one.tool();
            case VisibleTools.Match.MultipleMatches several ->
                throw new RpcException(
                        RpcError.INVALID_PARAMS,
                        "Several tools are called \"" + name + "\": " + String.join(", ", several.names())
                                + ". Call one of these.");
            case VisibleTools.Match.NoMatch nothing ->
                throw new RpcException(
                        RpcError.INVALID_PARAMS,
                        "Unknown tool \"" + name + "\"."
                                + nothing.nearest()
                                        .map(near -> " Did you mean \"" + near + "\"?")
                                        .orElse(" tools/list names those that exist."));
        };
    }

    private static ObjectNode arguments(RpcCall call) {
        JsonNode arguments = call.params().path("arguments");
        if (arguments.isMissingNode() || arguments.isNull()) {
            return Json.object();
        }
        if (arguments instanceof ObjectNode object) {
            return object;
        }
        throw new RpcException(RpcError.INVALID_PARAMS, "\"arguments\" must be an object.");
    }

    /** For {@code call_tool} the tool that it names, which is then called as if the request had named it. */
    private Found resolved(RequestedTool requested) {
        if (!ToolSearch.calls(requested.published())
                || !(requested.published().validator().check(requested.arguments())
                        instanceof ArgumentValidator.Validation.Valid valid)) {
            return new Found.ToCall(requested); // the next step says what is wrong with the arguments
        }
        RpcCall call = requested.call();
        CallToolArgs wanted = valid.arguments().bind(CallToolArgs.class);
        if (tools.find(call.principal(), call.view(), wanted.name()) instanceof VisibleTools.Match.SingleMatch one
                && !ToolSearch.calls(one.tool())) {
            call.operation().tool(one.tool().name(), one.tool().backend());
            return new Found.ToCall(new RequestedTool(call, one.tool(), wanted.arguments()));
        }
        call.operation().unknownTool(wanted.name());
        return new Found.NothingToCall(
                requested,
                ToolReply.failed(
                        FailureKind.NOT_FOUND,
                        "There is no tool \"" + wanted.name() + "\" to call. find_tools names those for a task."));
    }
}
