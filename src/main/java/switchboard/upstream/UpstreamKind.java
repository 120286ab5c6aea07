package switchboard.upstream;

import java.time.Duration;

/** The kinds of servers that are called. They differ in what a status says of the server, and in how long it is waited for. */
public enum UpstreamKind {
    /**
     * An engine with callers' queries. It returns 500 for single bad queries, so only 502 to 504 count as its failures:
     * one caller's query must not block the others.
     */
    ENGINE(502, 504, Duration.ofSeconds(2)),

    /**
     * A provider that gets the same kind of request from everybody, so each 5xx is its failure. It is waited for as long
     * as it asks and the work may take.
     */
    PROVIDER(500, 599, Duration.ofDays(1));

    private final int first;
    private final int last;
    private final Duration longestPause;

    UpstreamKind(int first, int last, Duration longestPause) {
        this.first = first;
        this.last = last;
        this.longestPause = longestPause;
    }

    /** Whether {@code status} is a failure of the server, which the circuit breaker counts. */
    boolean failing(int status) {
        return status >= first && status <= last;
    }

    /** Whether the request may succeed a little later. */
    boolean passing(int status) {
        return status == 429 || failing(status);
    }

    /** The longest pause before a retry. A longer one is not waited for but passed on to the caller. */
    Duration longestPause() {
        return longestPause;
    }
}
