package switchboard.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many steps of one job, a few at a time. */
class BoundedFanOutTest {
    private final List<Promise<String>> steps = new ArrayList<>();
    private final List<BooleanSupplier> cancelled = new ArrayList<>();
    private final List<Integer> heard = new ArrayList<>();
    private boolean takenBack;

    private final EmbedListener listener = new EmbedListener() {
        @Override
        public void embedded(int count) {
            heard.add(count);
        }

        @Override
        public boolean cancelled() {
            return takenBack;
        }
    };

    private Future<List<String>> start(int inputs, int width) {
        return new BoundedFanOut<Integer, String>(
                        IntStream.range(0, inputs).boxed().toList(),
                        width,
                        (input, over) -> {
                            assertEquals(steps.size(), input, "in order");
                            cancelled.add(over);
                            steps.add(Promise.promise());
                            return steps.getLast().future();
                        },
                        listener)
                .start();
    }

    @Test
    void soManyStepsRunAtOnceAndTheResultsAreInTheOrderOfTheInputs() {
        Future<List<String>> all = start(4, 2);
        assertEquals(2, steps.size());
        steps.get(1).complete("1");
        assertEquals(3, steps.size());
        assertEquals(List.of(1), heard);
        steps.get(2).complete("2");
        steps.get(0).complete("0");
        assertEquals(4, steps.size());
        assertFalse(all.isComplete());
        steps.get(3).complete("3");
        assertEquals(List.of("0", "1", "2", "3"), all.result());
        assertEquals(List.of(1, 2, 3, 4), heard);
    }

    @Test
    void nothingIsDoneAtOnceAndFewInputsNeedFewSteps() {
        assertEquals(List.of(), start(0, 3).result());
        assertEquals(0, steps.size());
        Future<List<String>> one = start(1, 3);
        assertEquals(1, steps.size());
        steps.getFirst().complete("0");
        assertEquals(List.of("0"), one.result());
    }

    @Test
    void theFirstFailureEndsTheJobAndNoStepBeginsAfterIt() {
        Future<List<String>> all = start(9, 3);
        assertFalse(cancelled.getFirst().getAsBoolean());
        IllegalStateException why = new IllegalStateException("no");
        steps.get(1).fail(why);
        assertSame(why, all.cause());
        assertTrue(cancelled.getFirst().getAsBoolean(), "what is under way can stop");
        steps.get(2).fail(new IllegalStateException("later"));
        steps.get(0).complete("0");
        assertEquals(3, steps.size());
        assertSame(why, all.cause());
    }

    @Test
    void aJobThatIsTakenBackSaysSoToItsSteps() {
        start(2, 1);
        assertFalse(cancelled.getFirst().getAsBoolean());
        takenBack = true;
        assertTrue(cancelled.getFirst().getAsBoolean());
    }
}
