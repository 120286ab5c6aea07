package switchboard.fetch;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Resolves host names. Tests replace it. */
@FunctionalInterface
public interface HostResolver {
    /** The JDK's resolver, with the hosts file and the platform's cache. */
    HostResolver SYSTEM = host -> List.of(InetAddress.getAllByName(host));

    /** All addresses of {@code host}, at least one. May block. */
    List<InetAddress> resolve(String host) throws UnknownHostException;
}
