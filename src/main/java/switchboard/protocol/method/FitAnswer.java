package switchboard.protocol.method;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import switchboard.auth.Budget;
import switchboard.call.Arguments;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.catalog.AnswerArguments;
import switchboard.catalog.ToolDescriptor;
import switchboard.federation.AnswerFitter;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.Redactor;

/** Makes an answer fit its view, and the results of a search the size that the caller asked for and the maximum size. */
final class FitAnswer {
    private final OmitSignals signals = new OmitSignals();
    private final AnswerFitter fitter;
    private final Redactor redactor;
    private final Budget budget;

    FitAnswer(ProtocolServices services) {
        this.fitter = services.answers();
        this.redactor = services.redactor();
        this.budget = services.budget();
    }

    /** {@code whole} as its view shows it, with fewer or shorter results if it is too large. */
    Future<ToolReply> fit(RequestedTool tool, Arguments arguments, ToolReply whole) {
        ToolReply reply = signals.from(tool, whole);
        ToolDescriptor.RankedResults results = tool.descriptor().results();
        if (results == null || !(reply instanceof ToolReply.Ok ok) || ok.structured() == null) {
            return Future.succeededFuture(reply);
        }
        AnswerFitter.Bounds bounds = new AnswerFitter.Bounds(
                results.key(),
                results.query(arguments),
                tool.descriptor().outputSchema(),
                AnswerArguments.of(arguments),
                tool.maxResultBytes(budget));
        return fitter.concerns(ok, bounds) ? fit(tool, ok, bounds) : Future.succeededFuture(reply);
    }

    private Future<ToolReply> fit(RequestedTool tool, ToolReply.Ok ok, AnswerFitter.Bounds bounds) {
        var principal = tool.call().principal();
        // What the caller may not see must neither be counted nor change the length of what it may.
        return redactor.result(principal, Json.object().set("structuredContent", ok.structured()))
                .compose(seen -> fitter.fit(principal, ok, (ObjectNode) seen.path("structuredContent"), bounds))
                .recover(failure -> failure instanceof ToolException busy
                        ? Future.succeededFuture(busy.failed())
                        : Future.failedFuture(failure));
    }
}
