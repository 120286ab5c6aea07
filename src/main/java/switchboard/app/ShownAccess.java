package switchboard.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.app.AccessExplanation.ToolAccess;
import switchboard.app.AccessExplanation.VerbGrants;
import switchboard.auth.AccessPolicy.PolicyDecision;
import switchboard.auth.Grant;
import switchboard.auth.Principal;
import switchboard.auth.TeamDirectory;
import switchboard.call.Json;
import switchboard.call.ResourceScope;
import switchboard.catalog.PublishedTool;
import switchboard.catalog.View;
import switchboard.console.ConsoleTeams.AccessQuestion;

/**
 * Which tools a team may call, and why, as {@link AccessExplanation} says it.
 *
 * @param views the view of a name that there is
 * @param usable whether there is a view of that name that somebody may use
 */
record ShownAccess(LiveTeams teams, Function<String, View> views, BiPredicate<Principal, String> usable) {
    private static final String DEFAULT = "default";

    /**
     * The answer to {@code question}; empty if there is no such team, view or tool.
     *
     * @param all also about tools that do not exist for the team
     */
    Optional<ObjectNode> to(AccessQuestion question, boolean all) {
        TeamDirectory directory = teams.current();
        return directory
                .principal(
                        question.team(),
                        TeamDirectory.ANONYMOUS,
                        Clock.systemUTC().instant())
                .flatMap(member -> {
                    List<String> names = views(member);
                    return called(question.view(), member, names)
                            .map(view -> new AccessExplanation(directory, question.team(), view, Map.of()))
                            .flatMap(explanation -> asked(explanation, question)
                                    .map(found -> found.stream()
                                            .filter(access -> all || listed(access))
                                            .toList())
                                    .filter(found -> question.tool() == null || !found.isEmpty())
                                    .map(found -> shown(question, names, explanation, found)));
                });
    }

    /** The names of the views that a member may use; of all that there are, the default one. */
    private List<String> views(Principal member) {
        Set<String> own = member.views() == null ? Set.of("") : member.views();
        return own.stream().filter(view -> usable.test(member, view)).sorted().toList();
    }

    private Optional<View> called(@Nullable String asked, Principal member, List<String> names) {
        return Optional.ofNullable(asked)
                .map(name -> name.equals(DEFAULT) ? "" : name)
                .or(() -> names.stream().findFirst())
                .filter(name -> usable.test(member, name))
                .map(views);
    }

    private static Optional<List<ToolAccess>> asked(AccessExplanation explanation, AccessQuestion question) {
        if (question.tool() == null) {
            return Optional.of(explanation.tools());
        }
        try {
            PublishedTool tool = explanation.tool(question.tool());
            return Optional.of(List.of(
                    explanation.on(tool, question.resource() == null ? List.of() : List.of(question.resource()))));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static boolean listed(ToolAccess access) {
        return !(access.decision() instanceof PolicyDecision.Invisible);
    }

    private static ObjectNode shown(
            AccessQuestion question, List<String> names, AccessExplanation explanation, List<ToolAccess> found) {
        String view = explanation.view();
        ObjectNode body = Json.object().put("team", question.team()).put("view", written(view));
        names.forEach(name -> body.withArray("/views").add(written(name)));
        ArrayNode tools = body.putArray("tools");
        found.forEach(access -> put(tools.addObject(), access));
        return body;
    }

    private static String written(String view) {
        return view.isEmpty() ? DEFAULT : view;
    }

    private static void put(ObjectNode body, ToolAccess access) {
        PublishedTool tool = access.tool();
        body.put("name", tool.name())
                .put("backend", tool.backend())
                .put("names_resources", tool.descriptor().scopePointer().isPresent());
        access.resources().forEach(resource -> body.put("resource", resource));
        switch (access.decision()) {
            case PolicyDecision.Allowed allowed -> {
                body.put("decision", "allowed");
                ResourceScope scope = allowed.caller().scope();
                if (!scope.unrestricted() && !scope.equals(ResourceScope.NOTHING)) {
                    ArrayNode all = body.putArray("resources");
                    scope.allOf().forEach(globs -> globs.forEach(all.addArray()::add));
                }
            }
            case PolicyDecision.Denied _ -> body.put("decision", "denied").put("why", denied(access));
            case PolicyDecision.Invisible _ -> body.put("decision", "unlisted").put("why", unlisted(access));
            case PolicyDecision.InsufficientScope _ -> body.put("decision", "token"); // nobody asks with a token here
        }
        ArrayNode verbs = body.putArray("verbs");
        for (VerbGrants reason : access.reasons()) {
            ObjectNode verb = verbs.addObject().put("verb", reason.verb().word());
            ArrayNode grants = verb.putArray("grants");
            reason.grants().forEach(grant -> put(grants.addObject(), grant, reason, access));
        }
    }

    private static void put(ObjectNode body, Grant grant, VerbGrants reason, ToolAccess access) {
        body.put("grant", grant.text());
        access.resources()
                .forEach(resource ->
                        body.put("covers", grant.allows(access.tool().backend(), reason.verb(), resource)));
    }

    private static String denied(ToolAccess access) {
        String resource = access.resources().getFirst();
        String missing = verbs(access, reason -> reason.grants().stream()
                .noneMatch(grant -> grant.allows(access.tool().backend(), reason.verb(), resource)));
        return missing.isEmpty()
                ? "The grants cover it, but the view does not offer it."
                : "No grant covers it for " + missing + ".";
    }

    private static String unlisted(ToolAccess access) {
        String missing = verbs(access, reason -> reason.grants().isEmpty());
        return missing.isEmpty()
                ? "The grants for its verbs and the view have no resource in common."
                : "No grant for " + access.tool().backend() + " gives " + missing + ".";
    }

    private static String verbs(ToolAccess access, Predicate<VerbGrants> which) {
        return access.reasons().stream()
                .filter(which)
                .map(reason -> reason.verb().word())
                .collect(Collectors.joining(", "));
    }
}
