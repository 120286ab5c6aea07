package switchboard.cluster;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Ids and names of nodes. */
final class NodeNames {
    private static final int ID_BYTES = 6;

    private NodeNames() {}

    /** The id of a node that starts. */
    static String randomId() {
        byte[] bits = new byte[ID_BYTES];
        new SecureRandom().nextBytes(bits);
        return HexFormat.of().formatHex(bits);
    }

    /** The name that people see: what is configured, or that of the machine. */
    static String name(@Nullable String configured) {
        if (configured != null) {
            return configured;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException _) {
            return "unnamed";
        }
    }
}
