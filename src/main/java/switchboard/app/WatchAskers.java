package switchboard.app;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Principal;
import switchboard.auth.PrincipalId;
import switchboard.call.BackendEvent.DocumentsChanged;
import switchboard.call.Caller;
import switchboard.call.ToolException;
import switchboard.call.Verb;
import switchboard.catalog.View;
import switchboard.dispatch.Requester;
import switchboard.federation.FederationBackend;
import switchboard.federation.TeamMembers;
import switchboard.watch.LastToken;
import switchboard.watch.Watch;
import switchboard.watch.WatchSettings;

/**
 * Who has asked standing questions, with the rights that they have now. Thread-safe.
 *
 * @param teams whether callers belong to teams
 */
record WatchAskers(boolean teams, TeamMembers members, AccessPolicy policy, WatchSettings settings) {
    /** Whether a question can be asked. */
    sealed interface Asking {
        /** As {@code who}, with {@code caller} for the backend of the federated tools. */
        record Ready(Requester who, Caller caller) implements Asking {}

        /** Not now. */
        record Asleep(String reason) implements Asking {}

        /** Never again: its asker is nobody any more. */
        record Gone() implements Asking {}
    }

    /** Whether it is known who there is. */
    boolean known() {
        return !teams || !members.directory().teams().isEmpty();
    }

    /** Whether its asker is nobody any more. */
    boolean isOver(Watch watch) {
        return known() && asker(watch.owner(), members.now()).isEmpty();
    }

    /**
     * Whether the asker of {@code watch} may search what has changed at {@code backend}. Otherwise the time of its last run would
     * tell when others write.
     */
    boolean maySearch(Watch watch, String backend, DocumentsChanged change) {
        View view = members.view(watch.view());
        if (!view.backends().contains(backend) && !view.backends().equals(Set.of(FederationBackend.ID))) {
            return false;
        }
        try {
            return asker(watch.owner(), members.now())
                    .map(asker -> policy.decide(
                            withToken(asker, watch),
                            view.resources().offered(backend),
                            backend,
                            Set.of(Verb.SEARCH),
                            List.of(change.source())))
                    .filter(decision -> decision instanceof AccessPolicy.PolicyDecision.Allowed(Caller caller)
                            && caller.owner().equals(change.owner()))
                    .isPresent();
        } catch (ToolException _) { // a claim is missing, so its searches find nothing there
            return false;
        }
    }

    private Principal withToken(Principal asker, Watch watch) {
        LastToken token = watch.token();
        return settings.of(watch.owner().team())
                .filter(_ -> token != null)
                .map(team -> asker.by(Objects.requireNonNull(token).grant(team.maxAge())))
                .orElse(asker);
    }

    /** Whether {@code watch} can be asked now. */
    Asking of(Watch watch) {
        Instant now = members.now();
        Optional<Principal> asker = asker(watch.owner(), now);
        if (asker.isEmpty()) {
            return new Asking.Gone();
        }
        Optional<WatchSettings.TeamWatches> team = settings.of(watch.owner().team());
        if (team.isEmpty()) {
            return new Asking.Asleep("Standing questions are off for your team. An operator can turn them on.");
        }
        LastToken token = watch.token();
        if (token != null && token.tooOld(team.get().maxAge(), now)) {
            return new Asking.Asleep("Your access token was used too long ago. Read this question with a new one.");
        }
        return asking(withToken(asker.get(), watch), watch.view());
    }

    private Optional<Principal> asker(PrincipalId owner, Instant now) {
        Optional<Principal> found = teams
                ? members.directory().principal(owner.team(), owner.id(), now)
                : Optional.of(Principal.anonymous());
        return found.filter(asker -> asker.identity().equals(owner));
    }

    private Asking asking(Principal asker, String name) {
        View view = members.view(name);
        Requester who = new Requester(asker, view);
        Optional<Caller> caller = who.caller(policy, FederationBackend.ID, FederationBackend.SEARCH);
        return asker.mayUseView(name) && caller.isPresent()
                ? new Asking.Ready(who, caller.get())
                : new Asking.Asleep(
                        "You may not search with search_everywhere now where you asked this. An operator can"
                                + " change that; or ask again in another view.");
    }
}
