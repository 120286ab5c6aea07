package switchboard.dispatch;

import java.time.Duration;
import java.util.Optional;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;

/**
 * Calls that a backend makes to other backends while it answers a call, on behalf of the same requester. Only the
 * backend of the federated tools gets this. Thread-safe.
 */
public interface DelegatedCalls {
    /** The requester of the call {@code callId}; empty if it is not under way, or has none. */
    Optional<Requester> requester(String callId);

    /**
     * Sends {@code request} as a part of the call {@code callId}: in its trace, within its time limit, and cancelled
     * with it.
     *
     * @param caller the identity at the other backend; one with an {@linkplain Caller#inspector inspector} is not the
     *     requester, whose access token is not used then
     * @param timeout time limit of the answer
     * @return refused as {@code CANCELLED} if the call is not under way
     */
    PendingCall send(String callId, String backendId, BackendRequest request, Caller caller, Duration timeout);
}
