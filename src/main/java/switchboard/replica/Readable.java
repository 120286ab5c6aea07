package switchboard.replica;

import io.vertx.core.Future;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.store.Namespace;

/**
 * What can be read of the namespaces of a read.
 *
 * @param usable those with complete files
 * @param building those whose files are being built or not begun, and how far they are
 * @param late those of the usable ones whose files lack the newest changes
 * @param away when the shared database was last read, if it can't be read now
 */
record Readable(
        List<Namespace> usable,
        SortedMap<Namespace, String> building,
        List<Namespace> late,
        @Nullable Instant away) {

    Readable {
        usable = List.copyOf(usable);
        building = Collections.unmodifiableSortedMap(new TreeMap<>(building));
        late = List.copyOf(late);
    }

    /**
     * All, or a failure if some are being built or late: a document may be another one by now, or not for this reader.
     *
     * @param newest whether that holds while the database is away, too
     */
    Future<List<Namespace>> all(boolean newest) {
        if (!building.isEmpty()) {
            return unavailable();
        }
        return late.isEmpty() || (away != null && !newest)
                ? Future.succeededFuture(usable)
                : Future.failedFuture(new ToolException(
                        FailureKind.UNAVAILABLE,
                        "This gateway could not read the newest changes in time: " + joined(late)
                                + ". Try again in a moment."));
    }

    /** Those that can be read, or a failure if that is none of several. */
    Future<List<Namespace>> some() {
        return building.isEmpty() || !usable.isEmpty() ? Future.succeededFuture(usable) : unavailable();
    }

    private Future<List<Namespace>> unavailable() {
        return Future.failedFuture(beingBuilt(progress()));
    }

    /** The failure of a read of what is being built. */
    static ToolException beingBuilt(String progress) {
        return new ToolException(
                FailureKind.UNAVAILABLE,
                "It can't be read yet: this gateway is still building its files from the shared database"
                        + (progress.isEmpty() ? "" : " (" + progress + ")") + ". Try again in a moment.");
    }

    /** Why a library can't be read. */
    String beingBuilt(Namespace namespace) {
        return "this gateway is still building its files of it from the shared database (" + building.get(namespace)
                + "); try again in a moment";
    }

    private String progress() {
        return MovedNames.some(building.entrySet().stream()
                .map(one -> one.getKey().name() + ": " + one.getValue())
                .toList());
    }

    /** What is not read. */
    Optional<String> limits() {
        String said = Stream.of(
                        outage(),
                        names(
                                "The newest changes are not searched yet, because this gateway could not read them in time: ",
                                away == null ? late : List.of()),
                        text("Not searched, because this gateway is still building its files: ", progress()))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(" "));
        return said.isEmpty() ? Optional.empty() : Optional.of(said);
    }

    private Optional<String> outage() {
        return away == null
                ? Optional.empty()
                : Optional.of("The database that the gateways share can't be reached: this is as of "
                        + away.truncatedTo(ChronoUnit.SECONDS) + ".");
    }

    private static Optional<String> names(String what, List<Namespace> namespaces) {
        return text(what, joined(namespaces));
    }

    private static String joined(List<Namespace> namespaces) {
        return namespaces.stream().map(Namespace::name).collect(Collectors.joining(", "));
    }

    private static Optional<String> text(String what, String which) {
        return which.isEmpty() ? Optional.empty() : Optional.of(what + which + ".");
    }
}
