package switchboard.auth;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import switchboard.call.Caller;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;
import switchboard.call.Verb;

/**
 * Decides what a principal may do. The same method filters lists and guards calls. Thread-safe. If in doubt, it
 * denies.
 */
public final class AccessPolicy {
    private final ScopeRules scopes;
    private final GrantedScopes granted = new GrantedScopes();

    /** A policy that ignores the scopes of access tokens: a token allows everything that its team may do. */
    public AccessPolicy() {
        this(ScopeRules.NONE);
    }

    /** A policy in which an access token allows only what {@code scopes} give. */
    public AccessPolicy(ScopeRules scopes) {
        this.scopes = scopes;
    }

    /** The decision about a call. */
    public sealed interface PolicyDecision {
        /** The call may be made, as {@code caller}. */
        record Allowed(Caller caller) implements PolicyDecision {}

        /** The principal has no grant at all for this kind of call. It is treated as if the tool did not exist. */
        record Invisible() implements PolicyDecision {}

        /** The principal may use the tool, but not on {@code resource}. */
        record Denied(String resource) implements PolicyDecision {}

        /**
         * The team may make the call, but the scopes of the access token do not allow it.
         *
         * @param needed the scopes that a token for this call has, including those of the current token
         * @param challenge the value of {@code WWW-Authenticate}
         */
        record InsufficientScope(Set<String> needed, String challenge) implements PolicyDecision {}
    }

    /**
     * Decides about a call.
     *
     * @param within the resources of the backend that the view offers; no principal can use others through it
     * @param backend the backend's id
     * @param verbs what the tool does
     * @param resources the resources that the arguments name; empty if they name none (or for filtering a list)
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

    /** The decision for an access token of a team with {@code allowance}, taking its scopes into account. */
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
        return new PolicyDecision.InsufficientScope(needed, WwwAuthenticate.insufficientScope(token, needed));
    }

    private ResourceScope with(ResourceScope granted, Set<String> names, Wanted wanted) {
        return granted.and(GrantedScopes.scope(scopes.grants(names), wanted.backend(), wanted.verbs()));
    }

    private static boolean fits(ResourceScope scope, Wanted wanted) {
        return scope.satisfiable() && outside(scope, wanted.resources()).isEmpty();
    }

    private static PolicyDecision allowed(Principal principal, String backend, ResourceScope scope, Rights rights) {
        return new PolicyDecision.Allowed(principal.caller(backend, rights, scope));
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
