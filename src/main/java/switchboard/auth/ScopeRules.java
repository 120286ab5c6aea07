package switchboard.auth;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.ResourceScope;
import switchboard.call.Verb;

/**
 * Maps OAuth scopes to grants. A token never allows more than its team may do; with rules it allows only what its
 * scopes give. Immutable.
 */
public final class ScopeRules {
    /** No rules: a token allows everything that its team may do. */
    public static final ScopeRules NONE = new ScopeRules(Map.of());

    private final Map<String, List<Grant>> scopes;

    /**
     * Makes rules.
     *
     * @param scopes the grants of each scope
     */
    public ScopeRules(Map<String, List<Grant>> scopes) {
        this.scopes = new LinkedHashMap<>(scopes);
    }

    /** Whether there are no rules. */
    boolean absent() {
        return scopes.isEmpty();
    }

    /** The grants of the scopes {@code names}. A scope without a rule gives nothing. */
    List<Grant> grants(Collection<String> names) {
        return names.stream()
                .flatMap(name -> scopes.getOrDefault(name, List.of()).stream())
                .toList();
    }

    /** The scopes that have a rule. */
    Set<String> names() {
        return scopes.keySet();
    }

    /**
     * A small set of scopes that together allow {@code verbs} on {@code resources}. A scope of {@code held} is
     * preferred, then the scope with the fewest verbs. What no scope allows is ignored.
     */
    Set<String> needed(Set<String> held, String backend, Set<Verb> verbs, List<String> resources) {
        Set<String> needed = new LinkedHashSet<>();
        for (Verb verb : verbs.stream().sorted().toList()) {
            if (resources.isEmpty()) {
                narrowest(held, backend, verb, null).ifPresent(needed::add);
            }
            for (String resource : resources) {
                narrowest(held, backend, verb, resource).ifPresent(needed::add);
            }
        }
        return needed;
    }

    private Optional<String> narrowest(Set<String> held, String backend, Verb verb, @Nullable String resource) {
        return scopes.entrySet().stream()
                .filter(scope -> carries(scope.getValue(), backend, verb, resource))
                .min(Comparator.comparing((Map.Entry<String, List<Grant>> scope) -> !held.contains(scope.getKey()))
                        .thenComparing(scope -> breadth(scope.getValue())))
                .map(Map.Entry::getKey);
    }

    private static boolean carries(List<Grant> grants, String backend, Verb verb, @Nullable String resource) {
        ResourceScope scope = Grant.scope(grants, backend, verb);
        return resource == null ? scope.satisfiable() : scope.allows(resource);
    }

    private static long breadth(List<Grant> grants) {
        return grants.stream()
                .flatMap(grant -> grant.verbs().stream())
                .distinct()
                .count();
    }
}
