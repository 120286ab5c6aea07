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
 * Which OAuth scopes carry which of a team's permissions. A token never does more than its team may; with rules it does
 * only what its scopes carry besides. Immutable.
 */
public final class ScopeRules {
    /** No rules: a token carries all that its team may do. */
    public static final ScopeRules NONE = new ScopeRules(Map.of());

    private final Map<String, List<Grant>> scopes;

    /** Rules: by scope, what it carries. */
    public ScopeRules(Map<String, List<Grant>> scopes) {
        this.scopes = new LinkedHashMap<>(scopes);
    }

    /** Whether every token carries everything. */
    boolean absent() {
        return scopes.isEmpty();
    }

    /** What {@code names} carry; a scope without a rule carries nothing. */
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
     * Scopes that together carry {@code verbs} on {@code resources}, few and narrow: where one of {@code held} does, it
     * is named, otherwise the one that carries the fewest verbs. Where no scope carries something, it is left out.
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
