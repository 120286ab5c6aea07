package switchboard.app;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.auth.ApiKey;
import switchboard.config.TeamKeyConfig;
import switchboard.config.TeamLimitsConfig;

/**
 * A key that is to be in the teams file.
 *
 * @param expires the day from which it is refused; null for never
 * @param name who uses it, one line; null for nothing
 */
public record NewKey(
        ApiKey key, @Nullable LocalDate expires, @Nullable String name) {
    /** It as the file has it. */
    TeamKeyConfig config() {
        return new TeamKeyConfig(key.id(), key.sha256(), end(), name, TeamLimitsConfig.NONE, Map.of());
    }

    private @Nullable Instant end() {
        return expires == null ? null : expires.atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    /** The lines for the file. */
    public List<String> fields() {
        List<String> fields = new ArrayList<>();
        fields.add("id: '" + key.id() + "'");
        fields.add("sha256: '" + key.sha256() + "'");
        if (expires != null) {
            fields.add("expires: " + expires);
        }
        if (name != null) {
            fields.add("name: '" + name.replace("'", "''") + "'");
        }
        return fields;
    }
}
