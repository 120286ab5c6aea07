package switchboard.store;

import io.vertx.core.Future;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.jspecify.annotations.Nullable;
import switchboard.backend.BackendServices;

/** Stores whose disk stops answering for some folders until {@link #release}. */
public final class HeldStores implements DirectoryFactory {
    private final Set<Path> opened = ConcurrentHashMap.newKeySet();
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile @Nullable Set<Path> quick;

    /** Opens one. */
    public Future<DocumentStore> open(StoreSettings settings, BackendServices services) {
        return LuceneDocumentStore.open(services.vertx(), services.meters(), services.clock(), settings, this)
                .map(store -> store);
    }

    /** The folders that were opened up to now. */
    public Set<Path> opened() {
        return Set.copyOf(opened);
    }

    /** From now on folders that are opened do not answer, but for {@code quick}. */
    public void hold(Set<Path> quick) {
        this.quick = quick;
    }

    /** All answer again. */
    public void release() {
        released.countDown();
    }

    @Override
    public Directory open(Path folder) throws IOException {
        opened.add(folder);
        Directory files = FSDirectory.open(folder);
        Set<Path> answering = quick;
        return answering == null || answering.contains(folder) ? files : new Held(files);
    }

    private final class Held extends FilterDirectory {
        Held(Directory files) {
            super(files);
        }

        private void await() throws IOException {
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new InterruptedIOException();
            }
        }

        @Override
        public IndexInput openInput(String name, IOContext context) throws IOException {
            await();
            return super.openInput(name, context);
        }

        @Override
        public IndexOutput createOutput(String name, IOContext context) throws IOException {
            await();
            return super.createOutput(name, context);
        }
    }
}
