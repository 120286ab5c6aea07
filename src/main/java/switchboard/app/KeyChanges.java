package switchboard.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.auth.ApiKey;
import switchboard.auth.Principal;
import switchboard.auth.Team;
import switchboard.auth.TeamDirectory;
import switchboard.call.Json;
import switchboard.cluster.OperatorCommands.NotDecidedException;
import switchboard.concurrent.BlockingExecutor;
import switchboard.config.AuthConfig;
import switchboard.config.ConfigException;
import switchboard.config.Problem;
import switchboard.console.ConsoleKeys;
import switchboard.telemetry.AuditEvent;
import switchboard.telemetry.RequestCaller;
import switchboard.telemetry.RequestSource;

/**
 * Makes and revokes keys as the command {@code keys} does, and has the gateway use the changed file at once.
 *
 * @param files reads the teams file again
 * @param operator who may change keys: operators of the whole gateway
 * @param executor of one thread, so that one change follows the other
 */
record KeyChanges(
        AuthConfig.Mode mode,
        TeamKeys keys,
        LiveTeams teams,
        ConfigReloader files,
        AuditRecorder audit,
        Predicate<Principal> operator,
        BlockingExecutor executor,
        Clock clock)
        implements ConsoleKeys {
    private static final String CREATE = "keys/create";
    private static final String REVOKE = "keys/revoke";
    private static final KeyOutcome NO_TEAMS = unchanged(
            KeyProblem.CONFLICT,
            "There are no teams: auth.mode is none. With auth: {mode: keys} the teams file has them.");
    private static final KeyOutcome NOT_AUDITED = unchanged(
            KeyProblem.UNAVAILABLE,
            "Keys are not changed while the audit log can't be written. Try again later, or look at the gateway's log.");

    @Override
    public boolean mayChange(Principal person) {
        return operator.test(person);
    }

    @Override
    public Future<KeyOutcome> create(KeyEditor editor, WantedKey wanted) {
        SecureRandom random = new SecureRandom();
        ApiKey key = wanted.id() == null ? ApiKey.generate(random) : ApiKey.generate(random, wanted.id());
        return audited(editor, CREATE, wanted.team() + "/" + key.id(), () -> made(wanted, key));
    }

    @Override
    public Future<KeyOutcome> revoke(KeyEditor editor, String team, String id) {
        return audited(editor, REVOKE, team + "/" + id, () -> revoked(team, id));
    }

    @Override
    public void denied(KeyEditor editor, boolean create) {
        record(editor, create ? CREATE : REVOKE, "", false, "denied");
    }

    private Future<KeyOutcome> audited(KeyEditor editor, String method, String key, Callable<KeyOutcome> change) {
        if (mode == AuthConfig.Mode.NONE) {
            return Future.succeededFuture(NO_TEAMS);
        }
        if (!audit.ready()) {
            return Future.succeededFuture(NOT_AUDITED);
        }
        return executor.run(() -> known(change))
                .andThen(done -> record(editor, method, key, true, word(done.result())));
    }

    private void record(KeyEditor editor, String method, String key, boolean allowed, String outcome) {
        Principal person = editor.person();
        audit.keyChange(new AuditEvent.KeyChange(
                RequestSource.unread(null, editor.address(), ""),
                new RequestCaller(person.team(), person.id()),
                method,
                key,
                allowed,
                outcome));
    }

    private static String word(@Nullable KeyOutcome outcome) {
        return switch (outcome) {
            case KeyOutcome.KeyChanged _ -> "ok";
            case KeyOutcome.KeyUnchanged unchanged -> unchanged.reason().name().toLowerCase(Locale.ROOT);
            case null -> "internal";
        };
    }

    /** What {@code change} fails with, as far as it is foreseen. */
    private static KeyOutcome known(Callable<KeyOutcome> change) throws Exception {
        try {
            return change.call();
        } catch (TeamsFileException e) {
            return unchanged(KeyProblem.CONFLICT, String.valueOf(e.getMessage()));
        } catch (ConfigException e) {
            return unchanged(
                    KeyProblem.CONFLICT,
                    "The teams file can't be used: "
                            + e.problems().stream().map(Problem::toString).collect(Collectors.joining("; ")));
        } catch (NotDecidedException e) {
            return unchanged(KeyProblem.UNAVAILABLE, String.valueOf(e.getMessage()));
        }
    }

    private KeyOutcome made(WantedKey wanted, ApiKey key) {
        Optional<KeyOutcome> refusal = refusal(wanted, key);
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
        return new KeyOutcome.KeyChanged(body);
    }

    private Optional<KeyOutcome> refusal(WantedKey wanted, ApiKey key) {
        LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        if (!keys.teams().containsKey(wanted.team())) {
            return Optional.of(unchanged(KeyProblem.INVALID, "team: there is no team \"" + wanted.team() + "\"."));
        }
        if (key.id().equals(TeamDirectory.ANONYMOUS)) {
            return Optional.of(unchanged(KeyProblem.INVALID, "id: " + key.id() + " stands for callers without a key."));
        }
        Optional<String> owner = keys.teamOf(key.id());
        if (owner.isPresent()) {
            return Optional.of(unchanged(
                    KeyProblem.INVALID,
                    "id: there is a key \"" + key.id() + "\" already, of team " + owner.get() + "."));
        }
        if (wanted.expires() != null && !wanted.expires().isAfter(today)) {
            return Optional.of(
                    unchanged(KeyProblem.INVALID, "expires: the key would have expired; name a day after today."));
        }
        return keys.readOnly().map(reason -> unchanged(KeyProblem.CONFLICT, reason));
    }

    private KeyOutcome revoked(String team, String id) throws NotDecidedException {
        if (keys.teamOf(id).filter(team::equals).isEmpty()) {
            return unchanged(KeyProblem.UNKNOWN, "id: team \"" + team + "\" has no key \"" + id + "\".");
        }
        Optional<String> readOnly = keys.revokedByCluster() ? Optional.empty() : keys.readOnly();
        if (readOnly.isPresent()) {
            return unchanged(KeyProblem.CONFLICT, readOnly.get());
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
        return new KeyOutcome.KeyChanged(body);
    }

    private boolean inForce(String team, String id) {
        return teams.current().team(team).map(Team::keys).orElse(List.of()).stream()
                .anyMatch(key -> key.id().equals(id));
    }

    private static KeyOutcome unchanged(KeyProblem reason, String message) {
        return new KeyOutcome.KeyUnchanged(reason, message);
    }
}
