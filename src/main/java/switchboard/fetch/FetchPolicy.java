package switchboard.fetch;

/**
 * The rules of the operator for a fetcher.
 *
 * @param allowPrivate whether addresses outside the public Internet may be fetched, for trusted networks
 * @param robots how {@code robots.txt} is treated
 * @param userAgent the User-Agent, such as {@code switchboard/1.0}
 */
public record FetchPolicy(boolean allowPrivate, RobotsPolicy robots, String userAgent) {}
