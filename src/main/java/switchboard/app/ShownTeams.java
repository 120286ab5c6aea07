package switchboard.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import switchboard.auth.BudgetPayer;
import switchboard.auth.Principal;
import switchboard.auth.PrincipalId;
import switchboard.auth.TeamBudgets;
import switchboard.call.Json;
import switchboard.concurrent.BlockingExecutor;
import switchboard.config.AuthConfig;
import switchboard.config.TeamConfig;
import switchboard.config.TeamKeyConfig;
import switchboard.config.TeamLimitsConfig;
import switchboard.console.ConsoleTeams;

/**
 * The teams as the console shows them: as the file in use has them, with what they have used of their limits, and the state of
 * their keys.
 *
 * @param uses when keys were used last
 * @param operator who sees all teams: operators of the whole gateway
 * @param executor looks at files
 */
record ShownTeams(
        AuthConfig.Mode mode,
        LiveTeams teams,
        TeamBudgets budgets,
        LastUses uses,
        TeamKeys keys,
        ShownAccess access,
        Predicate<Principal> operator,
        BlockingExecutor executor)
        implements ConsoleTeams {
    @Override
    public Future<ObjectNode> teams(Principal person) {
        return switch (mode) {
            case NONE -> {
                ObjectNode none = Json.object().put("auth", "none");
                none.putArray("teams");
                yield Future.succeededFuture(none);
            }
            case KEYS -> executor.run(() -> shown(person));
        };
    }

    @Override
    public Future<Optional<ObjectNode>> access(Principal person, AccessQuestion question) {
        boolean all = operator.test(person);
        return mode == AuthConfig.Mode.NONE || !(all || question.team().equals(person.team()))
                ? Future.succeededFuture(Optional.empty())
                : executor.run(() -> access.to(question, all));
    }

    private ObjectNode shown(Principal person) {
        boolean all = operator.test(person);
        ObjectNode body = Json.object().put("auth", "keys").put("operator", all);
        body.put("since", uses.since().toString());
        if (all) {
            changes(body.putObject("keys"));
        }
        LiveTeams.WrittenTeams written = teams.written();
        ArrayNode list = body.putArray("teams");
        new TreeMap<>(written.teams()).forEach((name, team) -> {
            if (all || name.equals(person.team())) {
                put(list.addObject().put("name", name), name, team, written.revoked());
            }
        });
        return body;
    }

    /** Whether keys can be made and revoked, and if not, why not. */
    private void changes(ObjectNode body) {
        Optional<String> readOnly = keys.readOnly();
        body.put("create", readOnly.isEmpty()).put("revoke", readOnly.isEmpty() || keys.revokedByCluster());
        readOnly.ifPresent(reason -> body.put("reason", reason));
    }

    private void put(ObjectNode body, String name, TeamConfig team, Set<String> revoked) {
        team.grants().forEach(body.putArray("grants")::add);
        if (team.views() != null) {
            new TreeSet<>(team.views()).forEach(body.putArray("views")::add);
        }
        ObjectNode bindings = body.putObject("bindings");
        new TreeMap<>(team.bindings())
                .forEach((backend, bound) -> new TreeSet<>(bound.keySet()).forEach(bindings.putArray(backend)::add));
        put(body, team.limits(), new BudgetPayer(name, ""));
        ArrayNode list = body.putArray("keys");
        for (TeamKeyConfig key : team.keys()) {
            put(list.addObject().put("id", key.id()), name, key, revoked);
        }
    }

    private void put(ObjectNode body, String team, TeamKeyConfig key, Set<String> revoked) {
        if (key.name() != null) {
            body.put("name", key.name());
        }
        Instant expires = key.expires();
        body.put("state", state(key, revoked));
        if (expires != null) {
            body.put("expires", expires.toString());
        }
        uses.of(new PrincipalId(team, key.id(), key.sha256())).ifPresent(at -> body.put("last_used", at.toString()));
        if (!key.limits().equals(TeamLimitsConfig.NONE)) {
            put(body, key.limits(), new BudgetPayer(team, key.id()));
        }
    }

    private String state(TeamKeyConfig key, Set<String> revoked) {
        if (revoked.contains(key.sha256())) {
            return "revoked";
        }
        Instant expires = key.expires();
        return expires != null && !uses.now().isBefore(expires) ? "expired" : "in_force";
    }

    /** Limits by their names in the teams file, and what is used of them. */
    private void put(ObjectNode body, TeamLimitsConfig limits, BudgetPayer payer) {
        ObjectNode shown = body.putObject("limits");
        Map<String, @Nullable Number> all = new TreeMap<>();
        all.put("callsPerSecond", limits.callsPerSecond());
        all.put("burst", limits.burst());
        all.put("concurrentCalls", limits.concurrentCalls());
        all.put(
                "resultSize",
                limits.resultSize() == null ? null : limits.resultSize().bytes());
        all.put("callsPerDay", limits.callsPerDay());
        all.put("tokensPerDay", limits.tokensPerDay());
        all.forEach((name, limit) -> {
            if (limit != null) {
                shown.put(name, limit.longValue());
            }
        });
        budgets.today(payer).ifPresent(used -> {
            ObjectNode today = body.putObject("used_today").put("calls", used.calls());
            if (limits.tokensPerDay() != null) {
                today.put("tokens", used.tokens());
            }
        });
    }
}
