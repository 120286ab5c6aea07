package switchboard.tuning;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import switchboard.call.Json;
import switchboard.files.PrivateFiles;
import switchboard.files.TeamFolders;

/**
 * Files in the folders of teams, which are the same on all gateways that share them. Thread-safe; blocks.
 *
 * @param folder has a folder for each team
 * @param share where gateways share them
 */
record FollowingFiles(Path folder, TuningShare share) {
    private Path of(String team) throws IOException {
        return PrivateFiles.folders(folder.resolve(TeamFolders.name(team)));
    }

    /** Writes what others have changed. */
    void pull() throws IOException {
        synchronized (share) {
            for (TuningShare.TuningFile file : share.changed()) {
                Path own = of(file.team()).resolve(file.name());
                byte[] content = file.content().getBytes(StandardCharsets.UTF_8);
                if (!Files.exists(own) || !Arrays.equals(Files.readAllBytes(own), content)) {
                    PrivateFiles.replaceBesideOthers(own, content);
                }
            }
        }
    }

    /** Writes a file for all gateways and here; the others come first, because they may refuse it. */
    void write(String team, String name, ObjectNode json) throws IOException {
        Path own = of(team).resolve(name);
        synchronized (share) {
            share.put(new TuningShare.TuningFile(team, name, Json.text(json)));
            PrivateFiles.replaceBesideOthers(own, Json.bytes(json));
        }
    }
}
