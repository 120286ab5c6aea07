package switchboard.call;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Who a call acts for, as far as a backend needs to know.
 *
 * @param team the team's name; {@code ""} in a gateway without teams
 * @param principal the key or subject, unique in the team; for logs and ownership, never a secret
 * @param verbs what the caller may do with this backend at all; for tools whose parts need more than the tool itself
 * @param scope which resources (collections, indexes, tables, libraries) of this backend the call may touch or name
 * @param bindings the team's fixed values for this backend (tenant, owner, filter, role), by name
 * @param claims what the caller's access token says of it, by claim: those that the configuration names and no others;
 *     empty for callers with a key
 */
public record Caller(
        String team,
        String principal,
        Set<Verb> verbs,
        ResourceScope scope,
        Map<String, String> bindings,
        Map<String, String> claims) {
    public Caller {
        verbs = Set.copyOf(verbs);
        bindings = Map.copyOf(bindings);
        claims = Map.copyOf(claims);
    }

    /** A caller of whom no token says anything. */
    public Caller(String team, String principal, Set<Verb> verbs, ResourceScope scope, Map<String, String> bindings) {
        this(team, principal, verbs, scope, bindings, Map.of());
    }

    /** The caller of a gateway that knows no teams. */
    public static Caller unrestricted() {
        return new Caller("", "anonymous", EnumSet.allOf(Verb.class), ResourceScope.ALL, Map.of());
    }
}
