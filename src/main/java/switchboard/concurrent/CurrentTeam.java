package switchboard.concurrent;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxBootstrap;
import io.vertx.core.spi.VertxServiceProvider;
import io.vertx.core.spi.context.storage.ContextLocal;
import java.util.function.Function;

/**
 * The team of the current call. It is stored in the call's own Vert.x context, like a trace, so that everything a call
 * uses can read it: executors, stores, models. Work outside a call has no team, {@code ""}.
 */
public final class CurrentTeam implements VertxServiceProvider {
    private static final ContextLocal<String> TEAM = ContextLocal.registerLocal(String.class, Function.identity());

    /** For the service loader: the context key must be registered before any context exists. */
    public CurrentTeam() {}

    @Override
    public void init(VertxBootstrap builder) {}

    /** Sets the team of the current context, which must belong to one call only. */
    public static void begin(String team) {
        Context context = Vertx.currentContext();
        if (context != null) {
            context.putLocal(TEAM, team);
        }
    }

    /** The team of the current context; {@code ""} if there is none. */
    public static String get() {
        Context context = Vertx.currentContext();
        String team = context == null ? null : context.getLocal(TEAM);
        return team == null ? "" : team;
    }
}
