package switchboard.fetch;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** The addresses of a host name; a port, so that tests decide what DNS says. */
@FunctionalInterface
public interface HostResolver {
    /** The JDK's, which knows the hosts file and caches as the platform is set. */
    HostResolver SYSTEM = host -> List.of(InetAddress.getAllByName(host));

    /** All addresses of {@code host}, at least one; may block. */
    List<InetAddress> resolve(String host) throws UnknownHostException;
}
