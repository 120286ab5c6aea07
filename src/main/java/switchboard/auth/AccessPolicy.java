package switchboard.auth;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import switchboard.call.Caller;
import switchboard.call.ResourceScope;
import switchboard.call.Verb;

/**
 * The one place where it is decided what a principal may do: the same method filters lists and guards calls. Immutable;
 * on any doubt the answer is no.
 */
public final class AccessPolicy {
    private final ScopeRules scopes;

    /** A policy for callers whose access tokens carry all that their teams may do. */
    public AccessPolicy() {
        this(ScopeRules.NONE);
    }

    /** A policy for callers whose access tokens carry what {@code scopes} say. */
    public AccessPolicy(ScopeRules scopes) {
        this.scopes = scopes;
    }

    /** What was decided. */
    public sealed interface Decision {
        /** Go on, as {@code caller}. */
        record Allowed(Caller caller) implements Decision {}

        /** The principal has no grant for this kind of call at all: to it, the tool does not exist. */
        record Invisible() implements Decision {}

        /** The principal may use the tool, but not on {@code resource}. */
        record Denied(String resource) implements Decision {}

        /**
         * The team may, but the access token does not carry it.
         *
         * @param needed the scopes that a token for this call has, those it has already included
         * @param challenge what to say in {@code WWW-Authenticate}
         */
        record InsufficientScope(Set<String> needed, String challenge) implements Decision {}
    }

    /**
     * Decides.
     *
     * @param backend the backend's id
     * @param verbs what the tool does
     * @param resources the resources that the arguments name; empty when they name none (or for a list filter)
     */
    public Decision decide(Principal principal, String backend, Set<Verb> verbs, List<String> resources) {
        ResourceScope granted = granted(principal.grants(), backend, verbs);
        if (verbs.isEmpty() || !granted.satisfiable()) {
            return new Decision.Invisible();
        }
        Optional<String> outside = outside(granted, resources);
        if (outside.isPresent()) {
            return new Decision.Denied(outside.get());
        }
        Delegation token = principal.delegation();
        if (token == null || scopes.absent()) {
            return allowed(principal, backend, granted, verbs(principal.grants(), backend));
        }
        List<Grant> carried = scopes.grants(token.scopes());
        ResourceScope both = granted.and(granted(carried, backend, verbs));
        if (both.satisfiable() && outside(both, resources).isEmpty()) {
            Set<Verb> usable = verbs(principal.grants(), backend);
            usable.retainAll(verbs(carried, backend));
            return allowed(principal, backend, both, usable);
        }
        return beyond(token, granted, new Wanted(backend, verbs, resources));
    }

    private record Wanted(String backend, Set<Verb> verbs, List<String> resources) {}

    /** A token that does not carry what is wanted: could another one of the same team? */
    private Decision beyond(Delegation token, ResourceScope granted, Wanted wanted) {
        ResourceScope most = granted.and(granted(scopes.grants(scopes.names()), wanted.backend(), wanted.verbs()));
        if (!most.satisfiable()) {
            return new Decision.Invisible();
        }
        Optional<String> outside = outside(most, wanted.resources());
        if (outside.isPresent()) {
            return new Decision.Denied(outside.get());
        }
        Set<String> few = scopes.needed(token.scopes(), wanted.backend(), wanted.verbs(), wanted.resources());
        ResourceScope enough = granted.and(granted(scopes.grants(few), wanted.backend(), wanted.verbs()));
        boolean fits =
                enough.satisfiable() && outside(enough, wanted.resources()).isEmpty();
        Set<String> needed = fits ? few : scopes.names();
        return new Decision.InsufficientScope(needed, Challenges.insufficientScope(token.metadata(), needed));
    }

    private static Decision allowed(Principal principal, String backend, ResourceScope scope, Set<Verb> verbs) {
        return new Decision.Allowed(new Caller(
                principal.team(),
                principal.id(),
                verbs,
                scope,
                principal.bindings().getOrDefault(backend, Map.of())));
    }

    private static Optional<String> outside(ResourceScope scope, List<String> resources) {
        return resources.stream().filter(resource -> !scope.allows(resource)).findFirst();
    }

    private static ResourceScope granted(List<Grant> grants, String backend, Set<Verb> verbs) {
        ResourceScope scope = ResourceScope.ALL;
        for (Verb verb : verbs) {
            scope = scope.and(Grant.scope(grants, backend, verb));
        }
        return scope;
    }

    private static Set<Verb> verbs(List<Grant> grants, String backend) {
        Set<Verb> all = EnumSet.noneOf(Verb.class);
        grants.stream().filter(grant -> grant.covers(backend)).map(Grant::verbs).forEach(all::addAll);
        return all;
    }
}
