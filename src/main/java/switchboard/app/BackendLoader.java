package switchboard.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import switchboard.backend.Backend;
import switchboard.backend.BackendModule;
import switchboard.backend.BackendServices;
import switchboard.backend.HandlerCheck;
import switchboard.call.DiskError;
import switchboard.catalog.DescriptorReader;
import switchboard.catalog.ToolDescriptor;
import switchboard.config.BackendConfig;

/**
 * Creates the configured backends and checks their handlers against their tool descriptors. It collects all problems.
 */
final class BackendLoader {
    private final Installation installation;
    private final Map<String, BackendModule<?>> modules = new HashMap<>();
    private final Map<String, List<ToolDescriptor>> descriptors = new HashMap<>();
    private final Map<Path, String> owners = new HashMap<>();
    private final List<String> problems = new ArrayList<>();

    BackendLoader(Installation installation, List<BackendModule<?>> modules) {
        this.installation = installation;
        modules.forEach(module -> this.modules.put(module.type(), module));
    }

    /**
     * The backends of {@code configured}, sorted by id.
     *
     * @throws BootException with every problem of every backend
     */
    List<LoadedBackend> load(Map<String, BackendConfig> configured, BackendServices services) {
        List<LoadedBackend> loaded = new ArrayList<>();
        new TreeMap<>(configured).forEach((id, config) -> {
            List<ToolDescriptor> tools = descriptors.computeIfAbsent(config.type(), this::read);
            create(id, config, services).ifPresent(backend -> {
                // A tools file that could not be read has been reported already; without this, each
                // handler would be reported, too.
                if (!tools.isEmpty()) {
                    problems.addAll(HandlerCheck.problems(id, tools, backend.tools()));
                }
                loaded.add(new LoadedBackend(id, config.type(), config.required(), backend, tools));
            });
        });
        if (!problems.isEmpty()) {
            throw new BootException(BootException.Stage.CONFIGURATION, problems);
        }
        return List.copyOf(loaded);
    }

    private List<ToolDescriptor> read(String type) {
        Path file = installation.toolsFile(type);
        String name = "backends/" + type + "/tools.json";
        try {
            return DescriptorReader.read(name, Files.readAllBytes(file));
        } catch (DescriptorReader.InvalidDescriptors e) {
            problems.addAll(e.problems());
        } catch (IOException e) {
            problems.add(name + " can't be read in " + installation.home() + ": " + DiskError.problem(e));
        }
        return List.of();
    }

    private Optional<Backend> create(String id, BackendConfig config, BackendServices services) {
        BackendModule<?> module = modules.get(config.type());
        if (module == null) {
            problems.add("backends." + id + ": no module for the type " + config.type());
            return Optional.empty();
        }
        try {
            return Optional.of(create(module, id, config, services));
        } catch (IllegalArgumentException e) {
            problems.add("backends." + id + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    private <S extends Record> Backend create(
            BackendModule<S> module, String id, BackendConfig config, BackendServices services) {
        S settings = module.settingsType().cast(config.settings());
        module.dataFolder(settings).ifPresent(folder -> own(id, folder, services.dataDir()));
        return module.create(id, settings, services);
    }

    /** Two backends on one folder would answer each other's calls: one of them relays to the owner of the data. */
    private void own(String id, Path folder, Path dataDir) {
        String owner =
                owners.putIfAbsent(dataDir.resolve(folder).toAbsolutePath().normalize(), id);
        if (owner != null) {
            throw new IllegalArgumentException(
                    "dataDir " + folder + " is that of " + owner + ", too; give each backend a folder of its own");
        }
    }
}
