package switchboard.fetch;

/** How {@code robots.txt} (RFC 9309) is treated. */
public enum RobotsPolicy {
    /** Ignored: a single page is fetched because somebody named it, as a browser does. */
    IGNORE,
    /** Obeyed: read before the first page of a site, and after each redirect to another site. */
    OBEY
}
