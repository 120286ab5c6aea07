package switchboard.tuning;

import java.io.IOException;
import java.util.List;

/** Where gateways share the files of their {@link TuningFolder}s. Blocks. Its callers exclude each other. */
public interface TuningShare {
    /** Of a gateway by itself. */
    TuningShare NONE = new TuningShare() {
        @Override
        public List<TuningFile> changed() {
            return List.of();
        }

        @Override
        public void put(TuningFile file) {
            // It is in the folder only.
        }
    };

    /** A file of a team. */
    record TuningFile(String team, String name, String content) {}

    /** Files that have changed since the call before, all of them at first. */
    List<TuningFile> changed() throws IOException;

    /**
     * Gives a file to all gateways.
     *
     * @throws TuningFolder.RefusedTuningException if another gateway has changed it since {@link #changed}
     */
    void put(TuningFile file) throws IOException;
}
