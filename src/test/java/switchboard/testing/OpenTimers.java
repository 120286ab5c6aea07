package switchboard.testing;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;

/**
 * The timers that the gateway's classes have set and neither cancelled nor seen fire. A timer that is forgotten keeps
 * everything it refers to until it fires, and then acts on what is over.
 */
public final class OpenTimers {
    private OpenTimers() {}

    /** The classes that wait for a timer of {@code vertx}, once for each timer. Those of Vert.x itself do not count. */
    public static List<String> of(Vertx vertx) {
        return ((Map<?, ?>) field(vertx, "timeouts"))
                .values().stream()
                        .map(timer -> ((Handler<?>) field(timer, "handler"))
                                .getClass()
                                .getName())
                        .filter(name -> name.startsWith("switchboard."))
                        .map(name -> name.replaceFirst("\\$\\$Lambda.*", ""))
                        .sorted()
                        .toList();
    }

    private static Object field(Object owner, String name) {
        try {
            Field field = owner.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field.get(owner);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("Vert.x keeps its timers elsewhere now", e);
        }
    }
}
