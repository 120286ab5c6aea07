package switchboard.call;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a call, with what a backend needs to know.
 *
 * @param team the team's name; {@code ""} in a gateway without teams
 * @param principal the key's id or the token's subject, unique in the team; for logs and ownership, never a secret
 * @param rights what the caller may do at this backend; for tools that need more than their own verbs for a part of
 *     their work, with {@link #may} or {@link #mayEverywhere}
 * @param scope the resources (collections, indexes, tables, libraries) of this backend that the call may use or name
 * @param bindings the texts of what the team is bound to at this backend (tenant, owner, filter, role), by name; use
 *     {@link #binding} for their values
 * @param claims what is known about the caller, by name: claims of its access token that the configuration names, or
 *     those that the teams file gives its key
 * @param inspector the team of an operator who asks what this caller would see; null for the caller's own calls
 */
public record Caller(
        String team,
        String principal,
        Rights rights,
        ResourceScope scope,
        Map<String, String> bindings,
        Map<String, Claim> claims,
        @Nullable String inspector) {
    private static final String OWNER = "owner";
    private static final int MAX_OWNER = 190;

    /** A caller as it is told from others: two calls are of the same one if these are equal. As for {@link Caller}. */
    public record Identity(
            String team, String principal, @Nullable String inspector) {}

    public Caller {
        bindings = Map.copyOf(bindings);
        claims = Map.copyOf(claims);
    }

    /** A caller who calls for itself. */
    public Caller(
            String team,
            String principal,
            Rights rights,
            ResourceScope scope,
            Map<String, String> bindings,
            Map<String, Claim> claims) {
        this(team, principal, rights, scope, bindings, claims, null);
    }

    /** A caller without claims. */
    public Caller(String team, String principal, Rights rights, ResourceScope scope, Map<String, String> bindings) {
        this(team, principal, rights, scope, bindings, Map.of());
    }

    /** The caller in a gateway without teams. */
    public static Caller unrestricted() {
        return new Caller("", "anonymous", Rights.ALL, ResourceScope.ALL, Map.of());
    }

    /** The same caller, as an operator of {@code operatorTeam} asks what it would see. */
    public Caller inspectedBy(String operatorTeam) {
        return new Caller(team, principal, rights, scope, bindings, claims, operatorTeam);
    }

    /** Who the caller is, for what is kept between calls. */
    public Identity identity() {
        return new Identity(team, principal, inspector);
    }

    /** The team whose shares of the gateway (calls under way, executors) the call uses. */
    public String chargedTeam() {
        return inspector == null ? team : inspector;
    }

    /** What the caller is bound to as {@code name}, if it is. */
    public Optional<Binding> binding(String name) {
        return Optional.ofNullable(bindings.get(name)).map(text -> new Binding(name, text, this));
    }

    /**
     * The owner of the libraries, collections and memories that the caller may use in an embedded store; {@code ""} without
     * a binding.
     *
     * @throws ToolException {@code DENIED} if the caller's claims name none
     */
    public String owner() {
        return binding(OWNER)
                .map(binding -> {
                    String owner = binding.value();
                    if (owner.length() > MAX_OWNER) {
                        throw binding.denied("names an owner of more than " + MAX_OWNER + " characters");
                    }
                    return owner;
                })
                .orElse("");
    }

    /** The names of the claims that decide what the caller is bound to, sorted. */
    public List<String> bindingClaims() {
        if (bindings.isEmpty()) { // so it is for most teams, and this runs at each call
            return List.of();
        }
        return bindings.keySet().stream()
                .flatMap(name -> binding(name).stream())
                .flatMap(binding -> binding.claims().stream())
                .distinct()
                .sorted()
                .toList();
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
