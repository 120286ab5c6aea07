package switchboard.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.function.Function;
import switchboard.auth.TeamDirectory;
import switchboard.call.Claim;
import switchboard.catalog.View;
import switchboard.config.GatewayConfig;
import switchboard.federation.TeamMembers;

/** The members of the teams in the current teams file. Thread-safe. */
record LiveMembers(LiveTeams teams, CarriedClaims carried, Function<String, View> views, Clock clock)
        implements TeamMembers {
    /** Members of {@code teams}, who may use {@code views}. */
    static LiveMembers of(GatewayConfig config, LiveTeams teams, Function<String, View> views, Clock clock) {
        return new LiveMembers(teams, CarriedClaims.of(config.auth()), views, clock);
    }

    @Override
    public TeamDirectory directory() {
        return teams.current();
    }

    @Override
    public Instant now() {
        return clock.instant();
    }

    @Override
    public Map<String, Claim> known(ObjectNode claims) {
        return carried.known(claims);
    }

    @Override
    public View view(String name) {
        return views.apply(name);
    }
}
