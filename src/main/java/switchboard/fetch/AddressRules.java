package switchboard.fetch;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import switchboard.text.CidrBlock;

/**
 * The addresses that may be fetched: the public Internet only (IANA's special-purpose address registries, RFC 6890).
 * Resolved addresses are checked, so the spelling of a host (decimal, octal, mapped) makes no difference.
 */
public final class AddressRules {
    private static final List<CidrBlock> REFUSED = blocks(
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

    private static final CidrBlock GLOBAL_V6 = CidrBlock.parse("2000::/3");

    private static final List<CidrBlock> REFUSED_V6 = blocks(
            "2001::/23", // protocol assignments, Teredo: it carries a v4 address
            "2001:db8::/32",
            "2002::/16", // 6to4: it carries a v4 address
            "3fff::/20");

    private AddressRules() {}

    /** Whether {@code address} belongs to the public Internet. */
    public static boolean isPublic(InetAddress address) {
        return address instanceof Inet4Address
                ? REFUSED.stream().noneMatch(block -> block.contains(address))
                : GLOBAL_V6.contains(address) && REFUSED_V6.stream().noneMatch(block -> block.contains(address));
    }

    private static List<CidrBlock> blocks(String... texts) {
        return Stream.of(texts).map(CidrBlock::parse).toList();
    }
}
