package switchboard.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import switchboard.auth.AccessPolicy;
import switchboard.auth.BoundValue;
import switchboard.auth.Grant;
import switchboard.auth.Principal;
import switchboard.auth.Team;
import switchboard.auth.TeamDirectory;
import switchboard.call.Caller;
import switchboard.call.Claim;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;
import switchboard.call.Verb;
import switchboard.catalog.ArgumentValidator;
import switchboard.catalog.PublishedTool;
import switchboard.catalog.View;
import switchboard.dispatch.Requester;

/** Explains which tools a team may call, and which of its grants allow it. It decides with the same code as calls. */
public final class AccessExplanation {
    private final AccessPolicy policy = new AccessPolicy();
    private final Team team;
    private final Principal member;
    private final View view;
    private final Map<String, Claim> claims;

    /**
     * Explains for one team.
     *
     * @param view the tools to explain
     * @param claims what is known about the caller, by name
     * @throws IllegalArgumentException if there is no such team
     */
    public AccessExplanation(TeamDirectory teams, String team, View view, Map<String, Claim> claims) {
        this.team = teams.team(team)
                .orElseThrow(() -> new IllegalArgumentException("there is no team \"" + team + "\"; there are "
                        + teams.teams().stream().map(Team::name).collect(Collectors.joining(", "))));
        this.member = teams.principal(
                        team, TeamDirectory.ANONYMOUS, Clock.systemUTC().instant())
                .orElseThrow();
        this.view = view;
        this.claims = Map.copyOf(claims);
    }

    /**
     * The decision about calls of a tool.
     *
     * @param resources the resources that the call names; empty for all its calls
     * @param reasons for each verb of the tool, what allows it
     */
    public record ToolAccess(
            PublishedTool tool,
            List<String> resources,
            AccessPolicy.PolicyDecision decision,
            List<VerbGrants> reasons) {}

    /**
     * What allows a verb of a tool.
     *
     * @param grants those of the team that do, on some resource; empty if there is none
     */
    public record VerbGrants(Verb verb, List<Grant> grants) {}

    /** The name of the view, empty for the default one. */
    String view() {
        return view.name();
    }

    /** For every tool of the view, the decision and the grants behind it. */
    public List<ToolAccess> tools() {
        return view.tools().stream().map(tool -> on(tool, List.of())).toList();
    }

    /** The decision for a call of {@code tool} that names {@code resources}. */
    public ToolAccess on(PublishedTool tool, List<String> resources) {
        return new ToolAccess(
                tool, resources, new Requester(member, view).decide(policy, tool, resources), reasons(tool));
    }

    /** One line for every tool of the view: the decision and the grants behind it. */
    public List<String> all() {
        List<String> lines = new ArrayList<>();
        lines.add("team " + team.name() + ": " + team.keys().size() + " keys; views: "
                + (team.views() == null
                        ? "all"
                        : team.views().stream()
                                .map(name -> name.isEmpty() ? "default" : name)
                                .sorted()
                                .collect(Collectors.joining(", "))));
        team.bindings().keySet().stream().sorted().forEach(backend -> lines.addAll(bound(backend)));
        for (ToolAccess access : tools()) {
            PublishedTool tool = access.tool();
            lines.add(tool.name() + " (" + tool.backend() + "): " + verdict(access));
            lines.addAll(lines(access.reasons()));
        }
        return lines;
    }

    /**
     * The decision for one call with these arguments.
     *
     * @throws IllegalArgumentException if the view has no such tool
     */
    public List<String> call(String name, ObjectNode arguments) {
        PublishedTool tool = tool(name);
        List<String> lines = new ArrayList<>();
        switch (tool.validator().check(arguments)) {
            case ArgumentValidator.Validation.Invalid invalid -> {
                lines.add(tool.name() + ": refused, the arguments are not valid:");
                invalid.problems().forEach(problem -> lines.add("  " + problem));
            }
            case ArgumentValidator.Validation.Valid valid -> {
                List<String> resources = tool.descriptor().resources(valid.arguments());
                lines.add(tool.name() + (resources.isEmpty() ? "" : " on " + String.join(", ", resources)) + ": "
                        + verdict(on(tool, resources)));
            }
        }
        lines.addAll(lines(reasons(tool)));
        lines.addAll(bound(tool.backend()));
        return lines;
    }

    /**
     * The tool of the view that calls of {@code name} reach.
     *
     * @throws IllegalArgumentException if there is none
     */
    public PublishedTool tool(String name) {
        return switch (view.find(name)) {
            case View.Lookup.ToolFound found -> found.tool();
            case View.Lookup.Ambiguous ambiguous ->
                throw new IllegalArgumentException(
                        "several tools are called " + name + ": " + String.join(", ", ambiguous.names()));
            case View.Lookup.Unknown _ -> throw new IllegalArgumentException("there is no tool " + name);
        };
    }

    /** What a caller with the claims is bound to at a backend, or why it is refused. */
    private List<String> bound(String backend) {
        Caller caller = new Caller(
                team.name(),
                "<principal>",
                Rights.ALL,
                ResourceScope.ALL,
                team.bindings().getOrDefault(backend, Map.of()),
                claims);
        return caller.bindings().keySet().stream()
                .sorted()
                .flatMap(name -> caller.binding(name).stream())
                .map(BoundValue::of)
                .map(bound -> "bound at " + backend + ": " + bound.name() + " = " + shown(bound))
                .toList();
    }

    private static String shown(BoundValue bound) {
        return bound.refused() ? bound.text() + ": refused. " + bound.problem() : bound.text();
    }

    private static String verdict(ToolAccess access) {
        return switch (access.decision()) {
            case AccessPolicy.PolicyDecision.Allowed allowed ->
                allowed.caller().scope().unrestricted()
                        ? "allowed"
                        : "allowed, on "
                                + allowed.caller().scope().allOf().stream()
                                        .map(globs -> String.join(" or ", globs))
                                        .collect(Collectors.joining(" and "));
            case AccessPolicy.PolicyDecision.Denied denied -> "denied, no grant covers \"" + denied.resource() + "\"";
            case AccessPolicy.PolicyDecision.Invisible _ -> "not listed, as if it did not exist";
            case AccessPolicy.PolicyDecision.InsufficientScope insufficient ->
                "allowed with a token of the scopes " + String.join(" ", insufficient.needed());
        };
    }

    /** For each verb of the tool, the grants that allow it. */
    private List<VerbGrants> reasons(PublishedTool tool) {
        return tool.descriptor().verbs().stream()
                .sorted()
                .map(verb -> new VerbGrants(
                        verb,
                        team.grants().stream()
                                .filter(grant -> (grant.covers(tool.backend())
                                                || tool.descriptor().effects().perBackend())
                                        && grant.verbs().contains(verb))
                                .toList()))
                .toList();
    }

    private static List<String> lines(List<VerbGrants> reasons) {
        return reasons.stream()
                .map(reason -> "  " + reason.verb().word() + ": "
                        + (reason.grants().isEmpty()
                                ? "no grant"
                                : "granted by "
                                        + reason.grants().stream()
                                                .map(Grant::text)
                                                .collect(Collectors.joining(", "))))
                .toList();
    }
}
