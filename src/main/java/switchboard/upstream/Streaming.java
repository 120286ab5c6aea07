package switchboard.upstream;

import io.vertx.core.Future;

/**
 * A request whose answer is taken while it arrives.
 *
 * @param end completes with its last byte; the body is empty where it was taken; fails with {@code ToolException} only
 * @param cancel gives it up: the connection is closed or given back
 */
public record Streaming(Future<UpstreamResponse> end, Runnable cancel) {}
