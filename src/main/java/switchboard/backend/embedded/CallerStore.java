package switchboard.backend.embedded;

import switchboard.call.Caller;
import switchboard.store.DocumentStore;

/** The store of a backend as a caller sees it. */
@FunctionalInterface
public interface CallerStore {
    /**
     * What {@code caller} may read and change.
     *
     * @throws switchboard.call.ToolException {@code DENIED} if the caller lacks a claim that its team is bound to, {@code
     *     UNAVAILABLE} before the start and after the stop
     */
    DocumentStore of(Caller caller);

    /** What of {@code store} a caller may read and change. */
    static CallerStore on(DocumentStore store) {
        return caller -> store.seenBy(CallerAccess.of(caller));
    }
}
