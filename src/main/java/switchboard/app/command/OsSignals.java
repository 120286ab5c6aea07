package switchboard.app.command;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signals of the operating system. The JDK's class for them is not part of its public interface, and the compiler's
 * warning about that can't be turned off, so it is used by name; where a platform does not have it, or not the signal,
 * that signal keeps its usual meaning.
 */
final class OsSignals {
    private OsSignals() {}

    /**
     * Runs {@code action} on a thread of its own each time that the process gets SIG{@code name} from now on.
     *
     * @return gives the signal back the meaning that it had before
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
                    throw new IllegalStateException("a signal that could be handled can't be given back", e);
                }
            };
        } catch (ReflectiveOperationException e) {
            // Made here: the first signals are asked for before a command has set up logging.
            Logger log = LoggerFactory.getLogger(OsSignals.class);
            log.info("SIG{} can't be used here: {}", name, e.toString());
            return () -> {};
        }
    }
}
