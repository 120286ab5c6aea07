package switchboard.store;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;

/** Opens the folder of an index; tests put one between that fails. */
interface Directories {
    Directory open(Path folder) throws IOException;

    /** Changes how the index is written; tests take out what depends on a clock. */
    default void adjust(IndexWriterConfig config) {}
}
