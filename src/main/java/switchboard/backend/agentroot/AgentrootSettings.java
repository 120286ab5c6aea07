package switchboard.backend.agentroot;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import switchboard.config.Default;
import switchboard.config.Doc;
import switchboard.config.Range;
import switchboard.config.Size;

/** The configuration of an {@code agentroot} backend. */
public record AgentrootSettings(
        @Default("data/agentroot") @Doc("The folder of the store. Relative to the data folder. One process owns it.")
        Path dataDir,

        @Default("[]")
        @Doc(
                "The folders that collections of files may be made of, with everything below them; symbolic links that lead"
                        + " out of them are not followed. Relative to the data folder. Empty: no files.")
        List<Path> roots,

        @Default("16MiB") @Range(min = "1KiB", max = "1GiB") @Doc("The largest document.")
        Size maxFileSize,

        @Default("100000")
        @Range(min = "1", max = "1000000")
        @Doc("How many documents a collection takes; the rest is reported as left out.")
        int maxDocuments,

        @Default("default") @Doc("Which of `embedders` makes the vectors.")
        String embedder,

        @Default("64") @Range(min = "1", max = "10000") @Doc("How many collections stay open between calls.")
        int maxOpenCollections,

        @Default("5m") @Range(min = "1s", max = "1d") @Doc("After how long without a call a collection is closed.")
        Duration idleClose,

        @Default("4m")
        @Range(min = "1ms", max = "1h")
        @Doc("How long one `collection_update` works before it answers `complete: false`; the next call goes on.")
        Duration updateTime,

        @Default("1000")
        @Range(min = "1", max = "100000")
        @Doc("How many search sessions there are at most; a tenth of them for one owner.")
        int maxSessions) {
    public AgentrootSettings {
        roots = List.copyOf(roots);
    }
}
