package switchboard.backend.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.backend.mcp.peer.InternalCallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.upstream.UpstreamClient;
import switchboard.upstream.UpstreamRequest;
import switchboard.upstream.UpstreamResponse;

/**
 * Access tokens of an OAuth 2.1 authorization server for the gateway itself: by client credentials (RFC 6749, 4.4), or
 * token exchange (RFC 8693), bound to the server by its resource indicator (RFC 8707). A token is cached until shortly
 * before it expires. Thread-safe.
 */
final class OAuthTokens {
    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final Duration EARLY = Duration.ofSeconds(30);
    private static final Duration UNKNOWN = Duration.ofMinutes(5);

    private final UpstreamClient server;
    private final String path;
    private final McpSettings.OAuthSettings settings;
    private final URI resource;
    private final Clock clock;
    private @Nullable Future<AccessToken> kept;

    /** A token; {@code until} is when it must no longer be used. */
    private record AccessToken(String text, Instant until) {}

    /**
     * Tokens for {@code resource}.
     *
     * @param server the client of the authorization server
     * @param path of its token endpoint
     */
    OAuthTokens(UpstreamClient server, String path, McpSettings.OAuthSettings settings, URI resource, Clock clock) {
        this.server = server;
        this.path = path;
        this.settings = settings;
        this.resource = settings.resource() == null ? resource : settings.resource();
        this.clock = clock;
    }

    /** The authorization header; fails with {@code ToolException} if no token is available. */
    synchronized Future<Map<String, String>> header() {
        Future<AccessToken> current = kept;
        if (current == null || stale(current)) {
            current = ask();
            kept = current;
        }
        return current.map(token -> Map.of("Authorization", "Bearer " + token.text()));
    }

    private boolean stale(Future<AccessToken> held) {
        return held.isComplete()
                && (held.failed() || !clock.instant().isBefore(held.result().until()));
    }

    private Future<AccessToken> ask() {
        Map<String, String> form = new LinkedHashMap<>();
        if (settings.subjectToken() == null) {
            form.put("grant_type", "client_credentials");
        } else {
            form.put("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange");
            form.put("subject_token", settings.subjectToken().reveal());
            form.put("subject_token_type", "urn:ietf:params:oauth:token-type:access_token");
        }
        if (settings.scope() != null) {
            form.put("scope", settings.scope());
        }
        form.put("resource", resource.toString());
        String credentials = encoded(settings.clientId()) + ":"
                + encoded(settings.clientSecret().reveal());
        UpstreamRequest request = new UpstreamRequest(
                HttpMethod.POST,
                path,
                Buffer.buffer(form.entrySet().stream()
                        .map(field -> field.getKey() + "=" + encoded(field.getValue()))
                        .collect(Collectors.joining("&"))),
                Map.of(
                        "Content-Type",
                        "application/x-www-form-urlencoded",
                        "Accept",
                        "application/json",
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8))),
                true);
        return server.send(request, InternalCallContext.within(TIMEOUT)).map(this::token);
    }

    private AccessToken token(UpstreamResponse response) {
        JsonNode answer = response.claimsJson() ? response.json() : null;
        if (!response.success()
                || answer == null
                || !answer.path("access_token").isTextual()) {
            throw new ToolException(
                    FailureKind.DENIED_UPSTREAM,
                    "the authorization server gives the gateway no token (" + response.status()
                            + "); the operator has to check oauth");
        }
        Duration valid = answer.path("expires_in").isIntegralNumber()
                ? Duration.ofSeconds(answer.path("expires_in").asLong())
                : UNKNOWN;
        return new AccessToken(
                answer.path("access_token").asText(),
                clock.instant().plus(valid).minus(EARLY));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
