package switchboard.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRulesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "10.1.2.3",
                "100.64.0.1",
                "100.100.100.200",
                "127.0.0.1",
                "127.255.255.255",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.192",
                "192.168.1.1",
                "198.18.0.1",
                "224.0.0.1",
                "240.0.0.1",
                "255.255.255.255",
                "168.63.129.16",
                "::",
                "::1",
                "::ffff:127.0.0.1",
                "::ffff:a00:1",
                "::127.0.0.1",
                "fe80::1",
                "fec0::1",
                "fc00::1",
                "fd00:ec2::254",
                "ff02::1",
                "64:ff9b::7f00:1",
                "2002:7f00:1::",
                "2001::1",
                "2001:db8::1",
                "100::1"
            })
    void addressesOutsideThePublicInternetAreRefused(String address) {
        assertFalse(AddressRules.isPublic(InetAddress.ofLiteral(address)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "9.255.255.255",
                "11.0.0.0",
                "172.15.0.1",
                "172.32.0.1",
                "100.63.0.1",
                "100.128.0.1",
                "192.167.1.1",
                "223.255.255.254",
                "2606:4700::1111",
                "2a00:1450::1",
                "::ffff:1.1.1.1"
            })
    void publicAddressesAreNot(String address) {
        assertTrue(AddressRules.isPublic(InetAddress.ofLiteral(address)));
    }

    /** However loopback is written: it is no URL, the resolver knows it not, or knows it as what it is. */
    @Property(tries = 300)
    void everySpellingOfALoopbackAddressIsRefused(
            @ForAll @IntRange(max = 255) int a, @ForAll @IntRange(max = 255) int b, @ForAll @IntRange(max = 255) int c)
            throws UnknownHostException {
        for (String spelling : plainSpellings(127, a, b, c)) {
            assertEquals(List.of(address(127, a, b, c)), resolved(spelling), spelling);
            assertFalse(AddressRules.isPublic(resolved(spelling).getFirst()), spelling);
        }
        for (String spelling : oddSpellings(127, a, b, c)) {
            assertTrue(known(spelling).stream().noneMatch(AddressRules::isPublic), spelling);
        }
    }

    /** The same spellings of an address of the public Internet: what refuses everything fails here. */
    @Property(tries = 300)
    void everyPlainSpellingOfAPublicAddressIsThatAddress(
            @ForAll @IntRange(max = 255) int a, @ForAll @IntRange(max = 255) int b, @ForAll @IntRange(max = 255) int c)
            throws UnknownHostException {
        for (String spelling : plainSpellings(9, a, b, c)) {
            assertEquals(List.of(address(9, a, b, c)), resolved(spelling), spelling);
            assertTrue(AddressRules.isPublic(resolved(spelling).getFirst()), spelling);
        }
    }

    private static InetAddress address(int first, int a, int b, int c) throws UnknownHostException {
        return InetAddress.getByAddress(new byte[] {(byte) first, (byte) a, (byte) b, (byte) c});
    }

    /** The addresses of what is a URL and known to the resolver, else none: such a spelling reaches nobody. */
    private static List<InetAddress> known(String spelling) {
        try {
            return resolved(spelling);
        } catch (UnknownHostException | FetchException _) {
            return List.of();
        }
    }

    /** The ways to write {@code first.a.b.c} that some parser somewhere takes for that address. */
    private static List<String> oddSpellings(int first, int a, int b, int c) {
        long value = (long) first << 24 | a << 16 | b << 8 | c;
        return List.of(
                Long.toString(value),
                "0x" + Long.toHexString(value),
                "0" + Long.toOctalString(value),
                "0" + Integer.toOctalString(first) + "." + a + "." + b + "." + c,
                "0x" + Integer.toHexString(first) + "." + a + "." + b + "." + c,
                "0" + Integer.toOctalString(first) + ".0" + Integer.toOctalString(a) + ".0x" + Integer.toHexString(b)
                        + "." + c,
                "[::" + first + "." + a + "." + b + "." + c + "]",
                "[64:ff9b::" + first + "." + a + "." + b + "." + c + "]",
                first + "." + (a << 16 | b << 8 | c),
                first + "." + a + "." + (b << 8 | c));
    }

    /** Those that everybody takes for it: who refuses them knows no addresses at all. */
    private static List<String> plainSpellings(int first, int a, int b, int c) {
        return List.of(
                first + "." + a + "." + b + "." + c,
                "[::ffff:" + first + "." + a + "." + b + "." + c + "]",
                "[::ffff:" + String.format("%02x%02x:%02x%02x", first, a, b, c) + "]");
    }

    private static List<InetAddress> resolved(String spelling) throws UnknownHostException {
        return HostResolver.SYSTEM.resolve(
                WebAddress.parse("http://" + spelling + "/").getHost());
    }

    @Test
    void urlsAreMadeFitForARequest() {
        assertEquals(
                "http://example.com/", WebAddress.parse(" HTTP://Example.COM ").toString());
        assertEquals(
                "http://xn--bcher-kva.example/a%20b?q=%C3%BC",
                WebAddress.parse("http://bücher.example/a b?q=ü#frag").toString());
        assertEquals(
                "https://[2606:4700::1]:8443/x",
                WebAddress.parse("https://[2606:4700::1]:8443/x").toString());
        assertEquals(
                "http://under_score.test:81/",
                WebAddress.parse("http://under_score.test:81").toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://x/",
                "file:///etc/passwd",
                "",
                "example.com",
                "http://",
                "http:///x",
                "http://u:p@x/",
                "http://u@x/",
                "http://x:0/",
                "http://x:70000/",
                "http://x:port/",
                "http://exa mple/",
                "http://[::1/",
                "http://%31%32%37.0.0.1/",
                "javascript:alert(1)",
                "http://a\u0000b/",
                "http://ü@x/"
            })
    void unusableUrlsAreRefused(String url) {
        FetchException e = assertThrows(FetchException.class, () -> WebAddress.parse(url));
        assertEquals(FetchException.Reason.BAD_URL, e.reason());
    }
}
