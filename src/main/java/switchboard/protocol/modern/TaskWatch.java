package switchboard.protocol.modern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.protocol.RpcCall;
import switchboard.protocol.method.CallerTasks;
import switchboard.task.TaskStatus;

/**
 * Tells one stream each new state of one task, beginning with the present one, until nothing follows. Used on the event
 * loop of its call, unless said otherwise.
 */
final class TaskWatch {
    private final RpcCall call;
    private final CallerTasks tasks;
    private final String id;
    private final Consumer<ObjectNode> told;
    private Runnable ending = () -> {};
    private @Nullable JsonNode last;
    private boolean asking;
    private boolean again;
    private boolean over;

    TaskWatch(RpcCall call, CallerTasks tasks, String id, Consumer<ObjectNode> told) {
        this.call = call;
        this.tasks = tasks;
        this.id = id;
        this.told = told;
    }

    void begin() {
        ending = tasks.listen(call, id, () -> call.loop().execute(this::look));
        look();
    }

    void end() {
        over = true;
        ending.run();
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
        Futures.finish(tasks.shown(call, id), task -> call.loop().execute(() -> seen(task)), failure -> call.loop()
                .execute(() -> unseen(failure)));
    }

    private void seen(ObjectNode task) {
        asking = false;
        if (over) {
            return;
        }
        JsonNode state = task.deepCopy().retain("status", "inputRequests");
        if (!state.equals(last)) {
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

    /** A task that is gone is not watched any more; a server that can't be reached is asked again. */
    private void unseen(Throwable failure) {
        asking = false;
        if (CallerTasks.unknown(failure)) {
            end();
        }
    }
}
