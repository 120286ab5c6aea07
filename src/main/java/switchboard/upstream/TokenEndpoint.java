package switchboard.upstream;

import com.fasterxml.jackson.core.JsonProcessingException;
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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.Lifetime;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.config.Size;

/**
 * The token endpoint of an authorization server (RFC 6749, 3.2), at which the gateway authenticates with its client id and
 * secret ({@code client_secret_basic}). Its answers are trusted to be tokens and nothing else: they are small, and no text of
 * them is passed on. Thread-safe.
 */
final class TokenEndpoint {
    /** The type of an access token (RFC 8693, 3). */
    static final String ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

    private static final Set<String> ISSUED_TYPES = Set.of("", ACCESS_TOKEN, "urn:ietf:params:oauth:token-type:jwt");
    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    /** Maximum time before its end that a token is no longer used; of a short one, half its life. */
    private static final Duration EARLY = Duration.ofSeconds(30);

    private static final Duration UNKNOWN = Duration.ofMinutes(5);
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final Size LARGEST_ANSWER = Size.parse("64KiB");
    /** The characters of a token in a header (RFC 6750, 2.1, and those that servers use besides), as many as servers accept. */
    private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]{1,16384}");

    private final String backend;
    private final OAuthSettings settings;
    private final UpstreamClient client;
    private final String path;
    private final Clock clock;

    /**
     * A token.
     *
     * @param text the token, without blanks
     * @param until when it must no longer be used
     */
    record AccessToken(String text, Instant until) {
        /** The same, not used after {@code end}. */
        AccessToken notAfter(Instant end) {
            return new AccessToken(text, Collections.min(List.of(until, end)));
        }

        /** Does not contain the token. */
        @Override
        public String toString() {
            return "AccessToken[until=" + until + "]";
        }
    }

    /** Makes the failure of an answer that is no token. */
    @FunctionalInterface
    interface RefusalReader {
        /**
         * The failure for an answer.
         *
         * @param status its HTTP status
         * @param answer its JSON, or a missing node
         */
        ToolReply.Failed read(int status, JsonNode answer);
    }

    TokenEndpoint(String backend, OAuthSettings settings, UpstreamSettings connection, UpstreamServices services) {
        URI url = settings.tokenUrl();
        this.backend = backend;
        this.settings = settings;
        this.path = (url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath())
                + (url.getRawQuery() == null ? "" : "?" + url.getRawQuery());
        this.client = UpstreamClient.create(
                backend + "-oauth",
                URI.create(url.getScheme() + "://" + url.getRawAuthority()),
                bounded(connection, url),
                Map.of(),
                services);
        this.clock = services.clock();
    }

    /** Without TLS, a proxy would read the tokens; what has no TLS is on this machine. */
    private static UpstreamSettings bounded(UpstreamSettings usual, URI url) {
        return new UpstreamSettings(
                usual.timeouts(),
                usual.pool(),
                Collections.min(List.of(usual.maxResponseSize(), LARGEST_ANSWER)),
                usual.retries(),
                usual.breaker(),
                usual.tls(),
                "https".equalsIgnoreCase(url.getScheme()) ? usual.proxy() : null);
    }

    /**
     * Asks for a token. The same request may be sent twice, so it is repeated if the server fails for a moment.
     *
     * @param form the parameters of the request
     * @return fails with {@link ToolException} only
     */
    Future<AccessToken> ask(Map<String, String> form, RefusalReader refusals) {
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
        Instant asked = clock.instant();
        return client.send(request, Lifetime.within(TIMEOUT))
                .transform(sent ->
                        sent.failed() ? Future.failedFuture(unavailable()) : token(sent.result(), asked, refusals));
    }

    private ToolException unavailable() {
        return new ToolException(
                FailureKind.UNAVAILABLE,
                "The authorization server that gives tokens for " + backend
                        + " does not answer as it should. Try again in a moment; if it stays so, ask the operator.");
    }

    private Future<AccessToken> token(UpstreamResponse response, Instant asked, RefusalReader refusals) {
        if (response.status() == 429 || response.status() >= 500) {
            return Future.failedFuture(unavailable());
        }
        JsonNode answer = json(response);
        String text = answer.path("access_token").isTextual()
                ? answer.path("access_token").asText()
                : "";
        boolean usable = response.success()
                && TOKEN.matcher(text).matches()
                && answer.path("token_type").asText("Bearer").equalsIgnoreCase("Bearer")
                && ISSUED_TYPES.contains(answer.path("issued_token_type").asText(""));
        return usable
                ? Future.succeededFuture(new AccessToken(text, asked.plus(life(answer.path("expires_in")))))
                : Future.failedFuture(new ToolException(refusals.read(response.status(), answer)));
    }

    private static JsonNode json(UpstreamResponse response) {
        try {
            return response.claimsJson()
                    ? Json.parse(response.body().getBytes())
                    : Json.object().path("");
        } catch (JsonProcessingException _) {
            return Json.object().path("");
        }
    }

    /** How long a token is used that is valid for {@code seconds}. */
    private static Duration life(JsonNode seconds) {
        Duration valid = seconds.isIntegralNumber()
                ? Duration.ofSeconds(Math.clamp(
                        seconds.canConvertToLong() ? seconds.asLong() : LONGEST.toSeconds(), 0, LONGEST.toSeconds()))
                : UNKNOWN;
        return valid.minus(Collections.min(List.of(EARLY, valid.dividedBy(2))));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
