package switchboard.protocol;

import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.dispatch.CallOptions;
import switchboard.dispatch.PendingCall;

/** Sends requests to backends: {@code Dispatcher::send}, behind the check of the audit log. */
@FunctionalInterface
public interface BackendCaller {
    /** Sends {@code request} to the backend {@code backendId}; never throws, and the reply never fails. */
    PendingCall send(String backendId, BackendRequest request, Caller caller, CallOptions options);
}
