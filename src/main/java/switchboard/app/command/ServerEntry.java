package switchboard.app.command;

import java.net.URI;
import java.util.List;

/** How a client reaches this gateway. */
sealed interface ServerEntry {
    /** What it is called in a client's configuration. */
    String NAME = "switchboard";

    /** The environment variable from which clients take the key: no snippet has the key itself. */
    String KEY_VARIABLE = "SWITCHBOARD_KEY";

    /**
     * At a URL.
     *
     * @param url of the view
     * @param key whether a key must be shown
     */
    record Url(URI url, boolean key) implements ServerEntry {}

    /**
     * As a process that the client starts.
     *
     * @param program its absolute path
     * @param arguments of it
     */
    record Program(String program, List<String> arguments) implements ServerEntry {
        public Program {
            arguments = List.copyOf(arguments);
        }
    }
}
