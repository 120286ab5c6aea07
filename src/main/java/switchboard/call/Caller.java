package switchboard.call;

import java.util.Map;

/**
 * The caller of a call, with what a backend needs to know.
 *
 * @param team the team's name; {@code ""} in a gateway without teams
 * @param principal the key's id or the token's subject, unique in the team; for logs and ownership, never a secret
 * @param rights what the caller may do at this backend; for tools that need more than their own verbs for a part of
 *     their work, with {@link #may} or {@link #mayEverywhere}
 * @param scope the resources (collections, indexes, tables, libraries) of this backend that the call may use or name
 * @param bindings the team's fixed values for this backend (tenant, owner, filter, role), by name
 * @param claims claims of the caller's access token that the configuration names; empty for callers with a key
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

    /** A caller without claims. */
    public Caller(String team, String principal, Rights rights, ResourceScope scope, Map<String, String> bindings) {
        this(team, principal, rights, scope, bindings, Map.of());
    }

    /** The caller in a gateway without teams. */
    public static Caller unrestricted() {
        return new Caller("", "anonymous", Rights.ALL, ResourceScope.ALL, Map.of());
    }

    /** Whether the caller may do {@code verb} on {@code resource}. */
    public boolean may(Verb verb, String resource) {
        return rights.allow(verb, resource);
    }

    /** Whether the caller may do {@code verb} on every resource; for operations that concern none or all of them. */
    public boolean mayEverywhere(Verb verb) {
        return rights.allowEverywhere(verb);
    }
}
