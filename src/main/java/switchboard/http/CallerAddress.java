package switchboard.http;

import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import switchboard.text.CidrBlock;

/**
 * Finds the address of the caller. Behind trusted proxies it is the last address in {@code X-Forwarded-For} that is
 * not a trusted proxy; callers can forge the addresses before it.
 */
final class CallerAddress {
    private static final String FORWARDED = "X-Forwarded-For";

    private final List<CidrBlock> proxies;

    CallerAddress(List<CidrBlock> proxies) {
        this.proxies = List.copyOf(proxies);
    }

    /** The caller's IP address. */
    String of(HttpServerRequest request) {
        String nearest = request.remoteAddress().hostAddress();
        if (proxies.isEmpty() || !trusted(InetAddress.ofLiteral(nearest))) {
            return nearest;
        }
        String found = nearest;
        for (String hop : hops(request).reversed()) {
            Optional<InetAddress> address = literal(hop);
            if (address.isEmpty()) {
                return found;
            }
            found = address.get().getHostAddress();
            if (!trusted(address.get())) {
                return found;
            }
        }
        return found;
    }

    private boolean trusted(InetAddress address) {
        return proxies.stream().anyMatch(block -> block.contains(address));
    }

    private static List<String> hops(HttpServerRequest request) {
        List<String> hops = new ArrayList<>();
        request.headers().getAll(FORWARDED).forEach(line -> hops.addAll(List.of(line.split(",", -1))));
        return hops;
    }

    private static Optional<InetAddress> literal(String text) {
        try {
            return Optional.of(InetAddress.ofLiteral(text.strip()));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
