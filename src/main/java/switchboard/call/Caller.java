package switchboard.call;

import java.util.Map;

/**
 * Who a call acts for, as far as a backend needs to know.
 *
 * @param team the team's name; {@code ""} in a gateway without teams
 * @param principal the key or subject, unique in the team; for logs and ownership, never a secret
 * @param rights what the caller may do with this backend, and on what; for tools whose parts need more than the tool
 *     itself, which ask {@link #may} or {@link #mayEverywhere}
 * @param scope which resources (collections, indexes, tables, libraries) of this backend the call may touch or name
 * @param bindings the team's fixed values for this backend (tenant, owner, filter, role), by name
 * @param claims what the caller's access token says of it, by claim: those that the configuration names and no others;
 *     empty for callers with a key
 */
public record Caller(
        String team,
        String principal,
        Rights rights,
        ResourceScope scope,
        Map<String, String> bindings,
        Map<String, String> claims) {
    public Caller {
        bindings = Map.copyOf(bindings);
        claims = Map.copyOf(claims);
    }

    /** A caller of whom no token says anything. */
    public Caller(String team, String principal, Rights rights, ResourceScope scope, Map<String, String> bindings) {
        this(team, principal, rights, scope, bindings, Map.of());
    }

    /** The caller of a gateway that knows no teams. */
    public static Caller unrestricted() {
        return new Caller("", "anonymous", Rights.ALL, ResourceScope.ALL, Map.of());
    }

    /** Whether the caller may do {@code verb} with {@code resource}. */
    public boolean may(Verb verb, String resource) {
        return rights.allow(verb, resource);
    }

    /** Whether the caller may do {@code verb} with every resource: for what belongs to none, or to all of them. */
    public boolean mayEverywhere(Verb verb) {
        return rights.allowEverywhere(verb);
    }
}
