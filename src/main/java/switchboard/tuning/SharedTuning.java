package switchboard.tuning;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import switchboard.async.Futures;
import switchboard.cluster.TuningRow;
import switchboard.cluster.TuningTable;

/** Shares files in the database that gateways share. */
public final class SharedTuning implements TuningShare {
    /** Longer than any time limit of the database, so that its failure comes first. */
    private static final Duration MOST = Duration.ofSeconds(60);

    private record FileKey(String team, String name) {}

    private final TuningTable table;
    private final Map<FileKey, Long> revisions = new HashMap<>();
    private long last;

    /** Files in {@code table}. */
    public SharedTuning(TuningTable table) {
        this.table = table;
    }

    @Override
    public List<TuningFile> changed() throws IOException {
        return await(table.since(last)).stream()
                .map(row -> new TuningFile(row.team(), row.name(), row.content(), row.revision()))
                .toList();
    }

    @Override
    public void taken(TuningFile file) {
        revisions.put(new FileKey(file.team(), file.name()), file.revision());
        last = Math.max(last, file.revision());
    }

    /** A server to which others failed over may lack what was taken. */
    @Override
    public void anew() {
        revisions.clear();
        last = 0;
    }

    @Override
    public void put(TuningFile file) throws IOException {
        FileKey key = new FileKey(file.team(), file.name());
        OptionalLong revision = await(
                table.put(new TuningRow(file.team(), file.name(), file.content(), revisions.getOrDefault(key, 0L))));
        if (revision.isEmpty()) {
            anew();
            throw new TuningFolder.RefusedTuningException(
                    "Another gateway has decided something meanwhile. Nothing was changed; look at it first.");
        }
        revisions.put(key, revision.getAsLong());
    }

    private static <T> T await(Future<T> future) throws IOException {
        return Futures.await(future, MOST, SharedTuning::unavailable);
    }

    private static IOException unavailable(Throwable why) {
        return new UnsharedTuningException(
                "What is decided about weights is in the database that the gateways share, which can't be used now: "
                        + why.getMessage() + ". Look at tune list before you decide again.",
                why);
    }
}
