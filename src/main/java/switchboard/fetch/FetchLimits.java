package switchboard.fetch;

import java.time.Duration;

/**
 * Limits of one fetch.
 *
 * @param maxBytes maximum size of the body after decompression
 * @param timeout time limit for everything: DNS, redirects and body
 * @param maxRedirects maximum number of redirects
 */
public record FetchLimits(int maxBytes, Duration timeout, int maxRedirects) {
    public FetchLimits {
        if (maxBytes < 1 || timeout.toMillis() < 1 || maxRedirects < 0) {
            throw new IllegalArgumentException("fetch limits must be positive");
        }
    }
}
