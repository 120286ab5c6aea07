package switchboard.app;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import switchboard.backend.BackendServices;
import switchboard.backend.agentroot.AgentrootImport;
import switchboard.backend.agentroot.AgentrootModule;
import switchboard.backend.agentroot.AgentrootSettings;
import switchboard.call.Caller;
import switchboard.call.ResourceScope;
import switchboard.call.ToolException;
import switchboard.config.BackendConfig;
import switchboard.config.GatewayConfig;

/**
 * Imports the data of another server into a backend that no gateway serves at the moment. Blocks: call it on the thread
 * of a command.
 */
public final class ImportRun {
    private ImportRun() {}

    /**
     * Imports an agentroot database.
     *
     * @param backend the id of the backend of type {@code agentroot} to import into
     * @param team the team that owns the imported memories; {@code ""} in a gateway without teams
     * @throws CommandRefusedException if there is no such backend, its store is in use, or the file is not an agentroot database
     */
    public static AgentrootImport.Report agentroot(
            GatewayConfig config,
            Installation installation,
            String backend,
            String team,
            Path file,
            AgentrootImport.ImportListener listener) {
        BackendConfig found = config.backends().get(backend);
        if (found == null || !(found.settings() instanceof AgentrootSettings settings)) {
            throw new CommandRefusedException("There is no backend \"" + backend + "\" of type agentroot.");
        }
        Caller everything = Caller.unrestricted();
        Caller caller = new Caller(team, "import", everything.rights(), ResourceScope.ALL, Map.of());
        try (Platform platform = Platform.forCommand(config, installation, Clock.systemUTC())) {
            BackendServices services = platform.services(installation, config);
            AgentrootModule module = new AgentrootModule(
                    platform.models().embedders(), platform.models().llm(), "");
            return module.takeOver(backend, settings, services, caller, file, listener);
        } catch (ToolException e) {
            throw new CommandRefusedException(e.failed().message());
        }
    }
}
