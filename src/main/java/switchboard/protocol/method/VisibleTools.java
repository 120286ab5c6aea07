package switchboard.protocol.method;

import java.util.List;
import java.util.Optional;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Principal;
import switchboard.catalog.PublishedTool;
import switchboard.catalog.View;
import switchboard.dispatch.Requester;
import switchboard.text.ClosestName;

/** The tools of a view as one principal sees them: the same rule for lists and calls. */
public final class VisibleTools {
    /** The result of looking up a name. */
    public sealed interface Match {
        /** A tool. */
        record SingleMatch(PublishedTool tool) implements Match {}

        /** Several, under {@code names}. */
        record MultipleMatches(List<String> names) implements Match {}

        /** There is no such tool; {@code nearest} is the most similar one. */
        record NoMatch(Optional<String> nearest) implements Match {}
    }

    private final AccessPolicy policy;

    public VisibleTools(AccessPolicy policy) {
        this.policy = policy;
    }

    /** The visible tools that the view lists, in its order. */
    List<PublishedTool> list(Principal principal, View view) {
        return view.listed().stream()
                .filter(tool -> visible(principal, view, tool))
                .toList();
    }

    /** The one called {@code name}. */
    public Match find(Principal principal, View view, String name) {
        return switch (view.find(name)) {
            case View.Lookup.ToolFound found
            when visible(principal, view, found.tool()) -> new Match.SingleMatch(found.tool());
            case View.Lookup.Ambiguous ambiguous -> narrow(principal, view, name, ambiguous.names());
            case View.Lookup.ToolFound _, View.Lookup.Unknown _ -> nothing(principal, view, name);
        };
    }

    private Match narrow(Principal principal, View view, String name, List<String> candidates) {
        List<String> names = candidates.stream()
                .filter(candidate -> view.find(candidate) instanceof View.Lookup.ToolFound found
                        && visible(principal, view, found.tool()))
                .toList();
        return switch (names.size()) {
            case 0 -> nothing(principal, view, name);
            case 1 -> find(principal, view, names.getFirst());
            default -> new Match.MultipleMatches(names);
        };
    }

    private Match nothing(Principal principal, View view, String name) {
        return new Match.NoMatch(ClosestName.of(
                name,
                view.tools().stream()
                        .filter(tool -> visible(principal, view, tool))
                        .map(PublishedTool::name)
                        .toList()));
    }

    private boolean visible(Principal principal, View view, PublishedTool tool) {
        return new Requester(principal, view).sees(policy, tool);
    }
}
