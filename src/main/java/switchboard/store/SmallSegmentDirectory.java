package switchboard.store;

import java.io.IOException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.NRTCachingDirectory;
import org.apache.lucene.util.IOUtils;

/**
 * The directory of an index in which the small segments of a commit are made in memory: of two dozen files, most of which become one
 * and are deleted at once, the commit writes those that stay. To create the others was two fifths of the processor time
 * of small commits. What a commit has is on the disk, as without this; after it nothing is in memory.
 */
final class SmallSegmentDirectory extends NRTCachingDirectory {
    /** The largest segment that is made in memory, in MB. */
    private static final double SEGMENT = 2;

    /** How much of a commit is in memory at most, in MB. */
    private static final double ALL = 8;

    SmallSegmentDirectory(Directory disk) {
        super(disk, SEGMENT, ALL);
    }

    /** Merges go to the disk: they are few, and may wait long for the next commit. */
    @Override
    protected boolean doCacheWrite(String name, IOContext context) {
        return context.flushInfo() != null && super.doCacheWrite(name, context);
    }

    /** Forgets what is in no commit. */
    @Override
    public void close() throws IOException {
        IOUtils.deleteFilesIgnoringExceptions(this, listCachedFiles());
        super.close();
    }
}
