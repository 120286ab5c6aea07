package switchboard.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/**
 * A folder of the user's cache where what tests install is kept between builds. Builds at the same time take turns.
 * Thread-safe.
 */
final class ToolCache {
    private static final String DONE = "installed";

    private ToolCache() {}

    /** What fills a folder. */
    @FunctionalInterface
    interface Step {
        /** Fills {@code folder}, which exists. */
        void in(Path folder) throws IOException;
    }

    /**
     * The folder for the tools that {@code pins} names the versions of; other pins are another folder.
     *
     * @param install done unless it was done before, by whichever build
     * @param refresh done each time
     */
    static Path folder(String name, byte[] pins, Step install, Step refresh) throws IOException {
        Path folder = base().resolve(name + "-" + fingerprint(pins));
        Files.createDirectories(folder);
        return OneAtATime.with(folder.resolveSibling(folder.getFileName() + ".lock"), () -> {
            refresh.in(folder);
            if (!Files.exists(folder.resolve(DONE))) {
                install.in(folder);
                Files.createFile(folder.resolve(DONE));
            }
            return folder;
        });
    }

    private static Path base() {
        Map<String, String> environment = System.getenv();
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path base = cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        return base.resolve("switchboard");
    }

    private static String fingerprint(byte[] pins) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(pins), 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
