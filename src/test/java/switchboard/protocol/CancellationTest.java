package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import switchboard.protocol.Cancellation.Work;

/** Who is told that a request ends early: each once, at once if it is late, and a change only by its caller. */
class CancellationTest {
    private final Cancellation cancellation = new Cancellation();
    private final List<String> told = new ArrayList<>();

    private void waiting(String when) {
        cancellation.onCancel(() -> told.add("any " + when));
        cancellation.ends(Work.READS, () -> told.add("read " + when));
        cancellation.ends(Work.CHANGES, () -> told.add("change " + when));
    }

    @Test
    void aCancelledRequestEndsWhateverItDoes() {
        waiting("before");
        assertFalse(cancellation.cancelled());
        cancellation.cancel();
        assertTrue(cancellation.cancelled());
        assertEquals(List.of("any before", "read before", "change before"), told);
        told.clear();
        cancellation.cancel();
        assertEquals(List.of(), told, "nobody is told twice");
        cancellation.onCancel(() -> told.add("late"));
        cancellation.ends(Work.CHANGES, () -> told.add("late change"));
        assertEquals(List.of("late", "late change"), told);
        told.clear();
        cancellation.cancel();
        assertEquals(List.of(), told);
    }

    @Test
    void anAnswerThatNobodyCanReadEndsReadsOnly() {
        waiting("before");
        cancellation.unread();
        assertFalse(cancellation.cancelled());
        assertEquals(List.of("read before"), told);
        told.clear();
        cancellation.unread();
        assertEquals(List.of(), told);
        waiting("late");
        assertEquals(List.of("read late"), told);
        told.clear();
        cancellation.cancel();
        assertTrue(told.containsAll(List.of("any before", "change before", "any late", "change late")), told::toString);
    }
}
