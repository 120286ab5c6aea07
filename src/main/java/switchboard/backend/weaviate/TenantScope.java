package switchboard.backend.weaviate;

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
 */
record TenantScope(ResourceScope scope, @Nullable String boundTenant) {
    /** The name under which a team's binding holds its tenant. */
    static final String TENANT_BINDING = "tenant";

    /**
     * The tenants that {@code caller} may use.
     *
     * @throws ToolException {@code DENIED} if its claims name no tenant
     */
    static TenantScope of(Caller caller) {
        return new TenantScope(
                caller.scope(),
                caller.binding(TENANT_BINDING).map(TenantScope::bound).orElse(null));
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
     * Makes sure that the binding can be honoured.
     *
     * @throws ToolException {@code DENIED} for a bound team and a collection that all tenants share
     */
    void requireTenants(CollectionSchema schema) {
        if (boundTenant != null && !schema.multiTenant()) {
            throw sharedCollection(schema.name());
        }
    }

    /** Whether objects of {@code schema} may be shown when another collection refers to them. */
    boolean mayFollow(CollectionSchema schema) {
        return scope.allows(schema.name()) && (boundTenant == null || schema.multiTenant());
    }

    static ToolException sharedCollection(String name) {
        return new ToolException(
                FailureKind.DENIED,
                "Collection " + WeaviateIdentifiers.quoted(name)
                        + " has no tenants, and this team is bound to one: its data can't be kept apart there. Use a"
                        + " collection with tenants.");
    }
}
