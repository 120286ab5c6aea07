package switchboard.call;

import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

/**
 * The rights of a caller at one backend, for each verb. A verb is always checked together with a resource. Immutable.
 *
 * @param byVerb for each verb the resources on which it is allowed; a missing verb is not allowed at all
 */
public record Rights(Map<Verb, ResourceScope> byVerb) {
    /** Every verb on every resource. */
    public static final Rights ALL = everywhere(EnumSet.allOf(Verb.class));

    /** Nothing. */
    public static final Rights NONE = new Rights(Map.of());

    public Rights {
        byVerb = Map.copyOf(byVerb);
    }

    /** {@code verbs} on every resource, and nothing else. */
    public static Rights everywhere(Collection<Verb> verbs) {
        Map<Verb, ResourceScope> all = new EnumMap<>(Verb.class);
        verbs.forEach(verb -> all.put(verb, ResourceScope.ALL));
        return new Rights(all);
    }

    /** The rights that both allow. */
    public Rights and(Rights other) {
        Map<Verb, ResourceScope> both = new EnumMap<>(Verb.class);
        byVerb.forEach((verb, scope) -> {
            ResourceScope theirs = other.byVerb.get(verb);
            if (theirs != null) {
                both.put(verb, scope.and(theirs));
            }
        });
        return new Rights(both);
    }

    /** The same, restricted to the resources of {@code scope}. */
    public Rights within(ResourceScope scope) {
        if (scope.unrestricted()) {
            return this;
        }
        Map<Verb, ResourceScope> narrowed = new EnumMap<>(Verb.class);
        byVerb.forEach((verb, own) -> narrowed.put(verb, own.and(scope)));
        return new Rights(narrowed);
    }

    /** Whether {@code verb} is allowed on {@code resource}. */
    boolean allow(Verb verb, String resource) {
        ResourceScope scope = byVerb.get(verb);
        return scope != null && scope.allows(resource);
    }

    /** Whether {@code verb} is allowed on every resource. */
    boolean allowEverywhere(Verb verb) {
        ResourceScope scope = byVerb.get(verb);
        return scope != null && scope.unrestricted();
    }
}
