package switchboard.app;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.cluster.OperatorCommands;
import switchboard.config.ClusterConfig;
import switchboard.config.GatewayConfig;
import switchboard.config.TeamConfig;

/** Adds keys to the teams file and revokes them, for commands and for the console. Blocks. */
public final class TeamKeys {
    private final TeamsFile file;
    private final @Nullable ClusterConfig cluster;

    /** The keys of the teams file that {@code config} names. */
    public TeamKeys(GatewayConfig config) {
        this(config.auth().teamsFile(), config.cluster());
    }

    private TeamKeys(Path file, @Nullable ClusterConfig cluster) {
        this.file = new TeamsFile(file);
        this.cluster = cluster;
    }

    /**
     * A revoked key.
     *
     * @param team whose it was
     * @param everywhere whether all gateways of a cluster refuse it for good
     * @param stays why its lines are still in the file, where they do nothing any more; null if they are gone
     */
    public record RevokedKey(
            String team, boolean everywhere, @Nullable String stays) {}

    /** The teams in the file. */
    Map<String, TeamConfig> teams() {
        return file.teams();
    }

    /** The team that has the key {@code id}; empty if there is no such key. */
    public Optional<String> teamOf(String id) {
        return file.teamOf(id);
    }

    /** Why the file can't be changed; empty if it can, as far as is known. */
    Optional<String> readOnly() {
        return file.readOnly();
    }

    /** Whether keys are revoked without the file. */
    boolean revokedByCluster() {
        return cluster != null;
    }

    /**
     * Adds a key to {@code team}.
     *
     * @return whether the team is new
     * @throws TeamsFileException if it can't
     */
    public boolean add(String team, NewKey key) {
        return file.add(team, key.config(), key.fields());
    }

    /**
     * Revokes the key {@code id} of {@code team}. Of several gateways first all refuse it, because the file may be one that can't be
     * changed here.
     *
     * @throws TeamsFileException if it can't
     */
    public RevokedKey revoke(String team, String id) throws OperatorCommands.NotDecidedException {
        if (cluster == null) {
            file.remove(team, id);
            return new RevokedKey(team, false, null);
        }
        new OperatorCommands(cluster).revoke(file.digest(team, id), id, team);
        try {
            file.remove(team, id);
            return new RevokedKey(team, true, null);
        } catch (TeamsFileException e) {
            return new RevokedKey(team, true, e.getMessage());
        }
    }
}
