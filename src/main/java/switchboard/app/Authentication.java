package switchboard.app;

import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Authenticator;
import switchboard.auth.DpopProofs;
import switchboard.auth.Grant;
import switchboard.auth.IssuerKeys;
import switchboard.auth.JwksSource;
import switchboard.auth.KeyAuthenticator;
import switchboard.auth.LimitedAuthenticator;
import switchboard.auth.OpenAuthenticator;
import switchboard.auth.ProtectedResource;
import switchboard.auth.PublicUrl;
import switchboard.auth.ScopeRules;
import switchboard.auth.TeamDirectory;
import switchboard.auth.TokenAuthenticator;
import switchboard.auth.TokenBinding;
import switchboard.auth.TokenIssuer;
import switchboard.backend.http.HttpSettings;
import switchboard.backend.mcp.McpSettings;
import switchboard.concurrent.BlockingExecutor;
import switchboard.config.AuthConfig;
import switchboard.config.GatewayConfig;
import switchboard.config.IssuerConfig;
import switchboard.config.TlsConfig;
import switchboard.config.TokensConfig;
import switchboard.federation.FederationBackend;
import switchboard.upstream.OAuthSettings;

/** Authentication as configured: keys, access tokens, or neither. */
public final class Authentication {
    /** Threads that read keys of issuers, and tokens that may wait for one: those with a key that is not known. */
    private static final int KEY_THREADS = 4;

    private static final int KEY_WAITING = 256;

    private final GatewayConfig config;
    private final ScopeRules scopes;
    private final Optional<ProtectedResource> resource;
    private final List<IssuerKeys> keys = new ArrayList<>();
    private @Nullable TokenAuthenticator tokenAuthenticator;

    /**
     * Makes the authentication of {@code config}. Reads no file yet.
     *
     * @throws BootException with every problem that was found
     */
    public Authentication(GatewayConfig config) {
        this.config = config;
        TokensConfig tokens = config.auth().tokens();
        this.scopes = scopes(tokens);
        this.resource = tokens.issuers().isEmpty()
                ? Optional.empty()
                : Optional.of(new ProtectedResource(
                        PublicUrl.of(
                                Objects.requireNonNull(config.server().publicUrl(), "checked with the configuration")),
                        tokens.issuers().values().stream()
                                .map(IssuerConfig::issuer)
                                .toList(),
                        tokens.baseScopes(),
                        binding(config)));
    }

    private static TokenBinding binding(GatewayConfig config) {
        TlsConfig tls = config.server().tls();
        return new TokenBinding(
                switch (config.auth().tokens().binding()) {
                    case OPTIONAL -> TokenBinding.Required.OPTIONAL;
                    case REQUIRED -> TokenBinding.Required.BOUND;
                    case DPOP -> TokenBinding.Required.DPOP;
                },
                tls != null && tls.clientAuthorities() != null);
    }

    /** Whether a backend calls its server as the callers, for which it needs their tokens. */
    private static boolean callsAsCallers(GatewayConfig config) {
        return config.backends().values().stream()
                .map(backend -> switch (backend.settings()) {
                    case McpSettings mcp -> mcp.oauth();
                    case HttpSettings http -> http.oauth();
                    default -> null;
                })
                .anyMatch(oauth -> oauth != null && oauth.as() == OAuthSettings.CalledAs.CALLER);
    }

    /** Whether callers can have access tokens. */
    static boolean acceptsTokens(GatewayConfig config) {
        return config.auth().mode() == AuthConfig.Mode.KEYS
                && !config.auth().tokens().issuers().isEmpty();
    }

    /** The grants that the scopes of access tokens give. */
    ScopeRules scopes() {
        return scopes;
    }

    /** The metadata of the gateway as an OAuth protected resource (RFC 9728); empty if no tokens are accepted. */
    Optional<ProtectedResource> resource() {
        return resource;
    }

    /** Authenticates callers against the teams that {@code teams} returns at the time of the request. */
    Authenticator authenticator(Vertx vertx, GatewayExecutors executors, Supplier<TeamDirectory> teams, Clock clock) {
        return switch (config.auth().mode()) {
            case NONE -> new OpenAuthenticator();
            case KEYS ->
                new LimitedAuthenticator(
                        new KeyAuthenticator(
                                teams,
                                config.auth().anonymous().team(),
                                resource.map(found ->
                                                tokenAuthenticator = tokens(vertx, executors, teams, found, clock))
                                        .orElse(null),
                                clock),
                        config.auth().failuresPerMinute(),
                        System::nanoTime);
        };
    }

    /** What checks tokens, once {@link #authenticator} was called; empty if none are accepted. */
    Optional<TokenAuthenticator> tokens() {
        return Optional.ofNullable(tokenAuthenticator);
    }

    /** Makes every caller a member of {@code team}, without a key. */
    static Authenticator members(String team, Supplier<TeamDirectory> teams, Clock clock) {
        return new KeyAuthenticator(teams, team, null, clock);
    }

    /** Loads the signing keys of token issuers again. */
    void refreshKeys() {
        keys.forEach(IssuerKeys::refresh);
    }

    /** The teams that issuers name but that do not exist, one message each. */
    public List<String> missingTeams(TeamDirectory teams) {
        List<String> problems = new ArrayList<>();
        config.auth().tokens().issuers().forEach((name, issuer) -> {
            List<String> named = new ArrayList<>(issuer.teams().values());
            if (issuer.team() != null) {
                named.add(issuer.team());
            }
            named.stream()
                    .filter(team -> teams.team(team).isEmpty())
                    .sorted()
                    .forEach(team -> problems.add("auth.tokens.issuers." + name + ": there is no team \"" + team
                            + "\" in " + config.auth().teamsFile().getFileName()));
        });
        return problems;
    }

    private TokenAuthenticator tokens(
            Vertx vertx,
            GatewayExecutors executors,
            Supplier<TeamDirectory> teams,
            ProtectedResource found,
            Clock clock) {
        BlockingExecutor executor = executors.open("issuer-keys", KEY_THREADS, KEY_WAITING);
        TokensConfig tokens = config.auth().tokens();
        List<TokenIssuer> issuers = new ArrayList<>();
        tokens.issuers().forEach((name, issuer) -> issuers.add(issuer(vertx, executor, name, issuer, clock)));
        return new TokenAuthenticator(
                teams,
                found,
                issuers,
                new TokenAuthenticator.Rules(tokens.algorithms(), tokens.clockSkew(), scopes, callsAsCallers(config)),
                new DpopProofs(vertx, clock, tokens.proofAge()),
                clock);
    }

    private TokenIssuer issuer(Vertx vertx, BlockingExecutor executor, String name, IssuerConfig issuer, Clock clock) {
        JwksSource source = issuer.jwks() == null
                ? JwksSource.file(Objects.requireNonNull(issuer.jwksFile(), "checked with the configuration"))
                : JwksSource.url(issuer.jwks());
        IssuerKeys read = new IssuerKeys(
                vertx,
                name,
                source,
                new IssuerKeys.Trust(config.auth().tokens().algorithms(), issuer.refresh(), issuer.outage()),
                executor,
                clock);
        keys.add(read);
        read.refresh();
        return new TokenIssuer(
                name,
                issuer.issuer(),
                read,
                issuer.audiences(),
                membership(issuer),
                issuer.scopeClaim(),
                issuer.carry());
    }

    private static TokenIssuer.Membership membership(IssuerConfig issuer) {
        @Nullable String team = issuer.team();
        return team == null
                ? new TokenIssuer.Membership.ByClaim(
                        Objects.requireNonNull(issuer.teamClaim(), "checked with the configuration"), issuer.teams())
                : new TokenIssuer.Membership.Fixed(team);
    }

    private ScopeRules scopes(TokensConfig tokens) {
        List<String> problems = new ArrayList<>();
        Map<String, List<Grant>> rules = new LinkedHashMap<>();
        tokens.scopes().forEach((scope, texts) -> {
            List<Grant> grants = new ArrayList<>();
            for (String text : texts) {
                try {
                    grants.add(known(Grant.parse(text), text));
                } catch (IllegalArgumentException e) {
                    problems.add("auth.tokens.scopes." + scope + ": " + e.getMessage());
                }
            }
            rules.put(scope, grants);
        });
        if (!problems.isEmpty()) {
            throw new BootException(BootException.Stage.CONFIGURATION, problems);
        }
        return new ScopeRules(rules);
    }

    private Grant known(Grant grant, String text) {
        if (!grant.backend().equals("*")
                && !grant.backend().equals(FederationBackend.ID)
                && !config.backends().containsKey(grant.backend())) {
            throw new IllegalArgumentException(
                    "grant \"" + text + "\": there is no backend \"" + grant.backend() + "\"");
        }
        return grant;
    }
}
