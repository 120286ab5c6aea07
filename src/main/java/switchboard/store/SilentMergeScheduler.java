package switchboard.store;

import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges segments on a single thread. A failed merge (usually because the disk is full) loses nothing: its segments
 * are still there and a later merge tries again, so it is only logged.
 */
final class SilentMergeScheduler extends ConcurrentMergeScheduler {
    private static final Logger LOG = LoggerFactory.getLogger(SilentMergeScheduler.class);

    SilentMergeScheduler() {
        setMaxMergesAndThreads(6, 1);
    }

    @Override
    protected void handleMergeException(Throwable failure) {
        LOG.warn("A merge of index segments failed; it will be tried again", failure);
    }
}
