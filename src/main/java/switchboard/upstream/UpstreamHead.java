package switchboard.upstream;

import io.vertx.core.MultiMap;
import org.jspecify.annotations.Nullable;

/**
 * The head of an engine's answer.
 *
 * @param status the HTTP status
 * @param contentType the media type without parameters, in lower case, or null
 * @param headers all headers; must not be changed
 */
public record UpstreamHead(int status, @Nullable String contentType, MultiMap headers) {}
