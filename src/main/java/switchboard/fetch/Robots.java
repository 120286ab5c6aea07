package switchboard.fetch;

/** What a fetcher does about a site's {@code robots.txt} (RFC 9309). */
public enum Robots {
    /** It is not asked for: one page is fetched because somebody named it, as a browser does. */
    IGNORE,
    /** It is asked for before the first page of a site, and after each redirect to another one. */
    OBEY
}
