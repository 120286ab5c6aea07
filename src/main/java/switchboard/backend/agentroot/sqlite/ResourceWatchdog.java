package switchboard.backend.agentroot.sqlite;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Stops the process of a statement when it uses too much time, memory or temporary space. SQLite deletes its temporary
 * files right after opening them, so they are found by their handles (on Linux); elsewhere only the limits of the
 * operating system apply.
 */
final class ResourceWatchdog implements Runnable {
    private static final long PAUSE_MILLIS = 20;
    private static final Path HANDLES = Path.of("/proc/self/fd");
    private static final Path MEMORY = Path.of("/proc/self/status");

    private final long end;
    private final long memory;
    private final long tempSpace;

    ResourceWatchdog(Map<String, String> request) {
        this.end = System.nanoTime() + Long.parseLong(request.get(SqliteProtocol.MILLIS)) * 1_000_000;
        this.memory = Long.parseLong(request.get(SqliteProtocol.MEMORY));
        this.tempSpace = Long.parseLong(request.get(SqliteProtocol.TEMP_SPACE));
    }

    @Override
    public void run() {
        try {
            while (true) {
                if (System.nanoTime() - end >= 0) {
                    halt(SqliteProtocol.TIME_UP);
                } else if (tempBytes() > tempSpace) {
                    halt(SqliteProtocol.SPACE_UP);
                } else if (residentBytes() > memory) {
                    halt(SqliteProtocol.MEMORY_UP);
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException _) {
            halt(SqliteProtocol.TIME_UP);
        }
    }

    private static void halt(int status) {
        Runtime.getRuntime().halt(status);
    }

    private static long tempBytes() {
        String folder = System.getProperty("java.io.tmpdir");
        long bytes = 0;
        try (DirectoryStream<Path> handles = Files.newDirectoryStream(HANDLES)) {
            for (Path handle : handles) {
                bytes += size(handle, folder);
            }
        } catch (IOException | RuntimeException _) {
            // Another system.
        }
        return bytes;
    }

    private static long size(Path handle, String folder) {
        try {
            return Files.readSymbolicLink(handle).startsWith(folder) ? Files.size(handle) : 0;
        } catch (IOException _) {
            return 0; // closed meanwhile
        }
    }

    private static long residentBytes() {
        try {
            for (String line : Files.readAllLines(MEMORY)) {
                if (line.startsWith("RssAnon:")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
                }
            }
        } catch (IOException | RuntimeException _) {
            // Another system.
        }
        return 0;
    }
}
