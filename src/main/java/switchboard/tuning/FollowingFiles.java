package switchboard.tuning;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
    private static final Logger LOG = LoggerFactory.getLogger(FollowingFiles.class);
    private static final Pattern NAMES = Pattern.compile("(?:decisions|trials|proposal-[0-9a-f]{8})\\.json");

    private Path of(String team) throws IOException {
        return PrivateFiles.folders(folder.resolve(TeamFolders.name(team)));
    }

    /** Writes what others have changed. What can't be written is tried again the next time. */
    void pull() throws IOException {
        synchronized (share) {
            for (TuningShare.TuningFile file : share.changed()) {
                if (NAMES.matcher(file.name()).matches()) {
                    take(file);
                } else { // who may write in the database may not write just anywhere on this machine
                    LOG.warn("a file of tuning in the shared database is left out: no such file has its name");
                }
                share.taken(file);
            }
        }
    }

    /** The same with all files, also if something has happened to those here. */
    void pullAll() throws IOException {
        synchronized (share) {
            share.anew();
            pull();
        }
    }

    private void take(TuningShare.TuningFile file) throws IOException {
        Path own = of(file.team()).resolve(file.name());
        byte[] content = file.content().getBytes(StandardCharsets.UTF_8);
        if (!Files.exists(own) || !Arrays.equals(Files.readAllBytes(own), content)) {
            PrivateFiles.replaceBesideOthers(own, content);
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
