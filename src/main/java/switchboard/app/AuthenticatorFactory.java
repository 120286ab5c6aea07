package switchboard.app;

import java.util.List;
import switchboard.app.BootException.Stage;
import switchboard.auth.Authenticator;
import switchboard.auth.OpenAuthenticator;
import switchboard.config.GatewayConfig;

/** Who calls, as the configuration has it; with teams, their file is followed from the first answer on. */
record AuthenticatorFactory(
        GatewayConfig config, Authentication authentication, LiveTeams teams, ConfigReloader files, Platform platform) {
    /**
     * Those who come over the network.
     *
     * @throws BootException if the teams can't be used
     */
    Authenticator agents() {
        switch (config.auth().mode()) {
            case NONE -> {}
            case KEYS -> {
                followTeams();
                List<String> missing = authentication.missingTeams(teams.current());
                if (!missing.isEmpty()) {
                    throw new BootException(Stage.CONFIGURATION, missing);
                }
            }
        }
        return authentication.authenticator(platform.vertx(), teams::current, platform.clock());
    }

    /**
     * Those who started this process: they have no key, and are whom the configuration says.
     *
     * @throws BootException if it does not say, or the teams can't be used
     */
    Authenticator local() {
        return switch (config.auth().mode()) {
            case NONE -> new OpenAuthenticator();
            case KEYS -> {
                String team = config.stdio().team();
                if (team == null) {
                    throw new BootException(
                            Stage.CONFIGURATION,
                            List.of("auth.mode is keys: say with stdio.team which team the caller on standard input"
                                    + " is"));
                }
                followTeams();
                if (teams.current().team(team).isEmpty()) {
                    throw new BootException(
                            Stage.CONFIGURATION, List.of("stdio.team: there is no team \"" + team + "\""));
                }
                yield Authentication.members(team, teams::current, platform.clock());
            }
        };
    }

    private void followTeams() {
        teams.reload();
        files.teams(config.auth().teamsFile());
    }
}
