package switchboard.testing;

import java.nio.file.Path;
import java.util.Set;

/** The few pages of the documentation that answer both questions of the demo, so that it does not take long in a test. */
public final class DemoPages {
    private static final Set<String> NAMES = Set.of("clients.md", "errors.md", "operations.md", "quickstart.md");

    private DemoPages() {}

    /** Whether {@code file}, relative to the folder with {@code docs} in it, is another page or folder of the documentation. */
    public static boolean leftOut(Path file) {
        return file.startsWith("docs")
                && file.getNameCount() == 2
                && !NAMES.contains(file.getFileName().toString());
    }
}
