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
        public void taken(TuningFile file) {
            // There is none.
        }

        @Override
        public void anew() {
            // It has none.
        }

        @Override
        public void put(TuningFile file) {
            // It is in the folder only.
        }
    };

    /**
     * A file of a team.
     *
     * @param revision grows with each change; 0 for one that others do not have yet
     */
    record TuningFile(String team, String name, String content, long revision) {
        /** One that others do not have yet. */
        public TuningFile(String team, String name, String content) {
            this(team, name, content, 0);
        }
    }

    /** Files that have changed and were not {@link #taken}, in the order of their revisions; all of them at first. */
    List<TuningFile> changed() throws IOException;

    /** A file of {@link #changed} is here now. */
    void taken(TuningFile file);

    /** What was taken counts no more: the next {@link #changed} has all files. */
    void anew();

    /**
     * Gives a file to all gateways.
     *
     * @throws TuningFolder.RefusedTuningException if another gateway has changed it since it was {@link #taken}
     */
    void put(TuningFile file) throws IOException;
}
