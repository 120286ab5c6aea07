package switchboard.protocol;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Principal;
import switchboard.call.Verb;
import switchboard.catalog.PublishedTool;
import switchboard.catalog.View;

/** Who may hear that a backend changed: those whose view shows it and who may use some of it. */
public final class Audience {
    private final ProtocolServices services;

    /** An audience by {@code services}' views and policy. */
    public Audience(ProtocolServices services) {
        this.services = services;
    }

    /** Whether {@code principal} sees another list of tools in {@code after} than in {@code before}. */
    boolean seesOther(Principal principal, View before, View after) {
        return !Arrays.deepEquals(entries(principal, before), entries(principal, after));
    }

    private byte[][] entries(Principal principal, View view) {
        return view.tools().stream()
                .filter(tool -> !(services.policy()
                                .decide(
                                        principal,
                                        tool.backend(),
                                        tool.descriptor().verbs(),
                                        List.of())
                        instanceof AccessPolicy.Decision.Invisible))
                .map(PublishedTool::json)
                .toArray(byte[][]::new);
    }

    /** Whether the backend concerns {@code principal} at the view {@code viewName}. */
    public boolean concerns(Principal principal, String viewName, String backendId) {
        View view = services.views().view(viewName);
        boolean shown = view.backends().contains(backendId)
                || view.tools().stream().anyMatch(tool -> tool.backend().equals(backendId));
        return shown
                && EnumSet.allOf(Verb.class).stream()
                        .anyMatch(verb -> !(services.policy().decide(principal, backendId, Set.of(verb), List.of())
                                instanceof AccessPolicy.Decision.Invisible));
    }
}
