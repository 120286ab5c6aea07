package switchboard.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** URLs as people and agents write them. */
class WebAddressTest {
    @ParameterizedTest
    @CsvSource({
        "HTTP://A.Example, http://a.example/",
        "'  https://a.example/x  ', https://a.example/x",
        "https://a.example:65535/x, https://a.example:65535/x",
        "https://a.example:1/x?q=1#part, https://a.example:1/x?q=1",
        "https://a.example/a b, https://a.example/a%20b",
        "https://a.example/ü, https://a.example/%C3%BC",
        "https://bücher.example:8080/x, https://xn--bcher-kva.example:8080/x",
        "https://bücher.example, https://xn--bcher-kva.example/",
        "https://a.example/../../x/./y, https://a.example/x/y",
        "https://a.example?q, https://a.example/?q",
        "http://192.0.2.7/x, http://192.0.2.7/x",
        "'http://[2001:db8::1]:80/', 'http://[2001:db8::1]:80/'"
    })
    void isNormalized(String written, String uri) {
        assertEquals(uri, WebAddress.parse(written).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://user@a.example/",
                "http://user:word@a.example/",
                "http://@a.example/",
                "http://user@bücher.example/",
                "http://user:word@bücher.example/x"
            })
    void whoSendsACredentialIsToldThatItIsNotTaken(String written) {
        FetchException refused = assertThrows(FetchException.class, () -> WebAddress.parse(written));
        assertEquals(FetchException.Reason.BAD_URL, refused.reason());
        assertEquals("URL must not carry a user name or password; fetch a page that needs none.", refused.getMessage());
    }

    private static FetchException.Reason refused(String written) {
        return assertThrows(FetchException.class, () -> WebAddress.parse(written))
                .reason();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.example",
                "ftp://a.example/",
                "file:///etc/passwd",
                "http:///x",
                "http://a.example:0/",
                "http://a.example:65536/",
                "http://bücher.example:65536/",
                "http://bücher.example:port/",
                "http://user@a.example/",
                "http://user:secret@a.example/",
                "http://user@bücher.example/",
                "http://a.example/%zz"
            })
    void isRefusedIfItIsNoAddressOfAPage(String written) {
        assertEquals(FetchException.Reason.BAD_URL, refused(written));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://2130706433/",
                "http://0x7f.1/",
                "http://127.1/",
                "http://0177.0.0.1/",
                "http://a.example.0x7f/"
            })
    void isRefusedIfProgramsDisagreeOnTheNumber(String written) {
        assertEquals(FetchException.Reason.REFUSED, refused(written));
    }

    @Test
    void redirectsAreResolvedAndStayOnTheWeb() {
        URI from = URI.create("https://a.example/x/y");
        assertEquals("https://a.example/x/z", WebAddress.redirect(from, " z ").toString());
        assertEquals(
                "http://b.example/",
                WebAddress.redirect(from, "HTTP://b.example").toString());
        for (String nowhere : new String[] {null, "", " "}) {
            assertEquals(
                    FetchException.Reason.NETWORK,
                    assertThrows(FetchException.class, () -> WebAddress.redirect(from, nowhere))
                            .reason());
        }
        assertEquals(
                FetchException.Reason.REFUSED,
                assertThrows(FetchException.class, () -> WebAddress.redirect(from, "file:///etc/passwd"))
                        .reason());
        assertEquals(
                FetchException.Reason.BAD_URL,
                assertThrows(FetchException.class, () -> WebAddress.redirect(from, "http://user@b.example/"))
                        .reason());
    }
}
