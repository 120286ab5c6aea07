package switchboard.federation;

import switchboard.call.Caller;
import switchboard.call.SearchableSource;

/**
 * A source that the caller may search.
 *
 * @param backend the id of its backend
 * @param caller the identity to search it with
 * @param about its description
 */
record SearchSource(String backend, Caller caller, SearchableSource about) {
    /** Its name for callers. */
    String label() {
        return backend + ":" + about.name();
    }
}
