package switchboard.protocol;

import java.util.Optional;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.compose.Asker;
import switchboard.compose.Composer;
import switchboard.dispatch.CallOptions;
import switchboard.dispatch.PendingCall;

/**
 * The way to the backends, and to the tools that are made of several of them.
 *
 * @param backends the way to one
 * @param composer the tools
 */
public record ComposedOutbound(Outbound backends, Composer composer) implements Outbound {
    @Override
    public PendingCall send(String backendId, BackendRequest request, Caller caller, CallOptions options) {
        return backends.send(backendId, request, caller, options);
    }

    @Override
    public Optional<PendingCall> compose(ToolRequest request) {
        return request.tool().backend().equals(Composer.ID)
                ? Optional.of(composer.call(
                        request.tool().descriptor().name(),
                        request.arguments(),
                        new Asker(request.principal(), request.view(), request.options())))
                : Optional.empty();
    }

    @Override
    public PendingCall ask(OfferRequest request) {
        return request.backend().equals(Composer.ID)
                ? composer.prompts(request.request(), new Asker(request.principal(), request.view(), request.options()))
                : Outbound.super.ask(request);
    }
}
