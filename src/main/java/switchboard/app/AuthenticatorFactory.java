package switchboard.app;

import java.util.List;
import switchboard.app.BootException.Stage;
import switchboard.auth.Authenticator;
import switchboard.auth.OpenAuthenticator;
import switchboard.config.GatewayConfig;

/** Makes authenticators from the configuration. With teams, the first one also starts following the teams file. */
record AuthenticatorFactory(
        GatewayConfig config, Authentication authentication, LiveTeams teams, ConfigReloader files, Platform platform) {
    /**
     * For callers over the network.
     *
     * @throws BootException if the teams file can't be used
     */
    Authenticator agents() {
        switch (config.auth().mode()) {
            case NONE -> {}
            case KEYS -> {
                followTeams();
                BootException.throwIfAny(authentication.missingTeams(teams.current()));
            }
        }
        return authentication.authenticator(platform.vertx(), platform.executors(), teams::current, platform.clock());
    }

    /**
     * For the caller on standard input: it has no key and belongs to the team that the configuration names.
     *
     * @throws BootException if no team is named, or the teams file can't be used
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
