package switchboard.concurrent;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxBootstrap;
import io.vertx.core.spi.VertxServiceProvider;
import io.vertx.core.spi.context.storage.ContextLocal;
import java.util.function.Function;

/**
 * The team that the work of a call is done for. It belongs to the call's own Vert.x context, as a trace does, so that
 * whatever the call uses knows it: executors, stores, models. What runs outside of a call is of no team, {@code ""}.
 */
public final class CurrentTeam implements VertxServiceProvider {
    private static final ContextLocal<String> TEAM = ContextLocal.registerLocal(String.class, Function.identity());

    /** For the service loader: the place in contexts must be known before there are any. */
    public CurrentTeam() {}

    @Override
    public void init(VertxBootstrap builder) {}

    /** From now on the context of the caller works for {@code team}; it must be of one call only. */
    public static void begin(String team) {
        Context context = Vertx.currentContext();
        if (context != null) {
            context.putLocal(TEAM, team);
        }
    }

    /** Whose work the caller does; empty for nobody's. */
    public static String get() {
        Context context = Vertx.currentContext();
        String team = context == null ? null : context.getLocal(TEAM);
        return team == null ? "" : team;
    }
}
