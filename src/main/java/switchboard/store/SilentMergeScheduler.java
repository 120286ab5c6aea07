package switchboard.store;

import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges segments on one thread of its own. A merge that fails (a full disk, mostly) loses nothing: the segments it read
 * are still there, and a later merge tries again; so it is logged and no more.
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
