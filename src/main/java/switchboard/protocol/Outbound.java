package switchboard.protocol;

import java.util.Optional;
import switchboard.auth.Principal;
import switchboard.call.Arguments;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.catalog.PublishedTool;
import switchboard.catalog.View;
import switchboard.dispatch.CallOptions;
import switchboard.dispatch.PendingCall;

/** The way to the backends; {@code Dispatcher::send} where no tools are composed. */
@FunctionalInterface
public interface Outbound {
    /**
     * A call of a tool that was found permitted.
     *
     * @param tool which
     * @param arguments checked against its schema
     * @param principal who asks
     * @param view where the tool was found
     * @param options how long and who listens
     */
    record ToolRequest(PublishedTool tool, Arguments arguments, Principal principal, View view, CallOptions options) {}

    /**
     * A request about what a backend has besides tools.
     *
     * @param backend its id
     * @param request what is asked
     * @param caller as whom the backend is asked
     * @param principal who asks
     * @param view where
     * @param options how long
     */
    record OfferRequest(
            String backend,
            BackendRequest request,
            Caller caller,
            Principal principal,
            View view,
            CallOptions options) {}

    /** Sends {@code request} to the backend {@code backendId}; never throws, and the reply never fails. */
    PendingCall send(String backendId, BackendRequest request, Caller caller, CallOptions options);

    /** Calls a tool that is made of several backends, with the same promises; empty for any other. */
    default Optional<PendingCall> compose(ToolRequest request) {
        return Optional.empty();
    }

    /** Asks a backend for what it has besides tools, with the same promises. */
    default PendingCall ask(OfferRequest request) {
        return send(request.backend(), request.request(), request.caller(), request.options());
    }
}
