package switchboard.backend.agentroot;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The same through one gateway. */
class AgentrootToolsOverHttpTest extends AgentrootToolsContract {
    @TempDir
    static Path temp;

    private static AgentrootSite site;

    @BeforeAll
    static void start() {
        site = new AgentrootSite(temp);
    }

    @AfterAll
    static void stop() {
        site.close();
    }

    @Override
    protected AgentrootSite site() {
        return site;
    }
}
