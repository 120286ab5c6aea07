package switchboard.dispatch;

import java.time.Duration;
import java.util.Optional;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;

/**
 * Calls that a backend makes of other backends while it answers a call, in the name of whoever asked for that one. Only
 * the backend of the federated tools is given this. Thread-safe.
 */
public interface DelegatedCalls {
    /** Who asked for the call {@code callId}; empty when it is not under way, or nobody in particular asked for it. */
    Optional<Requester> requester(String callId);

    /**
     * Sends {@code request} as a part of the call {@code callId}: in its trace, for its time at most, and ended with it.
     *
     * @param caller as whom the backend is asked
     * @param timeout how long the answer is wanted for
     * @return refused as {@code CANCELLED} when the call is not under way
     */
    PendingCall send(String callId, String backendId, BackendRequest request, Caller caller, Duration timeout);
}
