package switchboard.fetch;

import java.time.Duration;

/**
 * Bounds of one fetch.
 *
 * @param maxBytes largest body, after decompression
 * @param timeout time for everything: resolution, redirects and body
 * @param maxRedirects how many redirects are followed
 */
public record FetchLimits(int maxBytes, Duration timeout, int maxRedirects) {
    public FetchLimits {
        if (maxBytes < 1 || timeout.toMillis() < 1 || maxRedirects < 0) {
            throw new IllegalArgumentException("fetch limits must be positive");
        }
    }
}
