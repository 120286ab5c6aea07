package switchboard.fetch;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Which addresses a fetch may reach: those of the public Internet only (IANA's special-purpose address registries, RFC
 * 6890). It looks at resolved addresses, so the spelling of a host (decimal, octal, mapped) makes no difference.
 */
public final class AddressRules {
    private static final List<Block> REFUSED = blocks(
            "0.0.0.0/8", // this network
            "10.0.0.0/8",
            "100.64.0.0/10", // carrier-grade NAT, some clouds' metadata
            "127.0.0.0/8",
            "168.63.129.16/32", // Azure's platform services, on a public address
            "169.254.0.0/16", // link-local, most clouds' metadata
            "172.16.0.0/12",
            "192.0.0.0/24", // protocol assignments, Oracle's metadata
            "192.0.2.0/24",
            "192.88.99.0/24", // 6to4 relays
            "192.168.0.0/16",
            "198.18.0.0/15", // benchmarks
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/3"); // multicast, reserved, broadcast

    private static final Block GLOBAL_V6 = block("2000::/3");

    private static final List<Block> REFUSED_V6 = blocks(
            "2001::/23", // protocol assignments, Teredo: it carries a v4 address
            "2001:db8::/32",
            "2002::/16", // 6to4: it carries a v4 address
            "3fff::/20");

    private AddressRules() {}

    /** Whether {@code address} is one of the public Internet. */
    public static boolean isPublic(InetAddress address) {
        byte[] bytes = address.getAddress();
        return address instanceof Inet4Address
                ? REFUSED.stream().noneMatch(block -> block.contains(bytes))
                : GLOBAL_V6.contains(bytes) && REFUSED_V6.stream().noneMatch(block -> block.contains(bytes));
    }

    private record Block(byte[] network, int prefix) {
        boolean contains(byte[] address) {
            for (int bit = 0; bit < prefix; bit++) {
                int mask = 0x80 >> (bit & 7);
                if (((network[bit >> 3] ^ address[bit >> 3]) & mask) != 0) {
                    return false;
                }
            }
            return true;
        }
    }

    private static List<Block> blocks(String... texts) {
        List<Block> blocks = new ArrayList<>();
        for (String text : texts) {
            blocks.add(block(text));
        }
        return List.copyOf(blocks);
    }

    private static Block block(String text) {
        int slash = text.indexOf('/');
        try {
            byte[] network = InetAddress.ofLiteral(text.substring(0, slash)).getAddress();
            return new Block(network, Integer.parseInt(text.substring(slash + 1)));
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("bad address block " + text, e);
        }
    }
}
