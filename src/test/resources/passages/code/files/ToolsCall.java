package switchboard.protocol.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Budget;
import switchboard.call.Arguments;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.Relayed;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.catalog.AnswerArguments;
import switchboard.catalog.ArgumentValidator;
import switchboard.catalog.PublishedTool;
import switchboard.catalog.ToolSearch;
import switchboard.federation.AnswerFitter;
import switchboard.federation.CallToolArgs;
import switchboard.protocol.AuthorizationDecision;
import switchboard.protocol.Cancellation;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;
import switchboard.protocol.RpcResult;

/**
 * {@code tools/call}: finds the tool, checks the arguments and then the resources they name (so that defaults count as
 * named), sends the call, writes the reply. Everything that a caller can mend in its arguments is a result with {@code
 * isError}, never a protocol error.
 */
final class ToolsCall implements MethodHandler {
    /** The error type for a tool of another server that reports a failure. */
    private static final String TOOL_ERROR = "tool_error";

    private final ProtocolServices services;
    private final VisibleTools tools;
    private final InputRequiredFlow inputRequiredFlow;
    private final ToolResults results = new ToolResults();

    ToolsCall(ProtocolServices services, VisibleTools tools, InputRequiredFlow inputRequiredFlow) {
        this.services = services;
        this.tools = tools;
        this.inputRequiredFlow = inputRequiredFlow;
    }

    @Override
    public String method() {
        return "tools/call";
    }

    @Override
    public Future<RpcResult> handle(RpcCall call) {
        PublishedTool tool = find(call, call.requiredText("name"));
        call.operation().tool(tool.name());
        ObjectNode given = arguments(call);
        call.repeatingHeaders().ifPresent(inboundMessage -> ParamHeaders.check(inboundMessage, tool, given));
        return services.redactor()
                .arguments(call.principal(), given)
                .compose(arguments ->
                        ToolSearch.calls(tool) ? inner(call, tool, arguments) : answer(call, tool, arguments));
    }

    private Future<RpcResult> answer(RpcCall call, PublishedTool tool, ObjectNode arguments) {
        return reply(call, tool, arguments).map(reply -> {
            if (reply instanceof ToolReply.Ok ok) {
                call.keep(tool.backend(), ok.kept());
            }
            return result(call, tool, reply);
        });
    }

    /** {@code call_tool}: the tool it names, on the same way and in the same books as if it had been called itself. */
    private Future<RpcResult> inner(RpcCall call, PublishedTool outer, ObjectNode arguments) {
        if (outer.validator().check(arguments) instanceof ArgumentValidator.Validation.Valid valid) {
            CallToolArgs wanted = valid.arguments().bind(CallToolArgs.class);
            if (tools.find(call.principal(), call.view(), wanted.name()) instanceof VisibleTools.Match.One one
                    && !ToolSearch.calls(one.tool())) {
                call.operation().tool(one.tool().name());
                return answer(call, one.tool(), wanted.arguments());
            }
            call.operation().unknownTool(wanted.name());
            return Future.succeededFuture(result(
                    call,
                    outer,
                    ToolReply.failed(
                            FailureKind.NOT_FOUND,
                            "There is no tool \"" + wanted.name() + "\" to call. find_tools names those for a task.")));
        }
        return answer(call, outer, arguments); // says what is wrong with the arguments
    }

    private PublishedTool find(RpcCall call, String name) {
        VisibleTools.Match match = tools.find(call.principal(), call.view(), name);
        if (!(match instanceof VisibleTools.Match.One)) {
            call.operation().unknownTool(name);
        }
        return switch (match) {
            case VisibleTools.Match.One one -> one.tool();
            case VisibleTools.Match.Several several ->
                throw new RpcException(
                        RpcError.INVALID_PARAMS,
                        "Several tools are called \"" + name + "\": " + String.join(", ", several.names())
                                + ". Call one of these.");
            case VisibleTools.Match.Nothing nothing ->
                throw new RpcException(
                        RpcError.INVALID_PARAMS,
                        "Unknown tool \"" + name + "\"."
                                + nothing.nearest()
                                        .map(near -> " Did you mean \"" + near + "\"?")
                                        .orElse(" tools/list names those that exist."));
        };
    }

    private Future<ToolReply> reply(RpcCall call, PublishedTool tool, ObjectNode arguments) {
        call.operation().arguments(arguments);
        return switch (tool.validator().check(arguments)) {
            case ArgumentValidator.Validation.Invalid invalid -> {
                call.operation().decided(AuthorizationDecision.INVALID);
                yield Future.succeededFuture(invalid(tool, invalid.problems()));
            }
            case ArgumentValidator.Validation.Valid valid -> permitted(call, tool, valid.arguments());
        };
    }

    private Future<ToolReply> permitted(RpcCall call, PublishedTool tool, Arguments arguments) {
        List<String> resources = tool.descriptor().resources(arguments);
        call.operation().resources(resources);
        AccessPolicy.PolicyDecision decision = services.policy()
                .decide(
                        call.principal(),
                        call.view().bounds().of(tool.backend()),
                        tool.backend(),
                        tool.descriptor().verbs(),
                        resources);
        return switch (decision) {
            case AccessPolicy.PolicyDecision.Allowed allowed -> afford(call, tool, arguments, allowed.caller());
            case AccessPolicy.PolicyDecision.Denied denied -> {
                call.operation().decided(AuthorizationDecision.DENIED);
                yield Future.succeededFuture(ToolReply.failed(
                        FailureKind.DENIED,
                        "You may use " + tool.name() + ", but not on \"" + denied.resource()
                                + "\". Name something that your team was granted and that this view shows."));
            }
            case AccessPolicy.PolicyDecision.InsufficientScope insufficient -> {
                call.operation().decided(AuthorizationDecision.DENIED);
                throw InsufficientScope.of(insufficient);
            }
            case AccessPolicy.PolicyDecision.Invisible _ -> {
                call.operation().decided(AuthorizationDecision.DENIED);
                yield Future.succeededFuture(
                        ToolReply.failed(FailureKind.DENIED, "You may not use " + tool.name() + " any more."));
            }
        };
    }

    private Future<ToolReply> afford(RpcCall call, PublishedTool tool, Arguments arguments, Caller caller) {
        return switch (services.budget().begin(call.principal())) {
            case Budget.Start.Leased leased -> {
                call.operation().lease(leased.lease());
                yield send(call, tool, arguments, caller);
            }
            case Budget.Start.Exhausted exhausted -> {
                call.operation().limited(exhausted.limit().label());
                yield Future.succeededFuture(new ToolReply.Failed(
                                FailureKind.OVERLOADED,
                                "It is reached: " + exhausted.limit().text() + ". Try again in "
                                        + exhausted.retryAfterMs() + " ms.")
                        .withRetryAfterMs(exhausted.retryAfterMs()));
            }
        };
    }

    private Future<ToolReply> send(RpcCall call, PublishedTool tool, Arguments given, Caller caller) {
        Arguments arguments = tool.descriptor().own(given);
        return inputRequiredFlow
                .send(
                        call,
                        new InputRequiredFlow.Sending(
                                tool.backend(),
                                new BackendRequest.CallTool(tool.descriptor().name(), arguments),
                                caller,
                                tool.descriptor().timeout(),
                                tool.descriptor().readOnly() ? Cancellation.Work.READS : Cancellation.Work.CHANGES))
                .map(reply -> toolReply(tool, reply))
                .compose(reply -> fitting(call, tool, given, reply));
    }

    /** A search's answer within the caller's budget and the largest that is passed on. */
    private Future<ToolReply> fitting(RpcCall call, PublishedTool tool, Arguments given, ToolReply reply) {
        String results = tool.descriptor().results();
        if (results == null || !(reply instanceof ToolReply.Ok ok) || ok.structured() == null) {
            return Future.succeededFuture(reply);
        }
        AnswerFitter.Bounds bounds = new AnswerFitter.Bounds(
                results, tool.descriptor().outputSchema(), AnswerArguments.of(given), most(call, tool));
        if (!services.answers().concerns(ok, bounds)) {
            return Future.succeededFuture(reply);
        }
        // What the caller may not see must neither be counted nor change the length of what it may.
        return services.redactor()
                .result(call.principal(), Json.object().set("structuredContent", ok.structured()))
                .compose(seen -> services.answers()
                        .fit(call.principal(), ok, (ObjectNode) seen.path("structuredContent"), bounds))
                .recover(failure -> failure instanceof ToolException busy
                        ? Future.succeededFuture(busy.failed())
                        : Future.failedFuture(failure));
    }

    private static ToolReply toolReply(PublishedTool tool, BackendReply reply) {
        if (reply instanceof ToolReply toolReply) {
            return toolReply;
        }
        throw new IllegalStateException(tool.backend() + " answered a tool call with "
                + reply.getClass().getSimpleName());
    }

    private RpcResult result(RpcCall call, PublishedTool tool, ToolReply reply) {
        return switch (reply) {
            case ToolReply.Ok ok -> bounded(call, tool, results.ok(ok, call.version()), ToolResults::twice);
            case ToolReply.Failed failure -> new RpcResult.Tree(failed(call, tool, failure));
            case Relayed.RelayedResult relayed -> {
                if (relayed.failed()) {
                    call.operation().failed(TOOL_ERROR);
                }
                // Whether another server's two forms say the same is not known.
                yield bounded(call, tool, results.relayed(relayed, call.version()), _ -> 0);
            }
            case Relayed.InputRequired need -> InputRequiredFlow.result(need);
            case Relayed.CapabilitiesMissing missing -> {
                if (call.version().modern()) {
                    throw InputRequiredFlow.missing(missing);
                }
                yield new RpcResult.Tree(failed(call, tool, unable(tool, missing)));
            }
        };
    }

    private RpcResult bounded(RpcCall call, PublishedTool tool, ObjectNode result, ToIntFunction<ObjectNode> twice) {
        return new RpcResult.SizeLimited(
                result, most(call, tool), twice, bytes -> failed(call, tool, tooLarge(tool, bytes, most(call, tool))));
    }

    private static ToolReply.Failed unable(PublishedTool tool, Relayed.CapabilitiesMissing missing) {
        List<String> names = new ArrayList<>();
        missing.required().fieldNames().forEachRemaining(names::add);
        return new ToolReply.Failed(
                FailureKind.UNAVAILABLE,
                tool.name() + " needs a client that offers " + String.join(" and ", names)
                        + ", which this one does not.");
    }

    private ObjectNode failed(RpcCall call, PublishedTool tool, ToolReply.Failed failure) {
        call.operation().failed(failure.kind().name());
        return results.failed(failure, tool.descriptor().errorStyle());
    }

    private int most(RpcCall call, PublishedTool tool) {
        return Math.min(tool.descriptor().maxResultBytes(), services.budget().maxResultBytes(call.principal()));
    }

    private static ToolReply.Failed tooLarge(PublishedTool tool, int bytes, int limit) {
        return new ToolReply.Failed(
                        FailureKind.INVALID_ARGUMENT,
                        "The result has " + bytes + " bytes, more than the " + limit + " that " + tool.name()
                                + " may return. Ask for less: a smaller limit, fewer fields, or a narrower query.")
                .withDetails(Json.object().put("bytes", bytes).put("maxBytes", limit));
    }

    private static ToolReply.Failed invalid(PublishedTool tool, List<String> problems) {
        ObjectNode details = Json.object();
        problems.forEach(details.putArray("problems")::add);
        return new ToolReply.Failed(
                        FailureKind.INVALID_ARGUMENT,
                        "Invalid arguments for " + tool.name() + ": " + String.join("; ", problems))
                .withDetails(details);
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
}
