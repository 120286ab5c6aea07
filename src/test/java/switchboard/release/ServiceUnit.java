package switchboard.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The unit that {@code docs/systemd.md} shows, by section and key. */
final class ServiceUnit {
    private static final Pattern BLOCK = Pattern.compile("(?s)```ini\n(.*?)```");
    private static final Pattern SECTION = Pattern.compile("\\[(\\w+)]");
    private static final Pattern SETTING = Pattern.compile("([A-Z]\\w+)=(.*)");

    private ServiceUnit() {}

    static TreeMap<String, TreeMap<String, String>> read() throws IOException {
        Matcher block = BLOCK.matcher(Files.readString(Path.of("docs", "systemd.md")));
        if (!block.find()) {
            throw new AssertionError("the page has no unit");
        }
        TreeMap<String, TreeMap<String, String>> unit = new TreeMap<>();
        TreeMap<String, String> current = new TreeMap<>();
        for (String line : block.group(1).lines().toList()) {
            Matcher section = SECTION.matcher(line);
            Matcher setting = SETTING.matcher(line);
            if (section.matches()) {
                current = new TreeMap<>();
                if (unit.put(section.group(1), current) != null) {
                    throw new AssertionError("twice: " + line);
                }
            } else if (setting.matches()) {
                if (current.put(setting.group(1), setting.group(2)) != null) {
                    throw new AssertionError("twice: " + line);
                }
            } else if (!line.isBlank() && !line.startsWith("#")) {
                throw new AssertionError("neither a section nor a setting: " + line);
            }
        }
        return unit;
    }
}
