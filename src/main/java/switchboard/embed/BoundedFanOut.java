package switchboard.embed;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;
import switchboard.async.Futures;

/**
 * Runs an asynchronous step for each of many inputs, a few at a time. Long jobs share an executor this way: a job of a
 * thousand texts never has more than a few steps in the queue, so a job of one text does not wait for all of them.
 */
final class BoundedFanOut<I, O> {
    /** The step for one input. {@code cancelled} says whether the job has ended in the meantime. */
    interface Job<I, O> {
        Future<O> run(I input, BooleanSupplier cancelled);
    }

    private final List<I> inputs;
    private final int width;
    private final Job<I, O> step;
    private final EmbedListener listener;
    private final AtomicReferenceArray<O> outputs;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Promise<List<O>> all = Promise.promise();

    BoundedFanOut(List<I> inputs, int width, Job<I, O> step, EmbedListener listener) {
        this.inputs = List.copyOf(inputs);
        this.width = width;
        this.step = step;
        this.listener = listener;
        this.outputs = new AtomicReferenceArray<>(inputs.size());
    }

    Future<List<O>> start() {
        if (inputs.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        for (int i = 0; i < width; i++) {
            advance();
        }
        return all.future();
    }

    private void advance() {
        int index = next.getAndIncrement();
        if (index >= inputs.size() || ended.get()) {
            return;
        }
        Futures.settle(
                step.run(inputs.get(index), () -> ended.get() || listener.cancelled()),
                result -> {
                    if (result.failed()) {
                        failed(result.cause());
                        return;
                    }
                    outputs.set(index, result.result());
                    int count = done.incrementAndGet();
                    listener.embedded(count);
                    if (count == inputs.size()) {
                        all.complete(collected());
                    } else {
                        advance();
                    }
                },
                this::failed);
    }

    private void failed(Throwable cause) {
        if (ended.compareAndSet(false, true)) {
            all.tryFail(cause);
        }
    }

    private List<O> collected() {
        List<O> list = new ArrayList<>(outputs.length());
        for (int i = 0; i < outputs.length(); i++) {
            list.add(outputs.get(i));
        }
        return List.copyOf(list);
    }
}
