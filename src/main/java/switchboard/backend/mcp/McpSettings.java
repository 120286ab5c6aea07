package switchboard.backend.mcp;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.config.AllowedRange;
import switchboard.config.Default;
import switchboard.config.Doc;
import switchboard.config.Secret;
import switchboard.config.Size;
import switchboard.upstream.OAuthSettings;
import switchboard.upstream.UpstreamSettings;

/** Settings of a backend of the type {@code mcp}: the other server, and how far it is trusted. */
public record McpSettings(
        @Doc("The URL of its MCP endpoint (Streamable HTTP). Either this or `command`.") @Nullable
        URI url,

        @Doc("The program to start, with its arguments, for a server on standard input and output.")
        List<String> command,

        @Doc("How that program is run.") ProcessSettings process,

        @Doc("For `command`: who shares a process of the program. `principal`, the default: each caller (key,"
                + " or token's subject) has one of its own for each set of capabilities that its clients declare. `shared`: all callers have one; then a server up to"
                + " 2025-11-25 can ask clients nothing, because its requests don't say to which call they belong.")
        @Nullable
        Isolation isolation,

        @Default("auto")
        @Doc("Its protocol version: `auto` detects it; `modern` is 2026-07-28, `legacy` means earlier versions.")
        Era era,

        @Doc("Headers sent with every request, such as one with a key. Their values are secrets.")
        Map<String, Secret> headers,

        @Doc("Tokens of an authorization server, for the gateway or for each caller.") @Nullable
        OAuthSettings oauth,

        @Doc(
                "For `url`: the sessions of callers with a server up to 2025-11-25. One for each caller whose client can be asked,"
                        + " and what it declares; the other callers share one. With `oauth.as: caller` one for each caller's token.")
        SessionBounds sessions,

        @Doc("For servers up to 2025-11-25: calls that wait for answers of a client of 2026-07-28.")
        Questions questions,

        @Doc("How far the server is trusted.") Trust trust,

        @Default("2m") @AllowedRange(min = "1s", max = "1h") @Doc("How long a call of one of its tools may take.")
        Duration callTimeout,

        @Default("5m")
        @AllowedRange(min = "1s", max = "1d")
        @Doc("How often its lists are read again if it announces no changes.")
        Duration refresh,

        @Doc("Limits on what it may send.") ListLimits limits,

        @Doc("Timeouts, pool, breaker, TLS and proxy of the connections to `url`.")
        UpstreamSettings connection) {
    public McpSettings {
        command = List.copyOf(command);
        headers = Map.copyOf(headers);
        if ((url == null) == command.isEmpty()) {
            throw new IllegalArgumentException("needs either url or command");
        }
        if (url != null && isolation != null) {
            throw new IllegalArgumentException(
                    "isolation is for command; over a url, callers whose clients can be asked"
                            + " have sessions of their own (sessions)");
        }
    }

    /** Whether each caller has a process of its own. */
    boolean apart() {
        return isolation != Isolation.SHARED;
    }

    /** Which callers share a process. */
    public enum Isolation {
        PRINCIPAL,
        SHARED
    }

    /** The protocol versions of a server. */
    public enum Era {
        AUTO,
        MODERN,
        LEGACY
    }

    /** How a server's program is run. */
    public record ProcessSettings(
            @Doc("Its working folder; by default the gateway's.") @Nullable
            Path folder,

            @Doc("Variables of its environment.") Map<String, String> environment,

            @Doc("Further variables, whose values are secrets.")
            Map<String, Secret> secrets,

            @Doc("Names of variables that it inherits, besides PATH, HOME, LANG, TMPDIR and TZ.")
            List<String> inherit,

            @Default("16")
            @AllowedRange(min = "1", max = "1000")
            @Doc(
                    "With `isolation: principal`, the maximum number of processes for callers, besides one that lists are read"
                            + " from. If all are busy, a call answers `OVERLOADED`; otherwise the one that was idle longest is stopped"
                            + " to make room.")
            int most,

            @Default("10m")
            @AllowedRange(min = "1s", max = "1d")
            @Doc("With `isolation: principal`, how long a process is kept for a caller that makes no calls.")
            Duration idle) {
        public ProcessSettings {
            environment = Map.copyOf(environment);
            secrets = Map.copyOf(secrets);
            inherit = List.copyOf(inherit);
        }
    }

    /** How far a server's own descriptions are trusted. */
    public record Trust(
            @Default("false")
            @Doc("Whether a tool that calls itself read-only needs the verb `read` only. Otherwise, and without such a"
                    + " hint, a tool needs `create`, `update` and `delete` as well.")
            boolean hints,

            @Doc("Verbs of single tools: `<tool>: [read]`. They apply whatever `hints` is.")
            Map<String, List<String>> verbs,

            @Default("changes")
            @Doc("What is held back until `switchboard upstream approve`: `changes` of tools that were seen before,"
                    + " `all` tools that were not approved, or `nothing`.")
            Hold hold) {
        public Trust {
            verbs = Map.copyOf(verbs);
        }
    }

    /** Which tool definitions are held back until an operator approves them. */
    public enum Hold {
        CHANGES,
        ALL,
        NOTHING
    }

    /** How many sessions of callers there may be, and for how long. */
    public record SessionBounds(
            @Default("1000")
            @AllowedRange(min = "1", max = "100000")
            @Doc("Maximum number of sessions; one more ends another that is seldom used, after its calls.")
            int most,

            @Default("10m") @AllowedRange(min = "1s", max = "1d") @Doc("How long a session is kept without a call.")
            Duration idle) {}

    /** How many calls may wait for answers of clients, and for how long. */
    public record Questions(
            @Default("5m")
            @AllowedRange(min = "1s", max = "50m")
            @Doc(
                    "How long a call waits for the client's next request with answers; then it is cancelled at the server.")
            Duration timeout,

            @Default("16")
            @AllowedRange(min = "1", max = "1000")
            @Doc("Maximum number of waiting calls, and at most half of `connection.pool.size` or, for `command`, of"
                    + " `process.most`; one more ends the oldest of the caller who has most.")
            int most,

            @Default("4")
            @AllowedRange(min = "1", max = "1000")
            @Doc("Maximum number of waiting calls of one caller; one more ends the oldest.")
            int perCaller) {}

    /** Limits on what a server may send. */
    public record ListLimits(
            @Default("10000")
            @AllowedRange(min = "1", max = "100000")
            @Doc("Maximum number of tools; a longer list is refused.")
            int tools,

            @Default("500")
            @AllowedRange(min = "0", max = "10000")
            @Doc(
                    "Maximum number of resources that it is asked to announce changes of. If clients watch more, teams take"
                            + " turns. 0: it is asked for none.")
            int subscriptions,

            @Default("64KiB") @AllowedRange(min = "1KiB", max = "1MiB") @Doc("Maximum size of one tool's definition.")
            Size definition,

            @Default("1MiB") @AllowedRange(min = "1KiB", max = "64MiB") @Doc("Maximum size of a call's result.")
            Size result) {}
}
