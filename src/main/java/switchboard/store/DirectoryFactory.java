package switchboard.store;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;

/** Opens the directory of an index. Tests use it to inject failures. */
interface DirectoryFactory {
    Directory open(Path folder) throws IOException;

    /** Changes the configuration of the index writer. Tests use it to remove time-dependent behaviour. */
    default void adjust(IndexWriterConfig config) {}
}
