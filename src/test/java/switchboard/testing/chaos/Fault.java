package switchboard.testing.chaos;

/** What an engine may do wrong. */
public enum Fault {
    /** Its process is gone and its port is closed. */
    KILLED,
    /** It takes connections and requests and answers nothing. */
    HUNG,
    /** Each piece of a request waits for longer than callers do. */
    SLOW,
    /** It goes and comes back, several times a second. */
    FLAPPING,
    /** It answers what is no answer, not even of its protocol, or is cut. */
    WRONG
}
