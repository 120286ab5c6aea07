package switchboard.protocol;

import switchboard.call.SessionValues;

/** What a session keeps for its backends between calls. Thread-safe; gone with the session. */
public interface SessionState {
    /** What it keeps for {@code backend}. */
    SessionValues of(String backend);

    /** Keeps {@code values} too; they replace those of the same names. */
    void keep(String backend, SessionValues values);
}
