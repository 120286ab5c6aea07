package switchboard.app;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tells which of some files have changed since they were looked at last. Blocks; one thread at a time. */
final class ChangedFiles {
    private final Map<Path, FileVersion> seen = new HashMap<>();

    /** Those of {@code files} that are new or have another version now; what is not among them is forgotten. */
    List<Path> among(List<Path> files) {
        seen.keySet().retainAll(files);
        return files.stream()
                .filter(file -> {
                    FileVersion version = FileVersion.of(file);
                    return !version.equals(seen.put(file, version));
                })
                .toList();
    }

    /** {@code file} counts as changed at the next look, because it could not be read. */
    void again(Path file) {
        seen.remove(file);
    }
}
