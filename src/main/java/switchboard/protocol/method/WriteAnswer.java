package switchboard.protocol.method;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.auth.Budget;
import switchboard.call.FailureKind;
import switchboard.call.GivenDocuments;
import switchboard.call.Json;
import switchboard.call.RelayedReply;
import switchboard.call.ToolReply;
import switchboard.protocol.OperationObserver;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.Redactor;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcException;
import switchboard.protocol.RpcResult;

/** Writes a tool's reply as the result of the request, in the client's protocol version. */
final class WriteAnswer {
    /** The error type for a tool of another server that reports a failure. */
    private static final String TOOL_ERROR = "tool_error";

    private static final Logger LOG = LoggerFactory.getLogger(WriteAnswer.class);
    private static final String STRUCTURED = "structuredContent";

    /** Where {@link GivenDocuments} are while private data is removed. */
    private static final String GIVEN = "given";

    private final Budget budget;
    private final OperationObserver observer;
    private final Redactor redactor;
    private final ToolResults results = new ToolResults();

    WriteAnswer(ProtocolServices services) {
        this.budget = services.budget();
        this.observer = services.observer();
        this.redactor = services.redactor();
    }

    /**
     * The result for {@code reply}; for one that is too large the failure that says so.
     *
     * @throws RpcException if the client lacks a capability and its protocol version has an error for that
     */
    RpcResult write(RequestedTool tool, ToolReply reply) {
        return switch (reply) {
            case ToolReply.Ok ok -> {
                tool.call().keep(tool.backend(), ok.kept());
                tell(tool, ok.structured(), ok.given());
                yield bounded(tool, results.ok(ok, tool.call().version()), ToolResults::twice);
            }
            case ToolReply.Failed failure -> new RpcResult.Tree(failed(tool, failure));
            case RelayedReply.RelayedResult relayed -> {
                if (relayed.failed()) {
                    tool.operation().failed(TOOL_ERROR);
                }
                if (!relayed.given().equals(GivenDocuments.NONE)) {
                    tell(tool, Json.object(), relayed.given());
                }
                // Whether another server's two forms have the same content is not known.
                ObjectNode result = results.relayed(relayed, tool.call().version());
                yield bounded(tool, ResourceNames.shown(tool.call().view(), tool.backend(), result), _ -> 0);
            }
            case RelayedReply.InputRequired need -> InputRequiredResults.questions(need);
            case RelayedReply.TaskBegun _ -> throw new IllegalStateException("a task is not an answer");
            case RelayedReply.CapabilitiesMissing missing -> {
                if (tool.call().version().modern()) {
                    throw InputRequiredResults.capabilitiesMissing(missing);
                }
                yield new RpcResult.Tree(failed(tool, unable(tool, missing)));
            }
        };
    }

    /** Tells the observer what the caller gets, without private data, unless the question is not the caller's own. */
    private void tell(RequestedTool tool, @Nullable ObjectNode structured, GivenDocuments given) {
        RpcCall call = tool.call();
        if (structured != null && call.operation().notes().areWanted()) {
            ObjectNode whole = Json.object().set(STRUCTURED, structured);
            if (!given.equals(GivenDocuments.NONE)) {
                whole.set(GIVEN, given.json());
            }
            Futures.finish(
                    redactor.result(call.principal(), whole),
                    seen -> {
                        if (seen.path(GIVEN) instanceof ObjectNode documents) {
                            call.operation().notes().given(documents);
                        }
                        observer.answered(
                                call.operation().answer(tool.descriptor().name(), tool.arguments(), (ObjectNode)
                                        seen.path(STRUCTURED)));
                    },
                    failed -> LOG.debug("an answer is not in the search log", failed));
        }
    }

    private RpcResult bounded(RequestedTool tool, ObjectNode result, ToIntFunction<ObjectNode> twice) {
        int most = tool.maxResultBytes(budget);
        return new RpcResult.SizeLimited(result, most, twice, bytes -> failed(tool, tooLarge(tool, bytes, most)));
    }

    private ObjectNode failed(RequestedTool tool, ToolReply.Failed failure) {
        tool.operation().failed(failure.kind().name());
        return results.failed(failure, tool.descriptor().answer().errorStyle());
    }

    private static ToolReply.Failed unable(RequestedTool tool, RelayedReply.CapabilitiesMissing missing) {
        List<String> names = new ArrayList<>();
        missing.required().fieldNames().forEachRemaining(names::add);
        return new ToolReply.Failed(
                FailureKind.UNAVAILABLE,
                tool.name() + " needs a client that offers " + String.join(" and ", names)
                        + ", which this one does not.");
    }

    private static ToolReply.Failed tooLarge(RequestedTool tool, int bytes, int limit) {
        return new ToolReply.Failed(
                        FailureKind.INVALID_ARGUMENT,
                        "The result has " + bytes + " bytes, more than the " + limit + " that " + tool.name()
                                + " may return. Ask for less: a smaller limit, fewer fields, or a narrower query.")
                .withDetails(Json.object().put("bytes", bytes).put("maxBytes", limit));
    }
}
