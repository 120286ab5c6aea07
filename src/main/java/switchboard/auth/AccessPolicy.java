package switchboard.auth;

import java.util.ArrayList;
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
        List<ResourceScope> perVerb = new ArrayList<>();
        for (Verb verb : EnumSet.copyOf(verbs)) {
            ResourceScope scope = new ResourceScope(principal.grants().stream()
                    .filter(grant -> grant.covers(backend) && grant.verbs().contains(verb))
                    .map(Grant::resource)
                    .toList());
            if (scope.globs().isEmpty()) {
                return new Decision.Invisible();
            }
            perVerb.add(scope);
        }
        for (String resource : resources) {
            for (ResourceScope scope : perVerb) {
                if (!scope.allows(resource)) {
                    return new Decision.Denied(resource);
                }
            }
        }
        return new Decision.Allowed(new Caller(
                principal.team(), principal.id(), verbs(principal, backend), intersection(perVerb), principal.bindings().getOrDefault(backend, Map.of())));
    }

    private static Set<Verb> verbs(Principal principal, String backend) {
        Set<Verb> all = EnumSet.noneOf(Verb.class);
        principal.grants().stream()
                .filter(grant -> grant.covers(backend))
                .map(Grant::verbs)
                .forEach(all::addAll);
        return all;
    }

    /** All scopes must allow; a glob list can only say "any of", so the narrowest is kept unless all are the same. */
    private static ResourceScope intersection(List<ResourceScope> scopes) {
        List<ResourceScope> limits = scopes.stream()
                .filter(scope -> !scope.unrestricted())
                .distinct()
                .toList();
        if (limits.isEmpty()) {
            return ResourceScope.ALL;
        }
        List<String> globs = new ArrayList<>(limits.getFirst().globs());
        for (ResourceScope other : limits.subList(1, limits.size())) {
            globs.removeIf(glob -> !other.globs().contains(glob) && !other.allows(glob));
        }
        return new ResourceScope(globs);
    }
}
