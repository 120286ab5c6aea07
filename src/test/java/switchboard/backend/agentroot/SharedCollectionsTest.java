package switchboard.backend.agentroot;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The same on two nodes that share everything: each call goes to the other one than the call before. */
@Tag("engines")
class SharedCollectionsTest extends CollectionsTest {
    @RegisterExtension
    static final SharedNodes NODES = new SharedNodes();

    @Override
    SharedNodes nodes() {
        return NODES;
    }
}
