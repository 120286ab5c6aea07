package switchboard.call;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Who a call acts for, as far as a backend needs to know.
 *
 * @param team the team's name; {@code ""} in a gateway without teams
 * @param principal the key or subject, unique in the team; for logs and ownership, never a secret
 * @param verbs what the caller may do with this backend at all; for tools whose parts need more than the tool itself
 * @param scope which resources (collections, indexes, tables, libraries) of this backend the call may touch or name
 * @param bindings the team's fixed values for this backend (tenant, owner, filter, role), by name
 */
public record Caller(
        String team, String principal, Set<Verb> verbs, ResourceScope scope, Map<String, String> bindings) {
    public Caller {
        verbs = Set.copyOf(verbs);
        bindings = Map.copyOf(bindings);
    }

    /** The caller of a gateway that knows no teams. */
    public static Caller unrestricted() {
        return new Caller("", "anonymous", EnumSet.allOf(Verb.class), ResourceScope.ALL, Map.of());
    }
}
