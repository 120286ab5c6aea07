package switchboard.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
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
    @Property(tries = 300, seed = "4711")
    void everySpellingOfALoopbackAddressIsRefused(
            @ForAll @IntRange(max = 255) int a,
            @ForAll @IntRange(max = 255) int b,
            @ForAll @IntRange(max = 255) int c) {
        long value = 127L << 24 | a << 16 | b << 8 | c;
        for (String spelling : new String[] {
            "127." + a + "." + b + "." + c,
            Long.toString(value),
            "0x" + Long.toHexString(value),
            "0" + Long.toOctalString(value),
            "0177." + a + "." + b + "." + c,
            "0x7f." + a + "." + b + "." + c,
            "0177.0" + Integer.toOctalString(a) + ".0x" + Integer.toHexString(b) + "." + c,
            "[::127." + a + "." + b + "." + c + "]",
            "[64:ff9b::127." + a + "." + b + "." + c + "]",
            "127." + (a << 16 | b << 8 | c),
            "127." + a + "." + (b << 8 | c),
            "[::ffff:127." + a + "." + b + "." + c + "]",
            "[::ffff:7f" + String.format("%02x:%02x%02x", a, b, c) + "]"
        }) {
            try {
                String host = WebAddress.parse("http://" + spelling + "/").getHost();
                for (InetAddress address : HostResolver.SYSTEM.resolve(host)) {
                    assertFalse(AddressRules.isPublic(address), spelling);
                }
            } catch (UnknownHostException | FetchException _) {
                assertTrue(true, "a spelling that nobody knows reaches nobody");
            }
        }
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
