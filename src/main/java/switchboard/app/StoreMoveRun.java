package switchboard.app;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.backend.embedded.StoreKind;
import switchboard.call.FailureKind;
import switchboard.call.NotOwnerException;
import switchboard.call.ToolException;
import switchboard.cluster.ClusterUnavailableException;
import switchboard.cluster.CommandDocuments;
import switchboard.cluster.PerhapsMadeException;
import switchboard.config.BackendConfig;
import switchboard.config.ClusterConfig;
import switchboard.config.GatewayConfig;
import switchboard.config.SharesDocuments;
import switchboard.replica.StoreMove;
import switchboard.replica.StoreMove.MovedLibrary;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.StoreSettings;

/**
 * Copies the documents of a backend from its data folder into the database that gateways share, or back. No gateway may use the
 * folder. Blocks: call it on the thread of a command.
 */
public final class StoreMoveRun {
    private final GatewayConfig config;
    private final Installation installation;
    private final StoreKind to;
    private final String backend;
    private final Path folder;

    /**
     * A move of all libraries of a backend.
     *
     * @param to where the documents go
     * @param chosen the backend's id; null for the only one that there is
     * @param folder the data folder; null for that of the backend
     * @throws CommandRefusedException if the configuration does not fit
     */
    public StoreMoveRun(
            GatewayConfig config,
            Installation installation,
            StoreKind to,
            @Nullable String chosen,
            @Nullable Path folder) {
        this.config = config;
        this.installation = installation;
        this.to = to;
        this.backend = backend(config, chosen);
        Path usual = Objects.requireNonNull(settings(config).get(backend)).dataDir();
        Path place = folder == null ? installation.data().resolve(usual) : folder;
        this.folder = place.toAbsolutePath().normalize();
    }

    private static Map<String, SharesDocuments> settings(GatewayConfig config) {
        return config.backends().entrySet().stream()
                .filter(one -> one.getValue().settings() instanceof SharesDocuments)
                .collect(Collectors.toMap(Map.Entry::getKey, one -> shared(one.getValue())));
    }

    private static SharesDocuments shared(BackendConfig backend) {
        return (SharesDocuments) backend.settings();
    }

    private static String backend(GatewayConfig config, @Nullable String chosen) {
        List<String> there = settings(config).keySet().stream().sorted().toList();
        if (chosen != null && there.contains(chosen)) {
            return chosen;
        }
        if (chosen == null && there.size() == 1) {
            return there.getFirst();
        }
        throw refused((chosen == null ? "Name the backend with --backend" : "--backend " + chosen)
                + ": the backends whose documents can be moved are " + there + ".");
    }

    private static CommandRefusedException refused(String why) {
        return new CommandRefusedException(why);
    }

    /** The backend's id. */
    public String backend() {
        return backend;
    }

    /** The data folder. */
    public Path folder() {
        return folder;
    }

    /**
     * Moves.
     *
     * @throws CommandRefusedException if the database or the folder can't be used; what was copied stays
     * @throws switchboard.call.ToolException if the target has other documents, or can't be written
     */
    public List<MovedLibrary> run(StoreMove.MoveListener listener) {
        ClusterConfig cluster = config.cluster();
        if (cluster == null) {
            throw refused("There is no section cluster with the database that gateways share; add it.");
        }
        if (to == StoreKind.CLUSTER && !StoreSettings.of(folder, backend).exists()) {
            throw refused("There is no folder " + folder + " with documents; name it with --dir.");
        }
        try (Platform platform = Platform.create(config, installation, Clock.systemUTC())) {
            CommandDocuments shared = shared(platform, cluster);
            try {
                return between(shared, platform, listener);
            } catch (ClusterUnavailableException | PerhapsMadeException e) {
                throw new ToolException(
                        FailureKind.UNAVAILABLE,
                        "The database that gateways share can't be used any more (" + e.getMessage()
                                + "). What was copied stays; run the same command again to continue.");
            } finally {
                Platform.finish("database", shared.close());
            }
        }
    }

    private static CommandDocuments shared(Platform platform, ClusterConfig cluster) {
        try {
            return CommandDocuments.open(platform.vertx(), cluster, platform.share(), platform.clock());
        } catch (IllegalArgumentException e) {
            throw refused(String.valueOf(e.getMessage()));
        } catch (ClusterUnavailableException e) {
            throw new CommandRefusedException("The database that gateways share can't be used: " + e.getMessage(), e);
        }
    }

    private List<MovedLibrary> between(CommandDocuments shared, Platform platform, StoreMove.MoveListener listener) {
        LuceneDocumentStore local = open(platform);
        try {
            check(local);
            return switch (to) {
                case CLUSTER -> StoreMove.toCluster(local, shared.tables(), backend, listener);
                case LOCAL -> StoreMove.toLocal(shared.tables(), backend, local, listener);
            };
        } finally {
            Platform.finish("store", local.close());
        }
    }

    private LuceneDocumentStore open(Platform platform) {
        try {
            return LuceneDocumentStore.open(
                            platform.vertx(),
                            platform.meters(),
                            platform.clock(),
                            StoreSettings.of(folder, backend).asItIs())
                    .await();
        } catch (NotOwnerException e) {
            throw new CommandRefusedException(
                    "A gateway uses the folder " + folder
                            + (to == StoreKind.CLUSTER
                                    ? ". Stop it first, because the documents must not change meanwhile"
                                    : ". Name another folder, an empty one, with --dir"),
                    e);
        } catch (Exception e) { // await rethrows what it failed with, checked or not
            throw new CommandRefusedException("The folder " + folder + " can't be used: " + e.getMessage(), e);
        }
    }

    private void check(LuceneDocumentStore local) {
        if (!local.damaged().isEmpty()) {
            throw CommandRefusedException.ofFiles(
                    "The folder " + folder + " has damaged files (" + String.join(", ", local.damaged())
                            + "). Run `switchboard doctor`, restore them, and run this command again.");
        }
        if (local.replica().isCopy()) {
            throw refused("The folder " + folder + " has files that follow the database, no documents of its own;"
                    + " name another folder with --dir.");
        }
        if (to == StoreKind.CLUSTER) {
            checkSource(local);
        }
    }

    /** Reads all files, because only this finds wrong bytes that would be copied. */
    private void checkSource(LuceneDocumentStore local) {
        if (local.namespaces().isEmpty()) {
            throw refused("The folder " + folder + " has no documents; name the one that has with --dir.");
        }
        List<String> problems = local.check().await().stream()
                .flatMap(library -> library.problems().stream()
                        .map(problem -> library.namespace().name() + ": " + problem))
                .toList();
        if (!problems.isEmpty()) {
            throw CommandRefusedException.ofFiles("The folder " + folder + " has damaged files ("
                    + String.join("; ", problems) + "). Restore them, and run this command again.");
        }
    }
}
