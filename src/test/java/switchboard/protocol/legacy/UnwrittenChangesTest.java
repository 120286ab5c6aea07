package switchboard.protocol.legacy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class UnwrittenChangesTest {
    private final UnwrittenChanges unwritten = new UnwrittenChanges();
    private final List<List<SessionChange>> rows = new ArrayList<>();
    private final Promise<Void> told = Promise.promise();
    /** Writes in order, and completes when other nodes were told. */
    private final Supplier<Future<Void>> write = () -> unwritten
            .inOrder(() -> {
                rows.add(unwritten.take());
                return Future.succeededFuture();
            })
            .compose(_ -> told.future());

    private void make(SessionChange change) {
        unwritten.make(change, () -> {});
    }

    @Test
    void aChangeThatAWaitingWriteTakesWaitsForIt() {
        SessionChange one = new SessionChange.Subscription("a://1", true);
        SessionChange two = new SessionChange.Subscription("a://2", true);
        unwritten.begin();
        Promise<Void> read = Promise.promise();
        Future<Void> reading = unwritten.inOrder(read::future);
        make(one);
        Future<Void> first = unwritten.write(write);
        make(two);
        Future<Void> second = unwritten.write(write);
        read.complete();
        assertTrue(reading.succeeded());
        assertEquals(List.of(List.of(one, two)), rows);
        assertFalse(second.isComplete(), "no other node knows of the second change yet");
        told.complete();
        assertTrue(first.succeeded());
        assertTrue(second.succeeded());
    }

    @Test
    void whatCouldNotBeWrittenComesBeforeWhatCameLater() {
        SessionChange one = new SessionChange.Subscription("a://1", true);
        SessionChange two = new SessionChange.Subscription("a://2", true);
        SessionChange three = new SessionChange.Subscription("a://3", true);
        unwritten.begin();
        make(one);
        make(two);
        List<SessionChange> taken = unwritten.take();
        make(three);
        unwritten.putBack(taken);
        assertEquals(List.of(one, two, three), unwritten.take());
    }
}
