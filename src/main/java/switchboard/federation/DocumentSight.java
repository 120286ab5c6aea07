package switchboard.federation;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.auth.AccessPolicy;
import switchboard.auth.BoundValue;
import switchboard.auth.Grant;
import switchboard.auth.Principal;
import switchboard.auth.Team;
import switchboard.auth.TeamDirectory;
import switchboard.call.BackendRequest;
import switchboard.call.Binding;
import switchboard.call.Caller;
import switchboard.call.Claim;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;
import switchboard.call.Verb;
import switchboard.catalog.View;

/**
 * Whether a member of a team sees a document, and why. The decision is the one of {@link AccessPolicy} and of the backend,
 * which is asked as that member; the reasons only explain it. For one call.
 */
final class DocumentSight {
    /** The tool answers, even if the backend does not. */
    private static final int PARTS_OF_THE_TIME = 2;

    private static final String PRINCIPAL = "{principal}";

    private final WhyNotTool.Args asked;
    private final DocumentUri document;
    private final FederatedCaller operator;
    private final FederationSettings settings;
    private final FederationBackend.Dependencies dependencies;
    private final List<SightReason> reasons = new ArrayList<>();

    DocumentSight(
            WhyNotTool.Args asked,
            DocumentUri document,
            FederatedCaller operator,
            FederationSettings settings,
            FederationBackend.Dependencies dependencies) {
        this.asked = asked;
        this.document = document;
        this.operator = operator;
        this.settings = settings;
        this.dependencies = dependencies;
    }

    /** The whole answer. */
    Future<WhyNotTool.Reply> explain() {
        if (!dependencies.searchable().contains(document.backend())) {
            say(
                    SightReason.SightStep.DOCUMENT,
                    "There is no backend \"" + document.backend() + "\" whose documents have addresses.");
            return answer(false);
        }
        TeamDirectory directory = dependencies.members().directory();
        Team team = directory.team(asked.team()).orElse(null);
        if (team == null) {
            say(SightReason.SightStep.TEAM, "There is no team \"" + asked.team() + "\".");
            return answer(false);
        }
        boolean shown = sayViews(team);
        Principal member = member(directory, team).orElse(null);
        if (member == null) {
            return answer(false);
        }
        Optional<Caller> reader = granted(team, member);
        Caller bound = reader.orElseGet(() -> member.caller(document.backend(), Rights.NONE, ResourceScope.NOTHING));
        sayBindings(bound);
        return look(bound, shown && reader.isPresent());
    }

    private void say(SightReason.SightStep step, String text) {
        reasons.add(new SightReason(step, text));
    }

    private Future<WhyNotTool.Reply> answer(@Nullable Boolean seen) {
        return Future.succeededFuture(
                new WhyNotTool.Reply(document.toString(), asked.team(), seen, List.copyOf(reasons)));
    }

    /** Whether one of the team's views shows the source. */
    private boolean sayViews(Team team) {
        Set<String> views = team.views();
        if (views == null) {
            say(SightReason.SightStep.TEAM, "The team may use all views.");
            return true;
        }
        boolean shown = views.stream().map(dependencies.members()::view).anyMatch(this::shows);
        say(
                SightReason.SightStep.TEAM,
                "The team may use the views "
                        + views.stream()
                                .map(name -> name.isEmpty() ? "default" : name)
                                .sorted()
                                .collect(Collectors.joining(", "))
                        + (shown ? "." : "; none of them shows " + document.label() + "."));
        return shown;
    }

    private boolean shows(View view) {
        return (view.backends().contains(document.backend()) || view.backends().equals(Set.of(FederationBackend.ID)))
                && view.resources().of(FederationBackend.ID).allows(document.label())
                && view.resources().offered(document.backend()).allows(document.source());
    }

    /** The member that is asked about; empty if there is no such key, or it has expired. */
    private Optional<Principal> member(TeamDirectory directory, Team team) {
        Instant now = dependencies.members().now();
        String id = asked.key();
        if (id == null) {
            return directory
                    .principal(team.name(), TeamDirectory.ANONYMOUS, now)
                    .map(member -> member.knowing(claims()));
        }
        Team.TeamKey key = team.keys().stream()
                .filter(found -> found.id().equals(id))
                .findFirst()
                .orElse(null);
        if (key == null) {
            say(SightReason.SightStep.KEY, "The team has no key \"" + id + "\".");
            return Optional.empty();
        }
        Optional<Principal> member = directory.principal(team.name(), id, now);
        say(
                SightReason.SightStep.KEY,
                member.isEmpty()
                        ? "The key has expired, at " + key.expires() + "."
                        : "The key is valid. " + named(key.claims().keySet()));
        return member;
    }

    private static String named(Set<String> claims) {
        return claims.isEmpty()
                ? "It has no claims."
                : "It has the claims " + claims.stream().sorted().collect(Collectors.joining(", ")) + ".";
    }

    private Map<String, Claim> claims() {
        if (asked.claims() == null) {
            return Map.of();
        }
        Map<String, Claim> known = dependencies.members().known(asked.claims());
        List<String> dropped = asked.claims()
                .propertyStream()
                .map(Map.Entry::getKey)
                .filter(name -> !known.containsKey(name))
                .sorted()
                .toList();
        if (!dropped.isEmpty()) {
            say(
                    SightReason.SightStep.CLAIMS,
                    "Left out, because no issuer's carry names them: " + String.join(", ", dropped) + ".");
        }
        return known;
    }

    /** The member as the backend knows it; empty if it may neither read nor search the source. */
    private Optional<Caller> granted(Team team, Principal member) {
        Optional<Caller> reads = allowed(member, FederatedCaller.READ);
        Optional<Caller> searches = allowed(member, FederatedCaller.SEARCH);
        say(SightReason.SightStep.GRANTS, grants(team, Verb.READ, reads.isPresent()));
        say(SightReason.SightStep.GRANTS, grants(team, Verb.SEARCH, searches.isPresent()));
        return reads.or(() -> searches);
    }

    private Optional<Caller> allowed(Principal member, Set<Verb> verbs) {
        return dependencies
                                .policy()
                                .decide(
                                        member,
                                        ResourceScope.ALL,
                                        document.backend(),
                                        verbs,
                                        List.of(document.source()))
                        instanceof AccessPolicy.PolicyDecision.Allowed(Caller caller)
                ? Optional.of(caller)
                : Optional.empty();
    }

    private String grants(Team team, Verb verb, boolean allowed) {
        return allowed
                ? verb.word() + " of " + document.label() + " is granted by "
                        + team.grants().stream()
                                .filter(grant -> grant.allows(document.backend(), verb, document.source()))
                                .map(Grant::text)
                                .collect(Collectors.joining(", "))
                        + "."
                : "No grant of the team allows " + verb.word() + " of " + document.label() + ".";
    }

    private void sayBindings(Caller caller) {
        if (caller.bindings().isEmpty()) {
            say(SightReason.SightStep.BINDINGS, "The team is bound to nothing at " + document.backend() + ".");
        }
        caller.bindings().keySet().stream()
                .sorted()
                .flatMap(name -> caller.binding(name).stream())
                .forEach(binding -> say(SightReason.SightStep.BINDINGS, text(binding)));
    }

    private String text(Binding binding) {
        if (nameless(binding.text())) {
            return binding.name() + " is " + binding.text() + ", which depends on who the caller is: name a key.";
        }
        BoundValue bound = BoundValue.of(binding);
        return bound.refused()
                ? binding.name() + " is " + bound.text() + ", and calls of this caller are refused. " + bound.problem()
                : binding.name() + " is " + bound.text() + ".";
    }

    /** Whether a binding names the caller, and nobody has said who that is. */
    private boolean nameless(String binding) {
        return asked.key() == null && binding.contains(PRINCIPAL);
    }

    /**
     * Asks the backend as the caller, and as callers from whom less is hidden.
     *
     * @param may whether the caller may ask the backend at all
     */
    private Future<WhyNotTool.Reply> look(Caller caller, boolean may) {
        Future<SightAnswer> own = may ? seenBy(caller) : Future.succeededFuture(new SightAnswer.NotAsked());
        Future<SightAnswer> unbound = everything(caller, Map.of());
        String owner = caller.bindings().get(SightTexts.OWNER);
        Future<SightAnswer> owned = owner == null ? unbound : everything(caller, Map.of(SightTexts.OWNER, owner));
        return Future.join(own, owned, unbound).compose(_ -> {
            SightTexts texts = new SightTexts(caller, own.result(), owned.result(), unbound.result());
            say(SightReason.SightStep.DOCUMENT, texts.text());
            return answer(own.result().seen());
        });
    }

    private Future<SightAnswer> seenBy(Caller caller) {
        return caller.bindings().values().stream().anyMatch(this::nameless)
                ? Future.succeededFuture(new SightAnswer.Untold("a binding depends on who the caller is. Name a key."))
                : ask(caller);
    }

    /**
     * What it says to a caller who is kept from no document of what {@code bindings} leave. Only embedded stores know the
     * binding {@code documents}; others refuse who has it, and need none.
     */
    private Future<SightAnswer> everything(Caller caller, Map<String, String> bindings) {
        Map<String, String> all = new HashMap<>(bindings);
        all.put(SightTexts.DOCUMENTS, "all");
        return ask(bound(caller, all))
                .compose(answer -> answer instanceof SightAnswer.Refused
                        ? ask(bound(caller, bindings))
                        : Future.succeededFuture(answer));
    }

    private static Caller bound(Caller caller, Map<String, String> bindings) {
        return new Caller(caller.team(), caller.principal(), Rights.ALL, ResourceScope.ALL, bindings, caller.claims());
    }

    /** What the backend says to {@code caller}; late answers are told as such. The future never fails. */
    private Future<SightAnswer> ask(Caller caller) {
        Duration half = operator.context().remaining().dividedBy(PARTS_OF_THE_TIME);
        return operator.ask(
                        document.backend(),
                        new BackendRequest.ReadDocument(
                                document.source(),
                                document.document(),
                                0,
                                1,
                                settings.declared(document.backend(), document.label())
                                        .fields()),
                        caller.inspectedBy(operator.principal().team()),
                        Collections.min(List.of(settings.deadline(), half)))
                .map(SightAnswer::of);
    }
}
