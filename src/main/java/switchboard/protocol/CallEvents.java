package switchboard.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import switchboard.call.BackendEvent;
import switchboard.call.Json;
import switchboard.call.LogLevel;

/** Converts a backend's events during a call to notifications. Ignores events after the call. */
final class CallEvents implements Consumer<BackendEvent> {
    private final Notifier notifier;
    private final @Nullable JsonNode progressToken;
    private final @Nullable LogLevel logLevel;
    private double last = Double.NEGATIVE_INFINITY;
    private boolean over;

    CallEvents(Notifier notifier, @Nullable JsonNode progressToken, @Nullable LogLevel logLevel) {
        this.notifier = notifier;
        this.progressToken = progressToken;
        this.logLevel = logLevel;
    }

    @Override
    public void accept(BackendEvent event) {
        if (over) {
            return;
        }
        switch (event) {
            case BackendEvent.CallProgress progress -> progress(progress);
            case BackendEvent.Log log -> log(log);
            case BackendEvent.ListChanged _, BackendEvent.ResourcesUpdated _, BackendEvent.DocumentsChanged _ -> {
                // About the backend, not about the call: the change hub's business.
            }
        }
    }

    /** Nothing may follow the answer. */
    void end() {
        over = true;
    }

    private void progress(BackendEvent.CallProgress progress) {
        if (progressToken == null || !(progress.progress() > last)) {
            return;
        }
        last = progress.progress();
        ObjectNode params = Json.object();
        params.set("progressToken", progressToken);
        params.put("progress", plain(progress.progress()));
        if (progress.total() != null) {
            params.put("total", plain(progress.total()));
        }
        if (progress.message() != null) {
            params.put("message", progress.message());
        }
        notifier.send("notifications/progress", params, ReplySink.Urgency.LATEST);
    }

    private void log(BackendEvent.Log log) {
        if (logLevel == null || log.level().compareTo(logLevel) < 0) {
            return;
        }
        ObjectNode params = Json.object().put("level", log.level().word());
        if (log.logger() != null) {
            params.put("logger", log.logger());
        }
        params.set("data", log.data());
        notifier.send("notifications/message", params, ReplySink.Urgency.KEEP);
    }

    /** Whole numbers without a fraction: {@code 50}, not {@code 50.0}. */
    private static BigDecimal plain(double value) {
        BigDecimal decimal = BigDecimal.valueOf(value).stripTrailingZeros();
        return decimal.scale() < 0 ? decimal.setScale(0) : decimal;
    }
}
