package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import switchboard.backend.agentroot.UpdateCounts.Change;
import switchboard.backend.agentroot.UpdateCounts.DocumentOutcome;
import switchboard.backend.agentroot.source.CollectionOrigin;
import switchboard.store.AllowedReaders;
import switchboard.store.DocumentAccess;

/** Who is notified of an update. */
class UpdateCountsTest {
    private static final int LISTS = 100;

    private final UpdateCounts counts = new UpdateCounts(DocumentAccess.EVERYTHING);

    private void change(int group) {
        AllowedReaders readers = AllowedReaders.anyOf(List.of("group:" + group));
        counts.count(new DocumentOutcome(Change.CHANGED, readers, readers));
    }

    private Set<AllowedReaders> notified() {
        CollectionOrigin origin = new CollectionOrigin("/docs", "**", Map.of());
        return counts.report(new CollectionDefinition("docs", "file", origin, AllowedReaders.ALL), 0, true)
                .readers();
    }

    @Test
    void asManyListsAsAreToldApartNotifyNobodyElse() {
        for (int group = 0; group < LISTS; group++) {
            change(group);
        }
        change(0);
        change(LISTS - 1);
        assertEquals(LISTS, notified().size());
        assertFalse(notified().contains(AllowedReaders.ALL));
    }

    @Test
    void oneMoreNotifiesEveryoneWhoSeesTheCollection() {
        for (int group = 0; group <= LISTS; group++) {
            change(group);
        }
        assertTrue(notified().contains(AllowedReaders.ALL));
    }
}
