package switchboard.config;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import switchboard.text.CidrBlock;

/** Checks that involve several keys. */
final class ConfigChecks {
    /** The reserved id of the backend with the federated tools. */
    private static final String FEDERATION = "switchboard";

    /** The embedder of this name always exists, even if it is not configured. */
    private static final String DEFAULT_EMBEDDER = "default";

    private static final Pattern ID = Pattern.compile("[a-z][a-z0-9_-]{0,30}");

    private final GatewayConfig config;
    private final RecordBinder binder;
    private final Problems problems;

    ConfigChecks(GatewayConfig config, RecordBinder binder, Problems problems) {
        this.config = config;
        this.binder = binder;
        this.problems = problems;
    }

    void run() {
        openOnlyToThisMachine();
        addresses();
        ports();
        console();
        tokens();
        cluster();
        config.backends().forEach(this::sharing);
        config.server().trustedProxies().forEach(this::block);
        config.backends().keySet().forEach(id -> legal("backends." + id, id));
        config.views().forEach((name, view) -> {
            String path = "views." + name;
            legal(path, name);
            if (config.backends().containsKey(name)) {
                report(path, "the backend " + name + " has the URL /mcp/" + name + " already; choose another name");
            }
            view.backends().stream()
                    .filter(id -> !config.backends().containsKey(id) && !id.equals(FEDERATION))
                    .forEach(id -> report(
                            path + ".backends",
                            "there is no backend \"" + id + "\""
                                    + UnknownNames.suggestion(
                                            id, config.backends().keySet())));
            view.resources().keySet().stream()
                    .filter(id -> !config.backends().containsKey(id) && !id.equals(FEDERATION))
                    .forEach(id -> report(
                            path + ".resources",
                            "there is no backend \"" + id + "\""
                                    + UnknownNames.suggestion(
                                            id, config.backends().keySet())));
        });
        config.search().sources().forEach(this::source);
        insight();
        if (config.limits().bodies().bytes() < 2 * config.server().maxBodySize().bytes()) {
            report("limits.bodies", "limits.bodies must be at least twice server.maxBodySize");
        }
        if (config.backends().isEmpty()) {
            report("backends", "there is no backend; without one there are no tools");
        }
    }

    private void cluster() {
        if (config.cluster() != null && config.server().stateKey() == null) {
            report(
                    "cluster",
                    "cluster needs server.stateKey, with the same value on each gateway: the others must accept what one"
                            + " has signed");
        }
    }

    private void sharing(String id, BackendConfig backend) {
        if (config.cluster() == null
                && backend.settings() instanceof SharesDocuments settings
                && settings.sharesDocuments()) {
            report(
                    "backends." + id + ".store",
                    "backends." + id
                            + ".store keeps documents in the database that gateways share; add the section cluster"
                            + " with its database, or set store: local");
        }
    }

    private void insight() {
        if (config.auth().mode() == AuthConfig.Mode.NONE) {
            config.insight().teams().keySet().stream()
                    .filter(team -> !team.equals(InsightConfig.EVERYBODY))
                    .forEach(team -> report(
                            "insight.teams." + team,
                            "there are no teams with auth.mode none; \"*\" stands for everybody who searches"));
        }
    }

    private void openOnlyToThisMachine() {
        String host = config.server().host();
        switch (config.auth().mode()) {
            case NONE -> {
                if (!isLoopback(host)) {
                    report(
                            "server.host",
                            "server.host " + host + " can be reached from other machines, and auth.mode none lets"
                                    + " everyone do everything; use 127.0.0.1, or put an authenticating proxy on this"
                                    + " machine before it, or set auth.mode keys");
                }
            }
            case KEYS -> {}
        }
    }

    private void console() {
        ConsoleConfig console = config.console();
        URI publicUrl = console.publicUrl();
        if (publicUrl != null && !plain(publicUrl)) {
            report(
                    "console.publicUrl",
                    "console.publicUrl must be of the form https://host[:port][/path], without a user, a query or a"
                            + " fragment");
        }
        if (console.openid() != null) {
            openid(console.openid());
        }
        if (config.consoleUse() == GatewayConfig.ConsoleUse.OFF || isLoopback(console.host())) {
            return;
        }
        if (config.auth().mode() == AuthConfig.Mode.NONE) {
            report(
                    "console.host",
                    "console.host " + console.host() + " can be reached from other machines, and auth.mode none lets"
                            + " everyone do everything; use 127.0.0.1, or set auth.mode keys");
        }
        if (publicUrl == null || !"https".equalsIgnoreCase(publicUrl.getScheme())) {
            report(
                    "console.publicUrl",
                    "console.host " + console.host() + " can be reached from other machines: put a proxy with HTTPS"
                            + " before the console, and set console.publicUrl to the https:// URL that people use");
        }
    }

    private void openid(OpenIdConfig openid) {
        String path = "console.openid";
        Map<String, IssuerConfig> issuers = config.auth().tokens().issuers();
        IssuerConfig issuer = issuers.get(openid.issuer());
        if (config.auth().mode() == AuthConfig.Mode.NONE) {
            report(path, "nobody signs in with auth.mode none: set auth.mode keys");
        }
        if (issuer == null) {
            report(
                    path + ".issuer",
                    path + ".issuer: there is no issuer \"" + openid.issuer() + "\" in auth.tokens.issuers"
                            + UnknownNames.suggestion(openid.issuer(), issuers.keySet()));
        } else if (!isSafe(issuer.issuer())) {
            report(
                    path + ".issuer",
                    path + ".issuer: " + issuer.issuer() + " must be an https:// URL, or http:// on this machine");
        }
    }

    /** Whether what goes to {@code url} can't be read on the way. */
    private static boolean isSafe(String url) {
        try {
            URI uri = new URI(url);
            return uri.getHost() != null
                    && ("https".equals(uri.getScheme())
                            || ("http".equals(uri.getScheme()) && isLoopback(uri.getHost())));
        } catch (URISyntaxException _) {
            return false;
        }
    }

    private void addresses() {
        URI publicUrl = config.server().publicUrl();
        if (publicUrl != null && !plain(publicUrl)) {
            report(
                    "server.publicUrl",
                    "server.publicUrl must be of the form https://host[:port][/path], without a user, a query or a"
                            + " fragment");
        }
        for (String origin : config.server().allowedOrigins()) {
            if (!isOrigin(origin)) {
                report(
                        "server.allowedOrigins",
                        "server.allowedOrigins: \"" + origin + "\" is not of the form https://host[:port]");
            }
        }
    }

    /** Two servers on one port would keep the gateway from starting. Port 0 is another free port for each. */
    private void ports() {
        List<ListenAddress> addresses = new ArrayList<>();
        addresses.add(new ListenAddress(
                "server.port", config.server().host(), config.server().port()));
        addresses.add(new ListenAddress(
                "management.port",
                config.management().host(),
                config.management().port()));
        if (config.consoleUse() == GatewayConfig.ConsoleUse.ON) {
            addresses.add(new ListenAddress(
                    "console.port", config.console().host(), config.console().port()));
        }
        for (ListenAddress second : addresses) {
            addresses.stream()
                    .takeWhile(first -> !first.equals(second))
                    .filter(second::collides)
                    .forEach(first -> report(
                            second.key(),
                            second.key() + " " + second.port() + " is that of " + first.key()
                                    + ", too; give each a port of its own, or 0 for any free one"));
        }
    }

    private record ListenAddress(String key, String host, int port) {
        private static final Set<String> ALL = Set.of("0.0.0.0", "::");

        boolean collides(ListenAddress other) {
            return port != 0
                    && port == other.port
                    && (host.equals(other.host) || ALL.contains(host) || ALL.contains(other.host));
        }
    }

    private static boolean isOrigin(String text) {
        try {
            URI url = URI.create(text);
            return plain(url) && Set.of("", "/").contains(url.getRawPath());
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static boolean plain(URI url) {
        return ("http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme()))
                && url.getHost() != null
                && url.getRawUserInfo() == null
                && url.getRawQuery() == null
                && url.getRawFragment() == null;
    }

    private void tokens() {
        TokensConfig tokens = config.auth().tokens();
        String path = "auth.tokens.issuers";
        tokens.issuers().keySet().forEach(name -> legal(path + "." + name, name));
        if (tokens.issuers().isEmpty()) {
            return;
        }
        if (config.auth().mode() == AuthConfig.Mode.NONE) {
            report(path, "tokens are only checked with auth.mode keys");
        }
        if (config.server().publicUrl() == null) {
            report(path, "tokens must be issued for this gateway: set server.publicUrl, the audience they have");
        }
        long identifiers = tokens.issuers().values().stream()
                .map(IssuerConfig::issuer)
                .distinct()
                .count();
        if (identifiers < tokens.issuers().size()) {
            report(path, "two of the issuers have the same identifier");
        }
    }

    /** Checks the key of a source. A declaration that matches nothing would be ignored silently. */
    private void source(String key, SearchConfig.SourceConfig source) {
        String path = "search.sources." + key;
        String backend = key.split(":", 2)[0];
        if (!config.backends().containsKey(backend)) {
            report(
                    path,
                    path + ": there is no backend \"" + backend + "\""
                            + UnknownNames.suggestion(backend, config.backends().keySet()));
        }
        BackendConfig declared = config.backends().get(backend);
        if (declared != null) {
            relayed(key, source, declared);
        }
        Set<String> embedders = new TreeSet<>(config.embedders().keySet());
        embedders.add(DEFAULT_EMBEDDER);
        String embedder = source.embedder();
        if (embedder != null && !embedders.contains(embedder)) {
            report(
                    path + ".embedder",
                    path + ".embedder: there is no embedder \"" + embedder + "\""
                            + UnknownNames.suggestion(embedder, embedders));
        }
    }

    /** Checks that a tool is declared for one source of a relayed server, and for nothing else. */
    private void relayed(String key, SearchConfig.SourceConfig source, BackendConfig backend) {
        String path = "search.sources." + key;
        boolean mcp = backend.type().equals(BackendConfig.MCP);
        boolean one = key.indexOf(':') >= 0;
        if (source.embedder() != null && backend.relays()) {
            report(
                    path + ".embedder",
                    path + ".embedder: a backend of the type " + backend.type() + " gives no vectors to compare");
        }
        if (source.tool() == null) {
            if (mcp && one) {
                report(path, path + ".tool is missing: a relayed server is searched by a tool that is declared");
            }
        } else if (!mcp) {
            report(
                    path + ".tool",
                    path + ".tool is for backends of the type " + BackendConfig.MCP + "; one of the type "
                            + backend.type() + " is searched without it");
        } else if (!one) {
            report(path + ".tool", path + ".tool is for one source: give it a name, as in \"" + key + ":documents\"");
        } else {
            SourceName.problem(key.substring(key.indexOf(':') + 1))
                    .ifPresent(problem -> report(path, path + ": " + problem));
        }
    }

    private void block(String text) {
        try {
            CidrBlock.parse(text);
        } catch (IllegalArgumentException e) {
            report("server.trustedProxies", String.valueOf(e.getMessage()));
        }
    }

    private void legal(String path, String id) {
        if (!ID.matcher(id).matches()) {
            report(path, "the name \"" + id + "\" must match " + ID.pattern());
        }
    }

    private void report(String path, String message) {
        problems.add(binder.location(path), message);
    }

    /**
     * Whether an address can be reached from this machine only. Names other than {@code localhost} are not resolved.
     */
    static boolean isLoopback(String host) {
        if (host.equals("localhost")) {
            return true;
        }
        try {
            return InetAddress.ofLiteral(host).isLoopbackAddress();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}
