package switchboard.protocol.modern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.call.Json;
import switchboard.protocol.RpcCall;
import switchboard.protocol.method.CallerTasks;
import switchboard.task.TaskStatus;

/**
 * Tells one stream each new state of one task, beginning with the present one, until nothing follows. Used on the event
 * loop of its call, unless said otherwise.
 */
final class TaskWatch {
    private static final int LARGE = 64 * 1024;

    private final RpcCall call;
    private final CallerTasks tasks;
    private final CallerTasks.Joined joined;
    private final Consumer<ObjectNode> told;
    private Runnable ending = () -> {};
    private boolean begun;
    private boolean late;
    private @Nullable JsonNode last;
    private boolean asking;
    private boolean again;
    private boolean over;

    TaskWatch(RpcCall call, CallerTasks tasks, CallerTasks.Joined joined, Consumer<ObjectNode> told) {
        this.call = call;
        this.tasks = tasks;
        this.joined = joined;
        this.told = told;
    }

    void begin() {
        begun = true;
        ending = tasks.listen(joined.id(), () -> call.loop().execute(this::look));
        look();
    }

    /** Frees its place, also if it has not begun. */
    void end() {
        if (!over) {
            over = true;
            ending.run();
            joined.leave().run();
        }
    }

    /** Looks at the task if there may be news. To be called every second by the stream that listens. */
    void tick() {
        if (begun && (late ? call.notifier().caughtUp() : joined.relayed())) {
            look();
        }
    }

    private void look() {
        if (over) {
            return;
        }
        if (asking) {
            again = true;
            return;
        }
        asking = true;
        Futures.finish(
                tasks.getForStream(call, joined.id()),
                task -> call.loop().execute(() -> seen(task)),
                failure -> call.loop().execute(() -> unseen(failure)));
    }

    private void seen(ObjectNode task) {
        asking = false;
        if (over) {
            return;
        }
        JsonNode state = task.deepCopy().retain("status", "inputRequests");
        boolean news = !state.equals(last);
        // A slow reader gets large results one after the other, so that they don't fill the memory for its stream.
        late = news && !call.notifier().caughtUp() && Json.bytes(task).length > LARGE;
        if (late) {
            return;
        }
        if (news) {
            last = state;
            told.accept(task);
        }
        if (TaskStatus.of(task.path("status").asText())
                .filter(TaskStatus::terminal)
                .isPresent()) {
            end();
        } else if (again) {
            again = false;
            look();
        }
    }

    /** A task that is gone is not watched any more; one that can't be read now is looked at again. */
    private void unseen(Throwable failure) {
        asking = false;
        if (CallerTasks.unknown(failure)) {
            end();
        } else {
            late = true;
        }
    }
}
