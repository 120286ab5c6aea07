package switchboard.app;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Grant;
import switchboard.auth.Team;
import switchboard.auth.TeamDirectory;
import switchboard.auth.TeamLimits;
import switchboard.call.Binding;
import switchboard.call.Claim;
import switchboard.call.Redaction;
import switchboard.catalog.ToolCatalog;
import switchboard.config.ConfigException;
import switchboard.config.ConfigLoader;
import switchboard.config.GatewayConfig;
import switchboard.config.Size;
import switchboard.config.TeamConfig;
import switchboard.config.TeamKeyConfig;
import switchboard.config.TeamLimitsConfig;
import switchboard.federation.FederationBackend;

/**
 * The teams as of the last valid version of the teams file. {@link #reload} replaces all of them or none. {@link
 * #current} may be called from any thread.
 */
public final class LiveTeams {
    /** The name of the default view in the teams file. Its own name is empty. */
    private static final String DEFAULT_VIEW = "default";

    private final Path file;
    private final Set<String> backends;
    private final Set<String> unbound;
    private volatile Set<String> configuredViews;
    private TeamDirectory read = TeamDirectory.EMPTY;
    private Map<String, TeamConfig> written = Map.of();
    private Set<String> revoked = Set.of();
    private volatile TeamDirectory current = TeamDirectory.EMPTY;

    /** Teams of the file that {@code config} names; none until the first {@link #reload}. */
    public LiveTeams(GatewayConfig config) {
        this.file = config.auth().teamsFile();
        Set<String> ids = new HashSet<>(config.backends().keySet());
        ids.add(FederationBackend.ID); // the federated tools
        this.backends = Set.copyOf(ids);
        this.unbound = config.backends().entrySet().stream()
                .filter(backend -> backend.getValue().relays())
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
        this.configuredViews = Set.copyOf(config.views().keySet());
    }

    private Set<String> all(Set<String> configured) {
        Set<String> names = new HashSet<>(backends);
        names.addAll(configured);
        names.add("");
        names.add(ToolCatalog.CORE);
        return names;
    }

    /** Sets the names of the configured views, besides the built-in ones. */
    void views(Set<String> configured) {
        configuredViews = Set.copyOf(configured);
    }

    /** Which views that teams name would be missing if only {@code configured} existed; one message each. */
    List<String> missingViews(Set<String> configured) {
        Set<String> names = all(configured);
        if (configuredViews.contains(ToolCatalog.CORE) && !configured.contains(ToolCatalog.CORE)) {
            // The built-in view of that name has other tools, so teams must not get it unasked.
            names.remove(ToolCatalog.CORE);
        }
        List<String> problems = new ArrayList<>();
        for (Team team : current.teams()) {
            Set<String> own = team.views();
            if (own != null) {
                own.stream()
                        .filter(view -> !names.contains(view))
                        .sorted()
                        .forEach(view -> problems.add("views: \"" + view + "\" is missing, which team " + team.name()
                                + " has in " + file.getFileName()));
            }
        }
        return problems;
    }

    /** Refuses the keys with these digests, and no others, whatever the file says. */
    synchronized void revoke(Set<String> sha256) {
        revoked = sha256;
        current = read.without(revoked);
    }

    private synchronized void use(TeamDirectory valid, Map<String, TeamConfig> configured) {
        read = valid;
        written = Map.copyOf(configured);
        current = valid.without(revoked);
    }

    /**
     * The teams in use as they are written, with the keys that are revoked.
     *
     * @param teams by name
     * @param revoked the SHA-256 of keys that are refused, whatever the file says
     */
    record WrittenTeams(Map<String, TeamConfig> teams, Set<String> revoked) {}

    /** The teams in use as they are written. */
    synchronized WrittenTeams written() {
        return new WrittenTeams(written, revoked);
    }

    /** The teams in use. */
    public TeamDirectory current() {
        return current;
    }

    /**
     * Reads the file and applies it.
     *
     * @throws BootException with every problem; the previous teams stay in use
     */
    public void reload() {
        Map<String, TeamConfig> configured;
        try {
            configured = new ConfigLoader(Map.of(), Map.of()).loadTeams(file).teams();
        } catch (ConfigException e) {
            throw new BootException(e);
        }
        List<String> problems = new ArrayList<>();
        List<Team> teams = new ArrayList<>();
        new TreeMap<>(configured).forEach((name, team) -> teams.add(team(name, team, problems)));
        if (problems.isEmpty()) {
            try {
                use(new TeamDirectory(teams), configured);
                return;
            } catch (IllegalArgumentException e) {
                problems.add(file.getFileName() + ": " + e.getMessage());
            }
        }
        throw new BootException(BootException.Stage.CONFIGURATION, problems);
    }

    private Team team(String name, TeamConfig config, List<String> problems) {
        String where = file.getFileName() + ": team " + name + ": ";
        List<Grant> grants = new ArrayList<>();
        for (String text : config.grants()) {
            try {
                Grant grant = Grant.parse(text);
                if (!grant.backend().equals("*")) {
                    known(grant.backend(), where + "grant \"" + text + "\": ", problems);
                }
                grants.add(grant);
            } catch (IllegalArgumentException e) {
                problems.add(where + e.getMessage());
            }
        }
        config.bindings().forEach((backend, bindings) -> {
            known(backend, where + "bindings: ", problems);
            if (unbound.contains(backend)) {
                problems.add(where + "bindings." + backend + ": a backend of this type knows no bindings; every caller"
                        + " finds what the gateway's own credential may read");
            }
            bindings.forEach((binding, text) -> Binding.problem(text)
                    .ifPresent(
                            problem -> problems.add(where + "bindings." + backend + "." + binding + ": " + problem)));
        });
        return new Team(
                name,
                config.keys().stream().map(LiveTeams::key).toList(),
                grants,
                new HashMap<>(config.bindings()),
                views(config.views(), where, problems),
                limits(config.limits()),
                new Team.Redactions(
                        redaction(config.redact().arguments(), where, problems),
                        redaction(config.redact().results(), where, problems)));
    }

    private void known(String backend, String where, List<String> problems) {
        if (!backends.contains(backend)) {
            problems.add(where + "there is no backend \"" + backend + "\"");
        }
    }

    private @Nullable Set<String> views(@Nullable Set<String> names, String where, List<String> problems) {
        if (names == null) {
            return null;
        }
        Set<String> allowed = new LinkedHashSet<>();
        for (String name : names) {
            String view = name.equals(DEFAULT_VIEW) ? "" : name;
            if (!all(configuredViews).contains(view)) {
                problems.add(where + "there is no view \"" + name + "\"");
            }
            allowed.add(view);
        }
        return allowed;
    }

    private static Redaction redaction(List<String> patterns, String where, List<String> problems) {
        try {
            return Redaction.of(patterns);
        } catch (IllegalArgumentException e) {
            problems.add(where + "redact: " + e.getMessage());
            return Redaction.NOTHING;
        }
    }

    private static Team.TeamKey key(TeamKeyConfig config) {
        Map<String, Claim> claims = new HashMap<>();
        config.claims().forEach((name, texts) -> claims.put(name, Claim.ofKey(texts)));
        return new Team.TeamKey(config.id(), config.sha256(), config.expires(), limits(config.limits()), claims);
    }

    private static TeamLimits limits(TeamLimitsConfig config) {
        Size size = config.resultSize();
        return new TeamLimits(
                config.callsPerSecond(),
                config.burst(),
                config.concurrentCalls(),
                size == null ? null : Math.toIntExact(size.bytes()),
                config.callsPerDay(),
                config.tokensPerDay());
    }
}
