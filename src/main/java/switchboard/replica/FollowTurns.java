package switchboard.replica;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;
import switchboard.async.Futures;
import switchboard.concurrent.FairSemaphore;

/** The work on the files of one library, step by step: a loop, so that no chain grows. After some steps others have their turns. */
final class FollowTurns {
    private final Context context;
    private final Supplier<Turn> turn;
    private final Supplier<Future<FollowStep>> step;
    private final Promise<Void> over = Promise.promise();

    /** What a step has left. */
    enum FollowStep {
        /** Nothing. */
        DONE,
        /** More of the same. */
        MORE,
        /** The files are to be built, in another turn. */
        ANEW
    }

    /**
     * A turn.
     *
     * @param permits one of which it has
     * @param steps how many it may make
     */
    record Turn(FairSemaphore permits, int steps) {}

    /**
     * Work that was not begun.
     *
     * @param context where it is done
     */
    FollowTurns(Context context, Supplier<Turn> turn, Supplier<Future<FollowStep>> step) {
        this.context = context;
        this.turn = turn;
        this.step = step;
    }

    /** Works until nothing is left, or until a step fails. */
    Future<Void> run() {
        context.runOnContext(_ -> next());
        return over.future();
    }

    private void next() {
        Turn now = turn.get();
        Futures.finish(
                now.permits().run(() -> steps(now.steps()), () -> new IllegalStateException("too many libraries wait")),
                left -> {
                    if (left == FollowStep.DONE) {
                        over.complete();
                    } else {
                        context.runOnContext(_ -> next());
                    }
                },
                over::tryFail);
    }

    private Future<FollowStep> steps(int most) {
        Promise<FollowStep> end = Promise.promise();
        steps(most, end);
        return end.future();
    }

    private void steps(int most, Promise<FollowStep> end) {
        Futures.finish(
                Future.succeededFuture().compose(_ -> step.get()),
                left -> {
                    if (left == FollowStep.MORE && most > 1) {
                        context.runOnContext(_ -> steps(most - 1, end));
                    } else {
                        end.complete(left);
                    }
                },
                end::tryFail);
    }
}
