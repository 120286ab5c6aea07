package switchboard.app.command;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SIGHUP, by which operators tell a server to read its files again. The JDK's class for it is not part of its public
 * interface, and the compiler's warning about that can't be turned off, so it is used by name; where a platform does not
 * have it, the signal keeps its usual meaning.
 */
final class HangUp {
    private static final Logger LOG = LoggerFactory.getLogger(HangUp.class);

    private HangUp() {}

    /** Runs {@code action} on a thread of its own at every SIGHUP from now on. */
    static void onSignal(Runnable action) {
        on("HUP", action);
    }

    /** The same for the signal {@code name}: whoever starts a process may have it ignore SIGHUP for good. */
    static void on(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Method handle = signal.getMethod("handle", signal, handler);
            handle.invoke(
                    null,
                    signal.getConstructor(String.class).newInstance(name),
                    Proxy.newProxyInstance(
                            HangUp.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                                if (method.getName().equals("handle")) {
                                    action.run();
                                }
                                return null;
                            }));
        } catch (ReflectiveOperationException e) {
            LOG.info("SIG{} can't be used here: {}", name, e.toString());
        }
    }
}
