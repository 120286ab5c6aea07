package switchboard.app.command;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handlers of operating system signals. The JDK's class for this is not public API and using it causes a warning that
 * can't be suppressed, so it is called by reflection. Where the platform lacks the class or a signal, that signal keeps
 * its default action.
 */
final class OsSignals {
    private OsSignals() {}

    /**
     * Runs {@code action} on a new thread for each signal SIG{@code name}.
     *
     * @return restores the previous handler
     */
    static Runnable on(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Method handle = signal.getMethod("handle", signal, handler);
            Object one = signal.getConstructor(String.class).newInstance(name);
            Object before = handle.invoke(
                    null,
                    one,
                    Proxy.newProxyInstance(
                            OsSignals.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                                if (method.getName().equals("handle")) {
                                    action.run();
                                }
                                return null;
                            }));
            return () -> {
                try {
                    handle.invoke(null, one, before);
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException("the previous handler of a signal can't be restored", e);
                }
            };
        } catch (ReflectiveOperationException e) {
            // Created here, because the first handlers are installed before a command has set up logging.
            Logger log = LoggerFactory.getLogger(OsSignals.class);
            log.info("SIG{} can't be handled on this platform: {}", name, e.toString());
            return () -> {};
        }
    }
}
