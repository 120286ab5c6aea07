package switchboard.http;

import java.util.function.BiPredicate;
import switchboard.auth.Authenticator;
import switchboard.auth.Principal;
import switchboard.protocol.McpEndpoint;

/**
 * Whom the HTTP side asks. Shared by all verticle instances; everything in it is thread-safe.
 *
 * @param endpoint the protocol
 * @param authenticator finds out who calls
 * @param views whether a view of that name exists for a principal; {@code ""} is the default view
 */
public record HttpEntry(McpEndpoint endpoint, Authenticator authenticator, BiPredicate<Principal, String> views) {}
