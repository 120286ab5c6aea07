package switchboard.fetch;

/**
 * What the operator lets a fetcher do.
 *
 * @param allowPrivate whether addresses that are not of the public Internet may be reached: for trusted networks
 * @param robots what it does about a site's {@code robots.txt}
 * @param userAgent how requests introduce themselves, such as {@code switchboard/1.0}
 */
public record FetchPolicy(boolean allowPrivate, Robots robots, String userAgent) {}
