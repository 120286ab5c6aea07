package switchboard.dispatch;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;

/**
 * The backends that an operator has switched off, until they are switched on or, in a gateway by itself, the process ends. Applies to
 * later calls; those under way finish. Thread-safe.
 */
public final class DisabledBackends {
    private final Map<String, String> reasons = new ConcurrentHashMap<>();

    /** Switches the backend {@code id} off. A later reason replaces an earlier one; it may be empty. */
    public void off(String id, String reason) {
        reasons.put(id, reason);
    }

    /** Switches the backend {@code id} on again. */
    public void on(String id) {
        reasons.remove(id);
    }

    /** From now on these are off, by their ids and with the reasons, and no others. */
    public void replace(Map<String, String> all) {
        reasons.putAll(all);
        reasons.keySet().retainAll(all.keySet());
    }

    /** Why the backend {@code id} is switched off; empty when it is on. */
    public Optional<String> reason(String id) {
        return Optional.ofNullable(reasons.get(id));
    }

    /** The answer to a call of the backend {@code id} while it is off; empty if it is on. */
    Optional<ToolReply.Failed> refusal(String id) {
        return reason(id).map(reason -> new ToolReply.Failed(
                        FailureKind.UNAVAILABLE,
                        "The backend \"" + id + "\" is switched off by the operator"
                                + (reason.isEmpty() ? "" : " (" + reason + ")")
                                + ". Trying again does not help until it is switched on.")
                .withCode("switched_off"));
    }
}
