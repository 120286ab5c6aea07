package switchboard.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Chromium and its driver: the installed ones, or those of Debian's packages, unpacked into the cache folder with all
 * libraries and fonts that they need.
 */
record BrowserPrograms(Path chromium, Path driver, List<Path> fonts, String libraries) {
    private static final Path ROOT = Path.of("/");
    private static final Path CHROMIUM = Path.of("usr", "lib", "chromium", "chromium");
    private static final Path DRIVER = Path.of("usr", "bin", "chromedriver");
    private static final Path FONTS = Path.of("usr", "share", "fonts");

    /**
     * What pages get for general names of fonts, so that a page looks the same on each machine; for all others, and for the
     * system's own, it is DejaVu Sans.
     */
    private static final String FONT_SETTINGS = """
            <?xml version="1.0"?>
            <!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
            <fontconfig>
            %s
            <cachedir>%s</cachedir>
            <alias binding="same"><family>serif</family><prefer><family>DejaVu Serif</family></prefer></alias>
            <alias binding="same"><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
            <match><edit name="family" mode="append_last"><string>DejaVu Sans</string></edit></match>
            </fontconfig>
            """;

    /** Those of this machine. */
    static BrowserPrograms found() throws IOException {
        if (Files.isExecutable(ROOT.resolve(CHROMIUM)) && Files.isExecutable(ROOT.resolve(DRIVER))) {
            return new BrowserPrograms(ROOT.resolve(CHROMIUM), ROOT.resolve(DRIVER), List.of(ROOT.resolve(FONTS)), "");
        }
        Path unpacked = DebianPackage.unpackedWithAll(List.of("chromium", "chromium-driver", "fonts-dejavu-core"));
        return new BrowserPrograms(
                unpacked.resolve(CHROMIUM),
                unpacked.resolve(DRIVER),
                List.of(unpacked.resolve(FONTS), ROOT.resolve(FONTS)),
                DebianPackage.libraries(unpacked));
    }

    /** The environment of a browser that writes nowhere but into {@code folder}. */
    Map<String, String> environment(Path folder) throws IOException {
        StringBuilder folders = new StringBuilder();
        fonts.forEach(font -> folders.append("<dir>").append(font).append("</dir>\n"));
        Path settings = Files.writeString(
                folder.resolve("fonts.conf"), FONT_SETTINGS.formatted(folders, folder.resolve("fonts")));
        Map<String, String> environment = new TreeMap<>(Map.of(
                "HOME", folder.toString(),
                "XDG_CONFIG_HOME", folder.resolve("config").toString(),
                "XDG_CACHE_HOME", folder.resolve("cache").toString(),
                "TMPDIR", folder.toString(),
                "GSETTINGS_BACKEND", "memory",
                "FONTCONFIG_FILE", settings.toString()));
        if (!libraries.isEmpty()) {
            environment.put("LD_LIBRARY_PATH", libraries);
        }
        return environment;
    }
}
