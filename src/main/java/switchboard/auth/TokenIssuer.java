package switchboard.auth;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Somebody whose access tokens are accepted.
 *
 * @param name what logs and principals call it
 * @param identifier the {@code iss} of its tokens, exactly
 * @param keys its keys
 * @param audiences accepted besides the gateway's own URL
 * @param membership which team the bearer is in
 * @param scopeClaim where the scopes are: a name, or a JSON pointer
 * @param carried the claims that backends get to know: names, or JSON pointers
 */
public record TokenIssuer(
        String name,
        String identifier,
        IssuerKeys keys,
        Set<String> audiences,
        Membership membership,
        String scopeClaim,
        Set<String> carried) {
    /** Longest value of a claim that is carried. */
    private static final int MAX_CARRIED = 1000;

    public TokenIssuer {
        audiences = Set.copyOf(audiences);
        carried = Set.copyOf(carried);
    }

    /** From the claims of a token to the team of its bearer. */
    public sealed interface Membership {
        /** Whoever has a token is in {@code team}. */
        record Fixed(String team) implements Membership {}

        /**
         * A claim names it.
         *
         * @param claim a name, or a JSON pointer; its value is a string or an array of strings
         * @param teams by value, the team; empty if the values are the teams' names
         */
        record ByClaim(String claim, Map<String, String> teams) implements Membership {
            public ByClaim {
                teams = Map.copyOf(teams);
            }
        }
    }

    /** The teams that {@code claims} make their bearer a member of. */
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

    /** Of {@code claims} those that backends get to know. Lists, objects and what is too long count as not there. */
    Map<String, String> carried(JsonNode claims) {
        Map<String, String> values = new HashMap<>();
        for (String name : carried) {
            JsonNode value = claim(claims, name);
            if (value != null
                    && value.isValueNode()
                    && !value.isNull()
                    && value.asText().length() <= MAX_CARRIED) {
                values.put(name, value.asText());
            }
        }
        return values;
    }

    /** The strings in a claim whose value is one or an array of them. */
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
