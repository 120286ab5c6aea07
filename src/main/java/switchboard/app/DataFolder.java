package switchboard.app;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import switchboard.app.BootException.Stage;
import switchboard.files.PrivateFiles;

/** Checks of the folder that holds what the gateway keeps, before anything in it is opened. */
final class DataFolder {
    private DataFolder() {}

    /**
     * Writes to the folder, which is made if there is none. Blocks.
     *
     * @throws BootException if that can't be done: the folder is named as the problem, not the first file in it
     */
    static void checkWritable(Path data) {
        try {
            PrivateFiles.checkWritable(data);
        } catch (IOException e) {
            throw new BootException(
                    Stage.ENVIRONMENT,
                    "can't write to the data folder " + data + ": " + reason(e)
                            + ". Make it writable for the user that runs this, or name another folder with --data.",
                    e);
        }
    }

    private static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> e.toString();
        };
    }
}
