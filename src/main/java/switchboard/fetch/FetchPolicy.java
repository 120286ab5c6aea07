package switchboard.fetch;

/**
 * What the operator allows a fetcher to do.
 *
 * @param allowPrivate whether addresses outside the public Internet may be fetched, for trusted networks
 * @param robots how {@code robots.txt} is treated
 * @param userAgent the User-Agent, such as {@code switchboard/1.0}
 */
public record FetchPolicy(boolean allowPrivate, Robots robots, String userAgent) {}
