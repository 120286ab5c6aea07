package switchboard.auth;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import switchboard.call.Caller;
import switchboard.call.ResourceScope;
import switchboard.call.Verb;

/**
 * The one place where it is decided what a principal may do: the same method filters lists and guards calls. Immutable;
 * on any doubt the answer is no.
 */
public final class AccessPolicy {
    /** What was decided. */
    public sealed interface Decision {
        /** Go on, as {@code caller}. */
        record Allowed(Caller caller) implements Decision {}

        /** The principal has no grant for this kind of call at all: to it, the tool does not exist. */
        record Invisible() implements Decision {}

        /** The principal may use the tool, but not on {@code resource}. */
        record Denied(String resource) implements Decision {}
    }

    /**
     * Decides.
     *
     * @param backend the backend's id
     * @param verbs what the tool does
     * @param resources the resources that the arguments name; empty when they name none (or for a list filter)
     */
    public Decision decide(Principal principal, String backend, Set<Verb> verbs, List<String> resources) {
        ResourceScope scope = ResourceScope.ALL;
        for (Verb verb : verbs) {
            scope = scope.and(granted(principal, backend, verb));
        }
        if (verbs.isEmpty() || !scope.satisfiable()) {
            return new Decision.Invisible();
        }
        for (String resource : resources) {
            if (!scope.allows(resource)) {
                return new Decision.Denied(resource);
            }
        }
        return new Decision.Allowed(new Caller(
                principal.team(),
                principal.id(),
                verbs(principal, backend),
                scope,
                principal.bindings().getOrDefault(backend, Map.of())));
    }

    private static ResourceScope granted(Principal principal, String backend, Verb verb) {
        return ResourceScope.anyOf(principal.grants().stream()
                .filter(grant -> grant.covers(backend) && grant.verbs().contains(verb))
                .map(Grant::resource)
                .toList());
    }

    private static Set<Verb> verbs(Principal principal, String backend) {
        Set<Verb> all = EnumSet.noneOf(Verb.class);
        principal.grants().stream()
                .filter(grant -> grant.covers(backend))
                .map(Grant::verbs)
                .forEach(all::addAll);
        return all;
    }
}
