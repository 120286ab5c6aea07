package switchboard.auth;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;
import switchboard.call.Verb;

/**
 * Evaluates lists of grants. A team's list stays the same object until the teams file changes, so results are cached
 * for each list and kind of call. Thread-safe.
 */
final class GrantedScopes {
    private final LoadingCache<List<Grant>, Map<CallType, Allowance>> byGrants =
            Caffeine.newBuilder().weakKeys().executor(Runnable::run).build(_ -> new ConcurrentHashMap<>());

    /** A kind of call. There are as many as there are different sets of verbs at each backend. */
    private record CallType(String backend, Set<Verb> verbs) {}

    /**
     * The resources and verbs that grants allow for one kind of call.
     *
     * @param scope the resources for which all verbs of the call are allowed
     * @param any whether there may be such a resource
     * @param rights all verbs that are allowed at this backend, with their resources
     */
    record Allowance(ResourceScope scope, boolean any, Rights rights) {
        /** The same, restricted to the resources of {@code view}. */
        Allowance within(ResourceScope view) {
            if (view.unrestricted()) {
                return this;
            }
            ResourceScope both = scope.and(view);
            return new Allowance(both, both.satisfiable(), rights.within(view));
        }
    }

    /** The allowance for these arguments; {@code grants} is compared by identity. */
    Allowance of(List<Grant> grants, String backend, Set<Verb> verbs) {
        return byGrants.get(grants).computeIfAbsent(new CallType(backend, verbs), kind -> {
            ResourceScope scope = scope(grants, backend, verbs);
            return new Allowance(scope, scope.satisfiable(), rights(grants, backend));
        });
    }

    /** The resources of {@code backend} for which {@code grants} allow all of {@code verbs}. */
    static ResourceScope scope(List<Grant> grants, String backend, Set<Verb> verbs) {
        ResourceScope scope = ResourceScope.ALL;
        for (Verb verb : verbs) {
            scope = scope.and(Grant.scope(grants, backend, verb));
        }
        return scope;
    }

    /** The rights at {@code backend} that {@code grants} give, for each verb. */
    static Rights rights(List<Grant> grants, String backend) {
        Map<Verb, ResourceScope> scopes = new EnumMap<>(Verb.class);
        for (Verb verb : Verb.values()) {
            ResourceScope scope = Grant.scope(grants, backend, verb);
            if (scope.satisfiable()) {
                scopes.put(verb, scope);
            }
        }
        return new Rights(scopes);
    }
}
