package switchboard.protocol;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Principal;
import switchboard.call.BackendEvent.ListChanged;
import switchboard.call.Caller;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;
import switchboard.call.ToolException;
import switchboard.call.Verb;
import switchboard.catalog.PublishedTool;
import switchboard.catalog.ResourceAliases.OwnedResource;
import switchboard.catalog.View;
import switchboard.dispatch.Requester;

/** Decides who is notified of a backend's change: principals whose view includes it and who may use some of it. */
public final class ChangeSubscribers {
    private final ProtocolServices services;

    /** Decides by the views and the policy of {@code services}. */
    public ChangeSubscribers(ProtocolServices services) {
        this.services = services;
    }

    /** Whether {@code principal} sees another list of tools in {@code after} than in {@code before}. */
    boolean seesOther(Principal principal, View before, View after) {
        return !Arrays.deepEquals(entries(principal, before), entries(principal, after));
    }

    /** Whether other resources may be shown to it in {@code after} than in {@code before}. */
    boolean seesOtherResources(View before, View after) {
        return !before.resources().equals(after.resources())
                || !before.aliases().equals(after.aliases())
                || !before.backends().equals(after.backends());
    }

    private byte[][] entries(Principal principal, View view) {
        Requester requester = new Requester(principal, view);
        return view.tools().stream()
                .filter(tool -> requester.sees(services.policy(), tool))
                .map(PublishedTool::json)
                .toArray(byte[][]::new);
    }

    /** Whether the backend concerns {@code principal} at the view {@code viewName}. */
    public boolean concerns(Principal principal, String viewName, String backendId) {
        View view = services.views().view(viewName);
        return shown(view, backendId)
                && EnumSet.allOf(Verb.class).stream()
                        .anyMatch(verb -> could(services.policy()
                                .decide(
                                        principal,
                                        view.resources().of(backendId),
                                        backendId,
                                        Set.of(verb),
                                        List.of())));
    }

    /** Whether {@code principal} is notified, at the view {@code viewName}, that a list of the backend has changed. */
    public boolean isNotified(Principal principal, String viewName, String backendId, ListChanged change) {
        return switch (change.kind()) {
            case RESOURCES -> {
                View view = services.views().view(viewName);
                String resource = change.resource();
                yield shown(view, backendId)
                        && mayKnow(principal, backendId, change)
                        && reads(principal, view, backendId, resource == null ? List.of() : List.of(resource));
            }
            case TOOLS, PROMPTS -> concerns(principal, viewName, backendId);
        };
    }

    private static boolean shown(View view, String backendId) {
        return view.backends().contains(backendId)
                || view.tools().stream().anyMatch(tool -> tool.backend().equals(backendId));
    }

    /**
     * Whether a principal that is notified of {@code change} ({@link #isNotified}) is also notified that {@code uri} may have changed.
     */
    public boolean isNotifiedOf(
            Principal principal, String viewName, String backendId, ListChanged change, String uri) {
        View view = services.views().view(viewName);
        ResourceRoute route = ResourceRoute.of(view, services.providers(), uri);
        if (!route.backends().test(backendId)) {
            return false;
        }
        return services.providers()
                .resource(backendId, route.uri())
                .map(resource -> change.resource() == null
                        ? reads(principal, view, backendId, List.of(resource))
                        : change.resource().equalsIgnoreCase(resource))
                .orElse(true);
    }

    /** The resources of {@code backends} that the view {@code viewName} may mean by {@code uri}. */
    List<OwnedResource> owners(String viewName, Set<String> backends, String uri) {
        View view = services.views().view(viewName);
        ResourceRoute route = ResourceRoute.of(view, services.providers(), uri);
        return backends.stream()
                .filter(backend -> route.backends().test(backend) && shown(view, backend))
                .map(backend -> new OwnedResource(backend, route.uri()))
                .toList();
    }

    /** Whether {@code principal} may read {@code uri} of another server, at the view {@code viewName}. */
    boolean mayRead(Principal principal, String viewName, String backendId, String uri) {
        View view = services.views().view(viewName);
        return shown(view, backendId)
                && services.policy()
                                .decide(
                                        principal,
                                        view.resources().offered(backendId),
                                        backendId,
                                        Set.of(Verb.READ),
                                        List.of(uri))
                        instanceof AccessPolicy.PolicyDecision.Allowed(Caller caller)
                && services.providers().watchable(backendId, uri, caller);
    }

    /**
     * Of the URIs that {@code watcher} watches, those whose change it may know of, sorted.
     *
     * @param changed as for {@link ResourceWatching.Watcher#updated}
     */
    public List<String> updatesFor(
            ResourceWatching.Watcher watcher, String backendId, Map<String, Set<String>> changed) {
        Set<String> watched = watcher.watched();
        Map<String, Boolean> readable = new HashMap<>();
        return changed.entrySet().stream()
                .filter(one -> watched.contains(one.getKey()))
                .filter(one -> one.getValue().stream()
                        .anyMatch(uri -> readable.computeIfAbsent(
                                uri, _ -> mayRead(watcher.principal(), watcher.view(), backendId, uri))))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private static boolean mayKnow(Principal principal, String backendId, ListChanged change) {
        if (change.audience() == null) {
            return true;
        }
        try {
            return change.audience().test(principal.caller(backendId, Rights.ALL, ResourceScope.ALL));
        } catch (ToolException lacksClaim) {
            return false;
        }
    }

    private boolean reads(Principal principal, View view, String backendId, List<String> resources) {
        return could(services.policy()
                .decide(principal, view.resources().offered(backendId), backendId, Set.of(Verb.READ), resources));
    }

    /** Whether it may, or could with another access token. */
    private static boolean could(AccessPolicy.PolicyDecision decision) {
        return switch (decision) {
            case AccessPolicy.PolicyDecision.Allowed _, AccessPolicy.PolicyDecision.InsufficientScope _ -> true;
            case AccessPolicy.PolicyDecision.Denied _, AccessPolicy.PolicyDecision.Invisible _ -> false;
        };
    }
}
