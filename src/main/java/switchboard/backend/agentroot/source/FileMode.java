package switchboard.backend.agentroot.source;

import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import switchboard.store.AllowedReaders;

/** Who may read a file by its mode and its owner. */
final class FileMode {
    private FileMode() {}

    /** Everyone if others may; otherwise its owner, and its group if that may. */
    static AllowedReaders readers(PosixFileAttributes file) {
        Set<PosixFilePermission> mode = file.permissions();
        if (mode.contains(PosixFilePermission.OTHERS_READ)) {
            return AllowedReaders.ALL;
        }
        List<String> names =
                new ArrayList<>(List.of(AllowedReaders.USER + file.owner().getName()));
        if (mode.contains(PosixFilePermission.GROUP_READ)) {
            names.add(AllowedReaders.GROUP + file.group().getName());
        }
        return AllowedReaders.of(names);
    }
}
