package switchboard.federation;

import switchboard.call.Caller;
import switchboard.call.SearchableSource;

/**
 * A source that the asker may search.
 *
 * @param backend the id of its backend
 * @param caller as whom to search it
 * @param about what it is
 */
record SearchSource(String backend, Caller caller, SearchableSource about) {
    /** How callers name it. */
    String label() {
        return backend + ":" + about.name();
    }
}
