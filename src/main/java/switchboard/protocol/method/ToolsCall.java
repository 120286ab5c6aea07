package switchboard.protocol.method;

import io.vertx.core.Future;
import switchboard.call.Arguments;
import switchboard.call.Caller;
import switchboard.call.RelayedReply;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcResult;

/**
 * {@code tools/call}, step by step: find, validate, decide, budget, task, dispatch, fit, answer. A step that refuses the call
 * throws a {@link ToolException}, which becomes a result with {@code isError}, because the caller can mend it. From dispatch on
 * it may be the work of a task, which goes on after the request was answered ({@link BeginTask}).
 */
final class ToolsCall implements MethodHandler {
    private final FindTool find;
    private final ValidateArguments arguments = new ValidateArguments();
    private final DecideAccess access;
    private final LeaseBudget budget;
    private final BeginTask tasks;
    private final InputRequiredFlow dispatch;
    private final FitAnswer fit;
    private final WriteAnswer answer;

    ToolsCall(ProtocolServices services, VisibleTools tools, InputRequiredFlow dispatch) {
        this.find = new FindTool(tools, services.redactor());
        this.access = new DecideAccess(services.policy());
        this.budget = new LeaseBudget(services.budget());
        this.dispatch = dispatch;
        this.fit = new FitAnswer(services);
        this.answer = new WriteAnswer(services);
        this.tasks = new BeginTask(services);
    }

    @Override
    public String method() {
        return "tools/call";
    }

    @Override
    public Future<RpcResult> handle(RpcCall call) {
        return find.find(call).compose(found -> switch (found) {
            case FindTool.Found.ToCall(RequestedTool tool) -> run(tool);
            case FindTool.Found.NothingToCall(RequestedTool callTool, ToolReply.Failed failure) ->
                Future.succeededFuture(answer.write(callTool, failure));
        });
    }

    private Future<RpcResult> run(RequestedTool tool) {
        try {
            Arguments valid = arguments.validate(tool);
            Caller caller = access.decide(tool, valid);
            return budget.begin(
                    tool,
                    () -> tasks.begin(tool, valid, work -> result(work, valid, caller)),
                    refusal -> refused(tool, refusal));
        } catch (ToolException refusal) {
            return refused(tool, refusal);
        }
    }

    private Future<RpcResult> refused(RequestedTool tool, ToolException refusal) {
        return Future.succeededFuture(answer.write(tool, refusal.failed()));
    }

    private Future<RpcResult> result(RequestedTool tool, Arguments valid, Caller caller) {
        return dispatch.call(tool, valid, caller)
                .compose(reply -> fit.fit(tool, valid, reply))
                .compose(reply -> reply instanceof RelayedReply.TaskBegun begun
                        ? relayed(tool, valid, caller, begun)
                        : Future.succeededFuture(answer.write(tool, reply)));
    }

    private Future<RpcResult> relayed(
            RequestedTool tool, Arguments valid, Caller caller, RelayedReply.TaskBegun begun) {
        return tasks.relayed(tool, valid, caller, begun)
                .recover(failure -> failure instanceof ToolException refusal
                        ? Future.succeededFuture(answer.write(tool, refusal.failed()))
                        : Future.failedFuture(failure));
    }
}
