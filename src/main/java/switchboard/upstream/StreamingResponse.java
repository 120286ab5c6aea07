package switchboard.upstream;

import io.vertx.core.Future;

/**
 * A request whose answer is read while it arrives.
 *
 * @param end completes with its last byte; the body is empty if it was consumed; fails with {@code ToolException} only
 * @param cancel cancels it: the connection is closed or returned
 * @param count counts it as answered now, for the circuit breaker and metrics: the engine has shown that it works, and what
 *     follows takes as long as somebody else takes
 */
public record StreamingResponse(Future<UpstreamResponse> end, Runnable cancel, Runnable count) {}
