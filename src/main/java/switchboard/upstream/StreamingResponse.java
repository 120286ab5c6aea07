package switchboard.upstream;

import io.vertx.core.Future;

/**
 * A request whose answer is read while it arrives.
 *
 * @param end completes with its last byte; the body is empty if it was consumed; fails with {@code ToolException} only
 * @param cancel cancels it: the connection is closed or returned
 */
public record StreamingResponse(Future<UpstreamResponse> end, Runnable cancel) {}
