package switchboard.auth;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.Caller;
import switchboard.call.Claim;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;

/**
 * An authenticated caller.
 *
 * @param team the team's name, {@code ""} in a gateway without teams
 * @param id the key's id or the token's subject; never a secret
 * @param grants what the team may do; an empty list allows nothing
 * @param bindings by backend id, the values that its calls are bound to there
 * @param views the names of the views it may use, {@code ""} for the default one; null for all
 * @param delegation what its access token allows of this, or null if there is no restriction
 * @param proof the SHA-256 of the key that it sent, which distinguishes keys that had the same id at different times;
 *     null for callers without a key
 * @param claims what the teams file says about its key, by name; a token's claims are in {@code delegation}
 */
public record Principal(
        String team,
        String id,
        List<Grant> grants,
        Map<String, Map<String, String>> bindings,
        @Nullable Set<String> views,
        @Nullable TokenGrant delegation,
        @Nullable String proof,
        Map<String, Claim> claims) {
    public Principal {
        claims = Map.copyOf(claims);
        grants = List.copyOf(grants);
        bindings = Map.copyOf(bindings);
        views = views == null ? null : Set.copyOf(views);
    }

    /** A caller without bindings who may use all views. */
    public Principal(String team, String id, List<Grant> grants) {
        this(team, id, grants, Map.of(), null, null);
    }

    /** A caller without a key. */
    public Principal(
            String team,
            String id,
            List<Grant> grants,
            Map<String, Map<String, String>> bindings,
            @Nullable Set<String> views,
            @Nullable TokenGrant delegation) {
        this(team, id, grants, bindings, views, delegation, null, Map.of());
    }

    /** The same caller, acting with an access token. */
    public Principal by(TokenGrant token) {
        return new Principal(team, id, grants, bindings, views, token, proof, claims);
    }

    /** The same caller, of whom {@code known} is known, and nothing else. */
    public Principal knowing(Map<String, Claim> known) {
        return new Principal(team, id, grants, bindings, views, null, proof, known);
    }

    /** The caller in {@code auth.mode: none}, who may do everything. */
    public static Principal anonymous() {
        return new Principal("", "anonymous", List.of(Grant.EVERYTHING));
    }

    /** The caller that a backend gets, who may do {@code rights} and use the resources {@code scope}. */
    public Caller caller(String backend, Rights rights, ResourceScope scope) {
        return new Caller(
                team,
                id,
                rights,
                scope,
                bindings.getOrDefault(backend, Map.of()),
                delegation == null ? claims : delegation.claims());
    }

    /** Whether it may use the view {@code name}. Other views do not exist for it. */
    public boolean mayUseView(String name) {
        return views == null || views.contains(name);
    }

    /** Its identity, without its rights. */
    public PrincipalId identity() {
        return new PrincipalId(team, id, proof);
    }

    /** Does not contain the proof. */
    @Override
    public String toString() {
        return "Principal[team=" + team + ", id=" + id + ", grants=" + grants + ", views=" + views + ", delegation="
                + delegation + "]";
    }
}
