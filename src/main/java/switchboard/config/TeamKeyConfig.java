package switchboard.config;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A key of a team. */
public record TeamKeyConfig(
        @Doc("Its name in logs and metrics.") String id,

        @Doc(
                "SHA-256 of the key's text, 64 hexadecimal digits; `switchboard keys create` prints it. A key that the team"
                        + " has already works as well, if it has at least 128 random bits.")
        String sha256,

        @Doc("When it expires: a date (its beginning in UTC) or an instant such as 2027-01-31T12:00:00Z.") @Nullable
        Instant expires,

        @Doc("Who uses it; a note for people.") @Nullable String name,

        @Doc("Its own limits, within the team's.") TeamLimitsConfig limits,

        @Doc(
                "What is known about who uses it, for the placeholders of `bindings` and for declared queries, as a token has"
                        + " claims: `{department: [sales], groups: [staff, managers]}`. One value counts as a text.")
        Map<String, List<String>> claims) {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    private static final int MOST_VALUES = 1000;
    private static final int LONGEST_VALUE = 1000;
    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

    public TeamKeyConfig {
        claims = Map.copyOf(claims);
        claims.forEach((claim, values) -> {
            if (values.isEmpty()
                    || values.size() > MOST_VALUES
                    || values.stream().anyMatch(value -> value.length() > LONGEST_VALUE)) {
                throw new IllegalArgumentException("claims." + claim + " has 1 to " + MOST_VALUES
                        + " values of at most " + LONGEST_VALUE + " characters");
            }
        });
        sha256 = sha256.toLowerCase(Locale.ROOT);
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("a key's id is 1 to 64 of A-Z a-z 0-9 _ . -");
        }
        if (!DIGEST.matcher(sha256).matches()) {
            throw new IllegalArgumentException(
                    "sha256 of key " + id + " must be 64 hexadecimal digits, not the key itself");
        }
    }
}
