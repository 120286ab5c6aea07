package switchboard.store;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/**
 * A directory whose disk fails at the n-th operation, once or from then on, and that knows what a power loss would leave:
 * files that were not synced are gone, renames that were not followed by a sync of the folder are undone.
 */
final class FaultyDirectory extends FilterDirectory {
    /** When the disk of all directories of a test fails. */
    static final class Disk {
        private final int failAt;
        private final boolean forGood;
        private int operations;
        private int failures;

        Disk(int failAt, boolean forGood) {
            this.failAt = failAt;
            this.forGood = forGood;
        }

        /** Whether the disk got as far as failing. */
        synchronized boolean failed() {
            return failures > 0;
        }

        private synchronized void checkAlive() throws IOException {
            if (forGood && failures > 0) {
                throw new IOException("No space left on device (gone for good)");
            }
        }

        private synchronized void operate(String what) throws IOException {
            operations++;
            if (operations == failAt || (forGood && operations > failAt)) {
                failures++;
                throw new IOException("No space left on device (" + what + ")");
            }
        }
    }

    private final Disk disk;
    private final Set<String> unsynced = new HashSet<>();
    private final Map<String, String> unsyncedRenames = new HashMap<>();

    FaultyDirectory(Directory in, Disk disk) {
        super(in);
        this.disk = disk;
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
        disk.operate("create " + name);
        synchronized (this) {
            unsynced.add(name);
        }
        return new FaultyOutput(name, super.createOutput(name, context));
    }

    @Override
    public void sync(Collection<String> names) throws IOException {
        disk.operate("sync");
        super.sync(names);
        synchronized (this) {
            unsynced.removeAll(names);
        }
    }

    @Override
    public void rename(String source, String dest) throws IOException {
        disk.operate("rename " + source);
        super.rename(source, dest);
        synchronized (this) {
            if (unsynced.remove(source)) {
                unsynced.add(dest);
            }
            unsyncedRenames.put(dest, source);
        }
    }

    @Override
    public void syncMetaData() throws IOException {
        disk.operate("sync folder");
        super.syncMetaData();
        synchronized (this) {
            unsyncedRenames.clear();
        }
    }

    @Override
    public void deleteFile(String name) throws IOException {
        // A full disk still deletes, and Lucene's own directories try again by themselves; a dead one does nothing.
        disk.checkAlive();
        super.deleteFile(name);
        synchronized (this) {
            unsynced.remove(name);
            unsyncedRenames.remove(name);
        }
    }

    /** Does to {@code copy}, a copy of this directory's files, what a power loss would have done. */
    synchronized void losePower(Directory copy) throws IOException {
        Set<String> files = Set.of(copy.listAll());
        for (String name : unsynced) {
            if (files.contains(name)) {
                copy.deleteFile(name);
            }
        }
        for (Map.Entry<String, String> rename : unsyncedRenames.entrySet()) {
            if (files.contains(rename.getKey()) && !unsynced.contains(rename.getKey())) {
                copy.rename(rename.getKey(), rename.getValue());
            }
        }
    }

    private final class FaultyOutput extends IndexOutput {
        private final IndexOutput out;
        private boolean written;

        FaultyOutput(String name, IndexOutput out) {
            super("faulty " + name, name);
            this.out = out;
        }

        @Override
        public void close() throws IOException {
            out.close();
        }

        @Override
        public long getFilePointer() {
            return out.getFilePointer();
        }

        @Override
        public long getChecksum() throws IOException {
            return out.getChecksum();
        }

        @Override
        public void writeByte(byte b) throws IOException {
            out.writeByte(b);
        }

        @Override
        public void writeBytes(byte[] bytes, int offset, int length) throws IOException {
            if (!written
                    && (!getName().startsWith("_")
                            || getName().endsWith(".si")
                            || getName().endsWith(".cfs"))) {
                // Of the other files creating them fails, which is the same to a writer that loses them all.
                written = true;
                disk.operate("write");
            }
            out.writeBytes(bytes, offset, length);
        }
    }
}
