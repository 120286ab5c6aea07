package switchboard.app.command;

import java.net.URI;
import java.util.List;

/** How a client connects to this gateway. */
sealed interface ServerEntry {
    /** The name of the server in a client's configuration. */
    String NAME = "switchboard";

    /** The environment variable that clients read the key from. No snippet contains the key itself. */
    String KEY_VARIABLE = "SWITCHBOARD_KEY";

    /**
     * By URL.
     *
     * @param url the URL of the view
     * @param key whether a key is needed
     */
    record Url(URI url, boolean key) implements ServerEntry {}

    /**
     * By starting a process.
     *
     * @param program its absolute path
     * @param arguments its arguments
     */
    record Program(String program, List<String> arguments) implements ServerEntry {
        public Program {
            arguments = List.copyOf(arguments);
        }
    }
}
