package switchboard.auth;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.Claim;

/**
 * An accepted issuer of access tokens.
 *
 * @param name its name in logs and principals
 * @param identifier the exact {@code iss} of its tokens
 * @param keys its keys
 * @param audiences audiences that are accepted besides the gateway's own URL
 * @param membership decides the team of the bearer
 * @param scopeClaim the claim with the scopes: a name, or a JSON pointer
 * @param carried the claims that backends may see: names, or JSON pointers
 */
public record TokenIssuer(
        String name,
        String identifier,
        IssuerKeys keys,
        Set<String> audiences,
        Membership membership,
        String scopeClaim,
        Set<String> carried) {
    public TokenIssuer {
        audiences = Set.copyOf(audiences);
        carried = Set.copyOf(carried);
    }

    /** Maps the claims of a token to the team of its bearer. */
    public sealed interface Membership {
        /** All bearers belong to {@code team}. */
        record Fixed(String team) implements Membership {}

        /**
         * A claim names the team.
         *
         * @param claim a name, or a JSON pointer; its value is a string or an array of strings
         * @param teams the team for each value; empty if the values are names of teams
         */
        record ByClaim(String claim, Map<String, String> teams) implements Membership {
            public ByClaim {
                teams = Map.copyOf(teams);
            }
        }
    }

    /** The teams that the bearer of {@code claims} belongs to. */
    Set<String> teams(JsonNode claims) {
        return switch (membership) {
            case Membership.Fixed(String team) -> Set.of(team);
            case Membership.ByClaim(String claim, Map<String, String> teams) -> {
                Set<String> found = new LinkedHashSet<>();
                for (String value : texts(claim(claims, claim))) {
                    String team = teams.isEmpty() ? value : teams.get(value);
                    if (team != null) {
                        found.add(team);
                    }
                }
                yield found;
            }
        };
    }

    /** The scopes in {@code claims}: separated by spaces (RFC 8693 section 4.2), or an array. */
    Set<String> scopes(JsonNode claims) {
        Set<String> scopes = new LinkedHashSet<>();
        for (String text : texts(claim(claims, scopeClaim))) {
            scopes.addAll(List.of(text.strip().split(" +")));
        }
        scopes.remove("");
        return scopes;
    }

    /** The {@code claims} that backends may see. */
    Map<String, Claim> carried(JsonNode claims) {
        return carried(claims, carried);
    }

    /**
     * Those of {@code claims} that are in {@code names}. Objects, lists with anything but texts and values that are too long
     * are left out.
     *
     * @param names names, or JSON pointers
     */
    public static Map<String, Claim> carried(JsonNode claims, Set<String> names) {
        Map<String, Claim> values = new HashMap<>();
        for (String name : names) {
            JsonNode value = claim(claims, name);
            if (value != null) {
                claimOf(value).ifPresent(claim -> values.put(name, claim));
            }
        }
        return values;
    }

    /** The claim with {@code value}; empty for an object, a list with anything but texts, and what is too long. */
    public static Optional<Claim> claimOf(JsonNode value) {
        if (value.isArray()) {
            return list(value).map(Claim::of);
        }
        return value.isValueNode() && !value.isNull() && value.asText().length() <= Claim.MAX_CHARACTERS
                ? Optional.of(Claim.of(value.asText()))
                : Optional.empty();
    }

    /**
     * The texts of a list that backends may see: all of them or none, because a filter that excludes them would show more
     * with a shorter list.
     */
    private static Optional<List<String>> list(JsonNode value) {
        List<String> texts = texts(value);
        return texts.size() == value.size()
                        && texts.size() <= Claim.MAX_VALUES
                        && texts.stream().allMatch(text -> text.length() <= Claim.MAX_CHARACTERS)
                ? Optional.of(texts)
                : Optional.empty();
    }

    /** The strings of a claim whose value is a string or an array of strings. */
    static List<String> texts(@Nullable JsonNode value) {
        if (value == null) {
            return List.of();
        }
        if (value.isTextual()) {
            return List.of(value.asText());
        }
        return value.isArray()
                ? value.valueStream()
                        .filter(JsonNode::isTextual)
                        .map(JsonNode::asText)
                        .toList()
                : List.of();
    }

    private static @Nullable JsonNode claim(JsonNode claims, String name) {
        return name.startsWith("/") ? claims.at(name) : claims.get(name);
    }
}
