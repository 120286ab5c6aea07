package switchboard.backend.weaviate;

import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.Binding;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.ResourceScope;
import switchboard.call.ToolException;

/**
 * The collections that a call may use, and the tenant if the team is bound to one.
 *
 * @param scope the collections, by their stored names
 * @param boundTenant the team's tenant, or null if callers may choose
 * @param where the filter that an object must match to be visible, or null for all
 */
record TenantScope(
        ResourceScope scope,
        @Nullable String boundTenant,
        @Nullable TeamWhere where) {
    /** The collections and the tenant of a team that is bound to no filter. */
    TenantScope(ResourceScope scope, @Nullable String boundTenant) {
        this(scope, boundTenant, null);
    }

    /** The name under which a team's binding holds its tenant. */
    static final String TENANT_BINDING = "tenant";

    private static final Set<String> BINDINGS = Set.of(TENANT_BINDING, TeamWhere.WHERE_BINDING);

    /**
     * The tenants that {@code caller} may use.
     *
     * @throws ToolException {@code DENIED} if its claims name no tenant, or make no filter, or for another binding
     */
    static TenantScope of(Caller caller) {
        for (String name : caller.bindings().keySet()) {
            if (!BINDINGS.contains(name)) {
                throw new ToolException(
                        FailureKind.DENIED,
                        "This team has the binding " + WeaviateIdentifiers.quoted(name)
                                + ", which this backend does not support (it supports tenant and where); the operator"
                                + " has to correct the team's bindings");
            }
        }
        return new TenantScope(
                caller.scope(),
                caller.binding(TENANT_BINDING).map(TenantScope::bound).orElse(null),
                TeamWhere.of(caller).orElse(null));
    }

    private static String bound(Binding binding) {
        String tenant = binding.value();
        if (binding.hasPlaceholders() && !WeaviateIdentifiers.isTenant(tenant)) {
            throw binding.denied("names something that can't be a tenant");
        }
        return tenant;
    }

    /**
     * The stored name of the collection that a call means.
     *
     * @throws ToolException {@code INVALID_ARGUMENT} or {@code DENIED}
     */
    String collection(String given) {
        String name = WeaviateIdentifiers.collection(given);
        if (!scope.allows(name)) {
            throw new ToolException(
                    FailureKind.DENIED,
                    "Collection " + WeaviateIdentifiers.quoted(name) + " is not among those that this team may use. "
                            + WeaviateErrors.COLLECTIONS);
        }
        return name;
    }

    /**
     * The tenant that a call works in, or null for none.
     *
     * @throws ToolException {@code INVALID_ARGUMENT}, or {@code DENIED} if it is not the team's own
     */
    @Nullable
    String tenant(@Nullable String given) {
        String wanted = given == null || given.isEmpty() ? null : WeaviateIdentifiers.tenant(given);
        if (boundTenant == null) {
            return wanted;
        }
        if (wanted != null && !wanted.equals(boundTenant)) {
            throw new ToolException(
                    FailureKind.DENIED,
                    "This team is bound to another tenant than " + WeaviateIdentifiers.quoted(wanted)
                            + "; leave tenant_name out to use its own.");
        }
        return boundTenant;
    }

    /**
     * Makes sure that the bindings can be honoured.
     *
     * @param known the schema, if the gateway's key may read it
     * @throws ToolException as for {@link #requireBindings}; {@code DENIED} also if a filter needs the schema
     */
    void requireBindings(String collection, Optional<CollectionSchema> known) {
        if (where != null && known.isEmpty()) {
            throw TeamWhere.unchecked(collection);
        }
        known.ifPresent(this::requireBindings);
    }

    /** The filter of the team for objects of {@code schema}; empty if it may see all. */
    Optional<WhereFilter> filter(CollectionSchema schema) {
        return Optional.ofNullable(where).map(team -> team.in(schema));
    }

    /** Whether {@code schema} can be searched by this team: its tenants and its filter fit. */
    boolean suits(CollectionSchema schema) {
        return schema.multiTenant() == (boundTenant != null) && (where == null || where.fits(schema));
    }

    /**
     * {@code wanted} and the team's filter, combined by And; empty if there is neither.
     *
     * @param wanted the caller's filter, or null
     */
    Optional<WhereFilter> both(@Nullable WhereFilter wanted, CollectionSchema schema) {
        Optional<WhereFilter> own = filter(schema);
        return wanted == null
                ? own
                : Optional.of(own.map(team -> WhereFilter.and(team, wanted)).orElse(wanted));
    }

    /**
     * Makes sure that the bindings can be honoured.
     *
     * @throws ToolException {@code DENIED} for a bound team and a collection that all tenants share, or that lacks what the
     *     team's filter compares
     */
    void requireBindings(CollectionSchema schema) {
        filter(schema);
        if (boundTenant != null && !schema.multiTenant()) {
            throw sharedCollection(schema.name());
        }
    }

    /** Whether objects of {@code schema} may be shown when another collection refers to them. */
    boolean mayFollow(CollectionSchema schema) {
        return mayRefer(schema.name()) && (boundTenant == null || schema.multiTenant());
    }

    /** Whether references to {@code collection} are shown. Which objects of it a filter hides is not known where one points. */
    boolean mayRefer(String collection) {
        return where == null && scope.allows(collection);
    }

    /**
     * Makes sure that a filter may compare objects of {@code collection} that others refer to.
     *
     * @throws ToolException {@code DENIED} for a bound team
     */
    void requireReferences(String collection) {
        if (boundTenant != null) {
            throw sharedCollection(collection);
        }
        if (where != null) {
            throw new ToolException(
                    FailureKind.DENIED,
                    "This team is bound to a filter, which objects that others refer to could be outside of: compare"
                            + " properties of the collection itself.");
        }
    }

    static ToolException sharedCollection(String name) {
        return new ToolException(
                FailureKind.DENIED,
                "Collection " + WeaviateIdentifiers.quoted(name)
                        + " has no tenants, and this team is bound to one: its data can't be kept apart there. Use a"
                        + " collection with tenants.");
    }
}
