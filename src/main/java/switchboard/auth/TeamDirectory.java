package switchboard.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** All teams, by name and by key. Immutable: a change of the teams file makes another directory. */
public final class TeamDirectory {
    /** The principal id of callers without a key; no key may have it. */
    public static final String ANONYMOUS = "anonymous";

    /** What the principal ids of bearers of access tokens begin with; no key's id can have a colon. */
    private static final String TOKEN = "jwt:";

    /** No teams. */
    public static final TeamDirectory EMPTY = new TeamDirectory(List.of());

    private final Map<String, Team> teams = new TreeMap<>();
    private final Map<String, Member> byDigest = new HashMap<>();

    /** A key and whose it is. */
    public record Member(Team team, Team.TeamKey key) {}

    /**
     * The directory of {@code teams}.
     *
     * @throws IllegalArgumentException naming every team, key id or key that is there twice
     */
    public TeamDirectory(Collection<Team> teams) {
        List<String> twice = new ArrayList<>();
        Map<String, String> ids = new HashMap<>();
        for (Team team : teams) {
            if (this.teams.put(team.name(), team) != null) {
                twice.add("team " + team.name());
            }
            for (Team.TeamKey key : team.keys()) {
                if (key.id().equals(ANONYMOUS)) {
                    throw new IllegalArgumentException(
                            "the key id " + ANONYMOUS + " is kept for callers without a key");
                }
                if (ids.put(key.id(), team.name()) != null) {
                    twice.add("key id " + key.id());
                }
                if (byDigest.put(key.sha256(), new Member(team, key)) != null) {
                    twice.add("the sha256 of key " + key.id());
                }
            }
        }
        if (!twice.isEmpty()) {
            throw new IllegalArgumentException("there twice: " + String.join(", ", twice));
        }
    }

    /** The team of that name. */
    public Optional<Team> team(String name) {
        return Optional.ofNullable(teams.get(name));
    }

    /**
     * Who the key {@code keyId} of {@code team} is now; nobody, if team or key are gone or the key has expired.
     *
     * @param keyId the id of a key, {@value #ANONYMOUS} for callers without one, or that of a bearer of tokens
     */
    public Optional<Principal> principal(String team, String keyId, Instant now) {
        return team(team)
                .filter(found -> keyId.equals(ANONYMOUS)
                        || keyId.startsWith(TOKEN)
                        || found.keys().stream().anyMatch(key -> key.id().equals(keyId) && !key.expired(now)))
                .map(found -> found.principal(keyId));
    }

    /** The principal id of somebody with a token of {@code issuer}. */
    static String tokenId(String issuer, String subject) {
        return TOKEN + issuer + ":" + subject;
    }

    /** Whether {@code identity} is still somebody at {@code now}: its team and its key, with the same secret, are there. */
    public boolean knows(PrincipalId principalId, Instant now) {
        return principal(principalId.team(), principalId.id(), now)
                .filter(found -> found.identity().equals(principalId))
                .isPresent();
    }

    /** Whether {@code principal} may go on at {@code now} just as when it was authenticated. */
    public boolean stands(Principal principal, Instant now) {
        TokenGrant token = principal.delegation();
        return principal(principal.team(), principal.id(), now)
                .map(found -> token == null ? found : found.by(token))
                .filter(found -> found.equals(principal) && (token == null || now.isBefore(token.expires())))
                .isPresent();
    }

    /** The teams, by name. */
    public Collection<Team> teams() {
        return List.copyOf(teams.values());
    }

    /**
     * Whose key {@code text} is. The look-up goes by digest, which tells an attacker nothing about a stored one, and the
     * digests are compared in constant time besides.
     */
    public Optional<Member> memberWith(String text) {
        String digest = ApiKey.sha256(text);
        Member member = byDigest.get(digest);
        return member != null
                        && MessageDigest.isEqual(
                                digest.getBytes(StandardCharsets.US_ASCII),
                                member.key().sha256().getBytes(StandardCharsets.US_ASCII))
                ? Optional.of(member)
                : Optional.empty();
    }
}
