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
import java.util.Set;
import java.util.TreeMap;

/** All teams, by name and by key. Immutable: a change of the teams file makes a new directory. */
public final class TeamDirectory {
    /** The id of principals without a key. No key may have it. */
    public static final String ANONYMOUS = "anonymous";

    /** Prefix of the ids of principals with access tokens. A key's id can't contain a colon. */
    private static final String TOKEN = "jwt:";

    /** No teams. */
    public static final TeamDirectory EMPTY = new TeamDirectory(List.of());

    private final Map<String, Team> teams = new TreeMap<>();
    private final Map<String, Member> byDigest = new HashMap<>();

    /** A key and its team. */
    public record Member(Team team, Team.TeamKey key) {}

    /**
     * Makes a directory of {@code teams}.
     *
     * @throws IllegalArgumentException naming every duplicate team, key id or key
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
                            "the key id " + ANONYMOUS + " is reserved for callers without a key");
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

    /** The same without the keys that have one of these digests. */
    public TeamDirectory without(Set<String> sha256) {
        return byDigest.keySet().stream().noneMatch(sha256::contains)
                ? this
                : new TeamDirectory(teams.values().stream()
                        .map(team -> team.without(sha256))
                        .toList());
    }

    /** The team of that name. */
    public Optional<Team> team(String name) {
        return Optional.ofNullable(teams.get(name));
    }

    /**
     * The current principal of the key {@code keyId} of {@code team}; empty if team or key no longer exist or the key
     * has expired.
     *
     * @param keyId the id of a key, {@value #ANONYMOUS} for callers without one, or the id of a bearer of tokens
     */
    public Optional<Principal> principal(String team, String keyId, Instant now) {
        return team(team)
                .filter(found -> keyId.equals(ANONYMOUS)
                        || keyId.startsWith(TOKEN)
                        || found.keys().stream().anyMatch(key -> key.id().equals(keyId) && !key.expired(now)))
                .map(found -> found.principal(keyId));
    }

    /** The principal id of a bearer of tokens of {@code issuer}. */
    static String tokenId(String issuer, String subject) {
        return TOKEN + issuer + ":" + subject;
    }

    /** Whether {@code principalId} is still valid at {@code now}: its team and its key, with the same secret, exist. */
    public boolean knows(PrincipalId principalId, Instant now) {
        return principal(principalId.team(), principalId.id(), now)
                .filter(found -> found.identity().equals(principalId))
                .isPresent();
    }

    /** Whether {@code principal} still has the same rights at {@code now} as when it was authenticated. */
    public boolean isCurrent(Principal principal, Instant now) {
        return current(principal, now).filter(principal::equals).isPresent();
    }

    /** The holder of the same key or token with the rights that it has at {@code now}; empty if it is not valid any more. */
    public Optional<Principal> current(Principal principal, Instant now) {
        TokenGrant token = principal.delegation();
        return principal(principal.team(), principal.id(), now)
                .map(found -> token == null ? found : found.by(token))
                .filter(found -> found.identity().equals(principal.identity()))
                .filter(_ -> token == null || now.isBefore(token.expires()));
    }

    /** The teams, by name. */
    public Collection<Team> teams() {
        return List.copyOf(teams.values());
    }

    /**
     * Finds the key {@code text}. It is looked up by digest, which reveals nothing about a stored key, and digests are
     * compared in constant time.
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
