package switchboard.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/** The first signal while a command works. (The second one ends the process, which other tests do to processes.) */
class InterruptHandlerTest {
    private final StringWriter err = new StringWriter();
    private final List<String> done = new ArrayList<>();

    private int during(InterruptHandler.InterruptibleWork<IOException> work) throws IOException {
        return InterruptHandler.during(new PrintWriter(err), () -> "3 of 9 are done.", work);
    }

    @Test
    void withoutASignalTheWorkHasItsOwnCodeAndItsOwnFailures() throws IOException {
        assertEquals(4, during(interruption -> {
            assertFalse(interruption.interrupted());
            interruption.check();
            assertEquals("value", interruption.waitFor(() -> done.add("broken off"), () -> "value"));
            return 4;
        }));
        IllegalStateException own = new IllegalStateException("own");
        assertSame(
                own,
                assertThrows(
                        IllegalStateException.class,
                        () -> during(interruption -> interruption.waitFor(() -> {}, () -> {
                            throw own;
                        }))));
        assertEquals(List.of(), done);
        assertEquals("", err.toString());
    }

    @Test
    void aSignalSaysWhatIsDoneBreaksOffWhatIsWaitedForAndDecidesTheCode() throws IOException {
        assertEquals(130, during(interruption -> {
            assertThrows(
                    CancellationException.class,
                    () -> interruption.waitFor(() -> done.add("broken off"), () -> {
                        interruption.signalled(130);
                        return done.add("returned anyway");
                    }));
            assertTrue(interruption.interrupted());
            assertEquals(130, interruption.code(0));
            return 0;
        }));
        assertEquals(List.of("broken off", "returned anyway"), done);
        assertEquals(
                List.of("3 of 9 are done.", "Stopping in order; press Ctrl-C again to stop at once."),
                err.toString().lines().toList());
    }

    @Test
    void afterASignalNothingIsBegunAndFailuresAreItsConsequences() throws IOException {
        assertEquals(143, during(interruption -> {
            interruption.signalled(143);
            assertThrows(CancellationException.class, interruption::check);
            return interruption.waitFor(() -> done.add("broken off"), () -> {
                done.add("begun");
                return 0;
            });
        }));
        assertEquals(List.of(), done);
        assertEquals(
                130,
                during(interruption -> interruption.waitFor(() -> {}, () -> {
                    interruption.signalled(130);
                    throw new IllegalStateException("the connection was closed");
                })));
    }

    @Test
    void aSignalBetweenTwoWaitsBreaksOffNeither() throws IOException {
        during(interruption -> {
            interruption.waitFor(() -> done.add("the first"), () -> 1);
            interruption.signalled(130);
            return 0;
        });
        assertEquals(List.of(), done, "it is over already");
    }

    @Test
    void aThreadThatWaitsIsInterruptedAndMayWaitAgain() throws IOException {
        during(interruption -> {
            assertThrows(
                    CancellationException.class,
                    () -> interruption.waitFor(() -> {
                        interruption.signalled(130);
                        done.add("interrupted " + Thread.currentThread().isInterrupted());
                        return 0;
                    }));
            assertFalse(Thread.currentThread().isInterrupted());
            return 0;
        });
        assertEquals(List.of("interrupted true"), done);
    }
}
