package switchboard.store;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * Stores whose commits wait for their merges as long as these take. Elsewhere a commit leaves to the next one what is not
 * merged within half a second, and until then what was removed goes on counting in how common a word is: the same changes
 * then make the same scores on a machine that is never busy only.
 */
public final class UnhurriedStores implements DirectoryFactory {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private UnhurriedStores() {}

    /** Opens one. */
    public static Future<LuceneDocumentStore> open(
            Vertx vertx, MeterRegistry meters, Clock clock, StoreSettings settings) {
        return LuceneDocumentStore.open(vertx, meters, clock, settings, new UnhurriedStores());
    }

    @Override
    public Directory open(Path folder) throws IOException {
        return FSDirectory.open(folder);
    }

    @Override
    public void adjust(IndexWriterConfig config) {
        config.setMaxFullFlushMergeWaitMillis(PATIENCE.toMillis());
    }
}
