package switchboard.backend.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import switchboard.backend.Backend;
import switchboard.backend.BackendModule;
import switchboard.backend.BackendServices;
import switchboard.backend.mcp.peer.StdioServerParameters;
import switchboard.backend.mcp.peer.StreamableHttpTransport;
import switchboard.config.Secret;
import switchboard.telemetry.GatewayMeters;
import switchboard.upstream.Authorization;
import switchboard.upstream.LiveSecrets;
import switchboard.upstream.OAuthSettings;
import switchboard.upstream.OAuthTokens;
import switchboard.upstream.UpstreamClient;

/** The backend type {@code mcp}: another MCP server. */
public final class McpModule implements BackendModule<McpSettings> {
    /** The environment variables of the gateway that every program gets. */
    private static final List<String> INHERITED = List.of("PATH", "HOME", "LANG", "TMPDIR", "TZ");

    /** How many lists may wait to be checked. There are few kinds, and each is read one at a time. */
    private static final int MOST_WAITING = 16;

    @Override
    public String type() {
        return "mcp";
    }

    @Override
    public Class<McpSettings> settingsType() {
        return McpSettings.class;
    }

    @Override
    public Backend create(String id, McpSettings settings, BackendServices services) {
        LiveApprovals approvals = new LiveApprovals(id, new ApprovalFile(services.dataDir(), id), services.approvals());
        GatewayMeters.filesOutdated(services.meters(), "approvals of " + id, approvals::failed);
        McpBackend.Dependencies parts = new McpBackend.Dependencies(
                id,
                settings,
                services.vertx(),
                services.listChanges(id),
                approvals,
                services.executor(id + "-lists", 1, MOST_WAITING),
                services.sources());
        return settings.url() == null ? program(parts, services) : server(parts, settings.url(), services);
    }

    private static Backend program(McpBackend.Dependencies parts, BackendServices services) {
        McpSettings settings = parts.settings();
        if (!settings.headers().isEmpty() || settings.oauth() != null) {
            throw new IllegalArgumentException("headers and oauth are for url; a program has process.secrets");
        }
        LiveSecrets secrets = new LiveSecrets(settings.process().secrets().values());
        int maxLine = settings.connection().maxResponseSize().toInt();
        ProcessTransportFactory.ProcessSetup start = new ProcessTransportFactory.ProcessSetup(
                () -> program(settings),
                settings.apart(),
                settings.process(),
                maxLine,
                secrets::current,
                services.share());
        return new McpBackend(
                parts,
                new ProcessTransportFactory(parts.id(), services.vertx(), start),
                new UpstreamFailures(parts.id(), text -> secrets.current().scrub(text)),
                services.share());
    }

    private static StdioServerParameters program(McpSettings settings) {
        Map<String, String> environment = new LinkedHashMap<>();
        List<String> inherited = new ArrayList<>(INHERITED);
        inherited.addAll(settings.process().inherit());
        System.getenv().forEach((name, value) -> {
            if (inherited.contains(name)) {
                environment.put(name, value);
            }
        });
        environment.putAll(settings.process().environment());
        settings.process().secrets().forEach((name, value) -> environment.put(name, value.reveal()));
        return new StdioServerParameters(settings.command(), settings.process().folder(), environment);
    }

    private static Backend server(McpBackend.Dependencies parts, URI url, BackendServices services) {
        McpSettings settings = parts.settings();
        URI base = URI.create(url.getScheme() + "://" + url.getRawAuthority());
        UpstreamClient client = UpstreamClient.withSecrets(
                parts.id(), base, settings.connection(), settings.headers(), services.upstream());
        OAuthSettings oauth = settings.oauth();
        Optional<OAuthTokens> tokens = Optional.ofNullable(oauth)
                .map(given -> new OAuthTokens(
                        parts.id(), given, url, settings.connection(), services.upstream(), services.callerTokens()));
        StreamableHttpTransport transport = new StreamableHttpTransport(
                client,
                services.vertx(),
                parts.id(),
                path(url),
                settings.connection().maxResponseSize().toInt(),
                tokens.filter(found -> !found.asCallers() || !authorized(settings))
                        .map(OAuthTokens::gateway)
                        .orElse(Authorization.NONE),
                new LiveSecrets(secrets(settings))::current);
        Function<Upstream, UpstreamCalls> callers = tokens.filter(OAuthTokens::asCallers)
                .<Function<Upstream, UpstreamCalls>>map(found ->
                        upstream -> new CallerSessions(found, transport::as, sessions(parts, upstream, _ -> {})))
                .orElse(upstream -> new CapabilitySessions(sessions(parts, upstream, upstream::announced)));
        return new McpBackend(
                parts,
                new HttpTransportFactory(transport, callers),
                new UpstreamFailures(parts.id(), client::scrub),
                services.share());
    }

    private static PeerSessions sessions(
            McpBackend.Dependencies parts, Upstream upstream, Consumer<ObjectNode> notifications) {
        return new PeerSessions(
                parts.id(), parts.vertx(), upstream, parts.settings().sessions(), notifications);
    }

    /** Whether {@code headers} have a fixed secret for the gateway's own requests. */
    private static boolean authorized(McpSettings settings) {
        return settings.headers().keySet().stream().anyMatch("Authorization"::equalsIgnoreCase);
    }

    /** The secrets that a server must not return: what the gateway sends, and what it has for this server. */
    private static List<Secret> secrets(McpSettings settings) {
        List<Secret> all = new ArrayList<>(settings.headers().values());
        OAuthSettings oauth = settings.oauth();
        if (oauth != null) {
            all.add(oauth.clientSecret());
            if (oauth.subjectToken() != null) {
                all.add(oauth.subjectToken());
            }
        }
        return all;
    }

    private static String path(URI url) {
        String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        return url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
    }
}
