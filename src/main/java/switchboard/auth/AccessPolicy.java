package switchboard.auth;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import switchboard.call.Caller;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;
import switchboard.call.Verb;

/**
 * The one place where it is decided what a principal may do: the same method filters lists and guards calls. Thread-safe;
 * on any doubt the answer is no.
 */
public final class AccessPolicy {
    private final ScopeRules scopes;
    private final GrantedScopes granted = new GrantedScopes();

    /** A policy for callers whose access tokens carry all that their teams may do. */
    public AccessPolicy() {
        this(ScopeRules.NONE);
    }

    /** A policy for callers whose access tokens carry what {@code scopes} say. */
    public AccessPolicy(ScopeRules scopes) {
        this.scopes = scopes;
    }

    /** What was decided. */
    public sealed interface PolicyDecision {
        /** Go on, as {@code caller}. */
        record Allowed(Caller caller) implements PolicyDecision {}

        /** The principal has no grant for this kind of call at all: to it, the tool does not exist. */
        record Invisible() implements PolicyDecision {}

        /** The principal may use the tool, but not on {@code resource}. */
        record Denied(String resource) implements PolicyDecision {}

        /**
         * The team may, but the access token does not carry it.
         *
         * @param needed the scopes that a token for this call has, those it has already included
         * @param challenge what to say in {@code WWW-Authenticate}
         */
        record InsufficientScope(Set<String> needed, String challenge) implements PolicyDecision {}
    }

    /**
     * Decides.
     *
     * @param within what the view leaves of the backend's resources; nobody may more than that there
     * @param backend the backend's id
     * @param verbs what the tool does
     * @param resources the resources that the arguments name; empty when they name none (or for a list filter)
     */
    public PolicyDecision decide(
            Principal principal, ResourceScope within, String backend, Set<Verb> verbs, List<String> resources) {
        GrantedScopes.Allowance allowance =
                granted.of(principal.grants(), backend, verbs).within(within);
        if (verbs.isEmpty() || !allowance.any()) {
            return new PolicyDecision.Invisible();
        }
        TokenGrant token = principal.delegation();
        if (token != null && !scopes.absent()) {
            return delegated(principal, token, allowance, new Wanted(backend, verbs, resources));
        }
        return outside(allowance.scope(), resources)
                .<PolicyDecision>map(PolicyDecision.Denied::new)
                .orElseGet(() -> allowed(principal, backend, allowance.scope(), allowance.rights()));
    }

    private record Wanted(String backend, Set<Verb> verbs, List<String> resources) {}

    /** What a token of a team with {@code allowance} allows, or another token of the same bearer could. */
    private PolicyDecision delegated(
            Principal principal, TokenGrant token, GrantedScopes.Allowance allowance, Wanted wanted) {
        ResourceScope granted = allowance.scope();
        ResourceScope most = with(granted, scopes.names(), wanted);
        if (!most.satisfiable()) {
            return new PolicyDecision.Invisible();
        }
        Optional<String> outside = outside(most, wanted.resources());
        if (outside.isPresent()) {
            return new PolicyDecision.Denied(outside.get());
        }
        ResourceScope both = with(granted, token.scopes(), wanted);
        if (fits(both, wanted)) {
            Rights usable =
                    allowance.rights().and(GrantedScopes.rights(scopes.grants(token.scopes()), wanted.backend()));
            return allowed(principal, wanted.backend(), both, usable);
        }
        Set<String> few = scopes.needed(token.scopes(), wanted.backend(), wanted.verbs(), wanted.resources());
        Set<String> needed = fits(with(granted, few, wanted), wanted) ? few : scopes.names();
        return new PolicyDecision.InsufficientScope(
                needed, WwwAuthenticate.insufficientScope(token.metadata(), needed));
    }

    private ResourceScope with(ResourceScope granted, Set<String> names, Wanted wanted) {
        return granted.and(GrantedScopes.scope(scopes.grants(names), wanted.backend(), wanted.verbs()));
    }

    private static boolean fits(ResourceScope scope, Wanted wanted) {
        return scope.satisfiable() && outside(scope, wanted.resources()).isEmpty();
    }

    private static PolicyDecision allowed(Principal principal, String backend, ResourceScope scope, Rights rights) {
        TokenGrant token = principal.delegation();
        return new PolicyDecision.Allowed(new Caller(
                principal.team(),
                principal.id(),
                rights,
                scope,
                principal.bindings().getOrDefault(backend, Map.of()),
                token == null ? Map.of() : token.claims()));
    }

    private static Optional<String> outside(ResourceScope scope, List<String> resources) {
        for (String resource : resources) {
            if (!scope.allows(resource)) {
                return Optional.of(resource);
            }
        }
        return Optional.empty();
    }
}
