package switchboard.app;

import java.io.IOException;
import java.nio.file.Path;
import switchboard.app.BootException.Stage;
import switchboard.call.DiskError;
import switchboard.files.PrivateFiles;

/** Checks the data folder before anything in it is opened. */
final class DataFolder {
    private DataFolder() {}

    /**
     * Checks that the folder can be written to, and creates it if it is missing. Blocks.
     *
     * @throws BootException if it can't be written; the message names the folder
     */
    static void checkWritable(Path data) {
        try {
            PrivateFiles.checkWritable(data);
        } catch (IOException e) {
            throw new BootException(
                    Stage.ENVIRONMENT,
                    "can't write to the data folder " + data + ": " + DiskError.problem(e)
                            + ". Make it writable for the user that runs this, or name another folder with --data.",
                    e);
        }
    }
}
