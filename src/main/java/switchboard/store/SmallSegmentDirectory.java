package switchboard.store;

import java.io.IOException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.NRTCachingDirectory;
import org.apache.lucene.util.IOUtils;

/**
 * The directory of an index in which most files of a small segment are made in memory. A segment has up to two dozen, which become one
 * and are deleted at once: to create them was up to two fifths of the processor time of small commits. Stored texts and
 * vectors are written to the disk as they come, since their size is not known before. All files of a commit are on the disk when
 * it is made, and nothing stays in memory.
 */
final class SmallSegmentDirectory extends NRTCachingDirectory {
    /** The largest segment that is made in memory, in MB. */
    private static final double SEGMENT = 2;

    /** About how much of a commit is in memory at most, in MB. */
    private static final double ALL = 8;

    SmallSegmentDirectory(Directory disk) {
        super(disk, SEGMENT, ALL);
    }

    /** Merges go to the disk: they are few, and may wait long for the next commit. */
    @Override
    protected boolean doCacheWrite(String name, IOContext context) {
        return context.flushInfo() != null && super.doCacheWrite(name, context);
    }

    /** Removes files in memory, which belong to no commit: otherwise closing would write them. */
    @Override
    public void close() throws IOException {
        IOUtils.deleteFilesIgnoringExceptions(this, listCachedFiles());
        super.close();
    }
}
