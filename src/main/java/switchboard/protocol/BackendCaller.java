package switchboard.protocol;

import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.dispatch.CallOptions;
import switchboard.dispatch.PendingCall;

/** The way to the backends: {@code Dispatcher::send}, behind the guard of the audit log. */
@FunctionalInterface
public interface BackendCaller {
    /** Sends {@code request} to the backend {@code backendId}; never throws, and the reply never fails. */
    PendingCall send(String backendId, BackendRequest request, Caller caller, CallOptions options);
}
