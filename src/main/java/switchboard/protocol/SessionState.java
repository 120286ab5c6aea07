package switchboard.protocol;

import switchboard.call.SessionValues;

/** Values that a session keeps for its backends between calls. Thread-safe; removed with the session. */
public interface SessionState {
    /** The values for {@code backend}. */
    SessionValues of(String backend);

    /** Adds {@code values}; they replace those of the same names. */
    void keep(String backend, SessionValues values);
}
