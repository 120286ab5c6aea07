package switchboard.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import switchboard.auth.ApiKey;
import switchboard.auth.Principal;
import switchboard.auth.Team;
import switchboard.auth.TeamDirectory;
import switchboard.call.Json;
import switchboard.cluster.OperatorCommands.NotDecidedException;
import switchboard.config.AuthConfig;
import switchboard.console.ChangeOutcome;
import switchboard.console.ConsoleEditor;
import switchboard.console.ConsoleKeys;

/**
 * Makes and revokes keys as the command {@code keys} does, and has the gateway use the changed file at once.
 *
 * @param files reads the teams file again
 * @param operator who may change keys: operators of the whole gateway
 */
record KeyChanges(
        AuthConfig.Mode mode,
        TeamKeys keys,
        LiveTeams teams,
        ConfigReloader files,
        AuditedChanges changes,
        Predicate<Principal> operator,
        Clock clock)
        implements ConsoleKeys {
    private static final String CREATE = "keys/create";
    private static final String REVOKE = "keys/revoke";
    private static final ChangeOutcome NO_TEAMS = unchanged(
            ChangeOutcome.Problem.CONFLICT,
            "There are no teams: auth.mode is none. With auth: {mode: keys} the teams file has them.");

    @Override
    public boolean mayChange(Principal person) {
        return operator.test(person);
    }

    @Override
    public Future<ChangeOutcome> create(ConsoleEditor editor, WantedKey wanted) {
        SecureRandom random = new SecureRandom();
        ApiKey key = wanted.id() == null ? ApiKey.generate(random) : ApiKey.generate(random, wanted.id());
        return audited(editor, CREATE, wanted.team() + "/" + key.id(), () -> made(wanted, key));
    }

    @Override
    public Future<ChangeOutcome> revoke(ConsoleEditor editor, String team, String id) {
        return audited(editor, REVOKE, team + "/" + id, () -> revoked(team, id));
    }

    @Override
    public void denied(ConsoleEditor editor, boolean create) {
        changes.denied(editor, create ? CREATE : REVOKE);
    }

    private Future<ChangeOutcome> audited(
            ConsoleEditor editor, String method, String key, Callable<ChangeOutcome> change) {
        return mode == AuthConfig.Mode.NONE
                ? Future.succeededFuture(NO_TEAMS)
                : changes.make(editor, method, key, change);
    }

    private ChangeOutcome made(WantedKey wanted, ApiKey key) {
        Optional<ChangeOutcome> refusal = refusal(wanted, key);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        keys.add(wanted.team(), new NewKey(key, wanted.expires(), null));
        files.teamsWritten();
        ObjectNode body = Json.object()
                .put("team", wanted.team())
                .put("id", key.id())
                .put("key", key.text())
                .put("in_force", teams.current().memberWith(key.text()).isPresent());
        if (wanted.expires() != null) {
            body.put(
                    "expires",
                    wanted.expires().atStartOfDay(ZoneOffset.UTC).toInstant().toString());
        }
        return new ChangeOutcome.Changed(body);
    }

    private Optional<ChangeOutcome> refusal(WantedKey wanted, ApiKey key) {
        LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        if (!keys.teams().containsKey(wanted.team())) {
            return Optional.of(
                    unchanged(ChangeOutcome.Problem.INVALID, "team: there is no team \"" + wanted.team() + "\"."));
        }
        if (key.id().equals(TeamDirectory.ANONYMOUS)) {
            return Optional.of(
                    unchanged(ChangeOutcome.Problem.INVALID, "id: " + key.id() + " stands for callers without a key."));
        }
        Optional<String> owner = keys.teamOf(key.id());
        if (owner.isPresent()) {
            return Optional.of(unchanged(
                    ChangeOutcome.Problem.INVALID,
                    "id: there is a key \"" + key.id() + "\" already, of team " + owner.get() + "."));
        }
        if (wanted.expires() != null && !wanted.expires().isAfter(today)) {
            return Optional.of(unchanged(
                    ChangeOutcome.Problem.INVALID, "expires: the key would have expired; name a day after today."));
        }
        return keys.readOnly().map(reason -> unchanged(ChangeOutcome.Problem.CONFLICT, reason));
    }

    private ChangeOutcome revoked(String team, String id) throws NotDecidedException {
        if (keys.teamOf(id).filter(team::equals).isEmpty()) {
            return unchanged(ChangeOutcome.Problem.UNKNOWN, "id: team \"" + team + "\" has no key \"" + id + "\".");
        }
        Optional<String> readOnly = keys.revokedByCluster() ? Optional.empty() : keys.readOnly();
        if (readOnly.isPresent()) {
            return unchanged(ChangeOutcome.Problem.CONFLICT, readOnly.get());
        }
        TeamKeys.RevokedKey revoked = keys.revoke(team, id);
        files.teamsWritten();
        ObjectNode body = Json.object()
                .put("team", team)
                .put("id", id)
                .put("everywhere", revoked.everywhere())
                .put("in_force", !revoked.everywhere() && inForce(team, id));
        if (revoked.stays() != null) {
            body.put("stays", revoked.stays());
        }
        return new ChangeOutcome.Changed(body);
    }

    private boolean inForce(String team, String id) {
        return teams.current().team(team).map(Team::keys).orElse(List.of()).stream()
                .anyMatch(key -> key.id().equals(id));
    }

    private static ChangeOutcome unchanged(ChangeOutcome.Problem reason, String message) {
        return new ChangeOutcome.Unchanged(reason, message);
    }
}
