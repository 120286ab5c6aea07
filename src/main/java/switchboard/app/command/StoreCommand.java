package switchboard.app.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import switchboard.app.BackendTypes;
import switchboard.app.StoreMoveRun;
import switchboard.backend.embedded.StoreKind;
import switchboard.replica.StoreMove;
import switchboard.replica.StoreMove.MovedLibrary;
import switchboard.store.Namespace;

/** {@code switchboard store}. */
@Command(
        name = "store",
        description = "Move documents between a data folder and the database that gateways share.",
        subcommands = StoreCommand.Move.class,
        footer = "  switchboard store move --to cluster")
public final class StoreCommand {
    /** {@code switchboard store move}. */
    @Command(
            name = "move",
            description =
                    "Copy all libraries of a backend as they are, with their vectors, and compare both sides at the end."
                            + " Nothing is removed. No gateway may use the folder meanwhile.",
            footer = {
                "  switchboard store move --to cluster",
                "  switchboard store move --to local --backend library --dir data/local"
            })
    static final class Move extends PrintingCommand implements Callable<Integer> {
        @Mixin
        private final GatewayOptions options = new GatewayOptions();

        @Option(
                names = "--to",
                paramLabel = "STORE",
                required = true,
                description = "Where the documents go: cluster (the database) or local (the folder).")
        @SuppressWarnings("NullAway.Init") // required
        private StoreKind to;

        @Option(names = "--backend", paramLabel = "ID", description = "The backend, if there are several.")
        private @Nullable String backend;

        @Option(
                names = "--dir",
                paramLabel = "DIR",
                description = "The folder with the documents, or for them; by default the backend's dataDir.")
        private @Nullable Path folder;

        @Override
        public Integer call() {
            Logging.forPeople();
            PrintWriter err = err();
            StoreMoveRun move =
                    new StoreMoveRun(options.load(BackendTypes.shipped()), options.installation(), to, backend, folder);
            List<String> warnings = new ArrayList<>();
            try (Progress comparing = Progress.of("Comparing, documents:", 0, err);
                    Progress moving = Progress.of("Moving", 0, err)) {
                return InterruptHandler.during(err, () -> account(comparing, moving), interruption -> {
                    List<MovedLibrary> moved = move.run(new StoreMove.MoveListener() {
                        @Override
                        public void check() {
                            interruption.check();
                        }

                        @Override
                        public void compared(long done, Namespace library) {
                            comparing.at(done, 0, library.name());
                        }

                        @Override
                        public void warned(String message) {
                            warnings.add(message);
                        }

                        @Override
                        public void moved(long done, long total, Namespace library) {
                            comparing.end();
                            moving.at(done, total, library.name());
                        }
                    });
                    comparing.end();
                    moving.end();
                    print(moved, move, out());
                    warnings.forEach(warning -> err.println("Warning: " + warning));
                    return 0;
                });
            }
        }

        private static String account(Progress comparing, Progress moving) {
            comparing.end();
            moving.end();
            return "Stopped: " + moving.soFar() + " documents are in the target and stay there; nothing was removed."
                    + " Run the same command again to continue.";
        }

        private void print(List<MovedLibrary> moved, StoreMoveRun move, PrintWriter out) {
            long documents = 0;
            long libraries = moved.stream().filter(one -> one.documents() > 0).count();
            for (MovedLibrary library : moved) {
                documents += library.documents();
                out.println(line(library));
            }
            String place =
                    to == StoreKind.CLUSTER ? "the database" : move.folder().toString();
            out.println(documents + " documents in " + libraries + " libraries are in " + place
                    + ", compared with those they were copied from, which were not removed.");
            out.println("Now change switchboard.yaml" + (to == StoreKind.CLUSTER ? " on each gateway" : "") + ":");
            out.println("  backends:");
            out.println("    " + move.backend() + ":");
            out.println("      store: " + (to == StoreKind.CLUSTER ? "cluster" : "local"));
            out.println(
                    to == StoreKind.CLUSTER
                            ? "      dataDir: FOLDER   # another folder than " + move.folder()
                            : "      dataDir: " + move.folder());
            out.flush();
        }

        private static String line(MovedLibrary library) {
            return library.name() + ": " + library.documents()
                    + " documents, " + library.chunks() + " chunks, SHA-256 "
                    + library.digest().substring(0, 16) + "; " + library.copied() + " copied"
                    + more(library.kept(), "were there with the same contents and keep their ids")
                    + more(library.others(), "were there besides");
        }

        private static String more(long count, String what) {
            return count == 0 ? "" : ", " + count + " " + what;
        }
    }
}
