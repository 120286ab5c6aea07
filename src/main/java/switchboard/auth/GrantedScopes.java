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
 * What lists of grants allow. A team's list stays the same object for as long as the teams file does, so what it comes to
 * is worked out once for each kind of call. Thread-safe.
 */
final class GrantedScopes {
    private final LoadingCache<List<Grant>, Map<CallType, Allowance>> byGrants =
            Caffeine.newBuilder().weakKeys().executor(Runnable::run).build(_ -> new ConcurrentHashMap<>());

    /** One kind of call: there are as many as backends have tools with different verbs. */
    private record CallType(String backend, Set<Verb> verbs) {}

    /**
     * What grants allow of one kind of call.
     *
     * @param scope the resources on which all verbs of the call are allowed
     * @param any whether there may be such a resource
     * @param rights everything allowed with this backend, and on what
     */
    record Allowance(ResourceScope scope, boolean any, Rights rights) {
        /** The same on no other resources than those of {@code view}. */
        Allowance within(ResourceScope view) {
            if (view.unrestricted()) {
                return this;
            }
            ResourceScope both = scope.and(view);
            return new Allowance(both, both.satisfiable(), rights.within(view));
        }
    }

    /** The same for equal arguments; {@code grants} is told apart from other lists by identity. */
    Allowance of(List<Grant> grants, String backend, Set<Verb> verbs) {
        return byGrants.get(grants).computeIfAbsent(new CallType(backend, verbs), kind -> {
            ResourceScope scope = scope(grants, backend, verbs);
            return new Allowance(scope, scope.satisfiable(), rights(grants, backend));
        });
    }

    /** The resources of {@code backend} on which {@code grants} allow all of {@code verbs}. */
    static ResourceScope scope(List<Grant> grants, String backend, Set<Verb> verbs) {
        ResourceScope scope = ResourceScope.ALL;
        for (Verb verb : verbs) {
            scope = scope.and(Grant.scope(grants, backend, verb));
        }
        return scope;
    }

    /** What {@code grants} allow with {@code backend}, verb by verb. */
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
