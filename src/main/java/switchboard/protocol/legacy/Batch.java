package switchboard.protocol.legacy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import switchboard.async.Futures;
import switchboard.protocol.RpcMessage;

/** Runs the elements of a batch in order, a bounded number at a time. Used on one event loop only. */
final class Batch {
    private final List<RpcMessage> elements;
    private final Function<RpcMessage, Future<Optional<byte[]>>> answer;
    private final List<Optional<byte[]>> answers;
    private final Promise<List<byte[]>> done = Promise.promise();
    private int next;
    private int open;
    private boolean starting;

    Batch(List<RpcMessage> elements, Function<RpcMessage, Future<Optional<byte[]>>> answer) {
        this.elements = elements;
        this.answer = answer;
        this.answers = new ArrayList<>(Collections.nCopies(elements.size(), Optional.empty()));
    }

    /** Runs them, {@code concurrency} at a time; returns the answers in the order of their requests. */
    Future<List<byte[]>> run(int concurrency) {
        advance(concurrency);
        return done.future();
    }

    private void advance(int concurrency) {
        if (starting) {
            return; // An element was done at once; the loop below goes on.
        }
        starting = true;
        while (next < elements.size() && open < concurrency) {
            int index = next++;
            open++;
            Futures.finish(
                    answer.apply(elements.get(index)),
                    result -> {
                        answers.set(index, result);
                        open--;
                        advance(concurrency);
                    },
                    done::tryFail);
        }
        starting = false;
        if (next == elements.size() && open == 0) {
            done.tryComplete(answers.stream().flatMap(Optional::stream).toList());
        }
    }
}
