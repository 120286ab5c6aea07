package switchboard.text;

import java.net.InetAddress;

/**
 * A block of IP addresses in CIDR notation (RFC 4632, RFC 4291 section 2.3): {@code 10.0.0.0/8}, {@code 2001:db8::/32};
 * an address alone is a block of one.
 */
public final class CidrBlock {
    private final byte[] network;
    private final int prefix;

    private CidrBlock(byte[] network, int prefix) {
        this.network = network;
        this.prefix = prefix;
    }

    /**
     * Parses a block.
     *
     * @throws IllegalArgumentException if {@code text} is not one; the message says why
     */
    public static CidrBlock parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        try {
            byte[] network = InetAddress.ofLiteral(address).getAddress();
            int bits = network.length * Byte.SIZE;
            int prefix = slash < 0 ? bits : Integer.parseInt(text.substring(slash + 1));
            if (prefix >= 0 && prefix <= bits) {
                return new CidrBlock(network, prefix);
            }
        } catch (IllegalArgumentException _) {
            // reported below
        }
        throw new IllegalArgumentException(
                "\"" + text + "\" is not an address or a block of them, such as 10.0.0.0/8 or 2001:db8::/32");
    }

    /** Whether {@code address} is in the block; false for the other IP version. */
    public boolean contains(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length != network.length) {
            return false;
        }
        for (int bit = 0; bit < prefix; bit++) {
            int mask = 0x80 >> (bit & 7);
            if (((network[bit >> 3] ^ bytes[bit >> 3]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }
}
