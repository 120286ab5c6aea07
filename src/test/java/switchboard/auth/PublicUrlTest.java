package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublicUrlTest {
    @ParameterizedTest
    @CsvSource({
        "https://a.example, https://a.example, ''",
        "https://a.example/, https://a.example, ''",
        "https://a.example//, https://a.example, ''",
        "HTTPS://A.Example:443/mcp, https://a.example, ''",
        "http://a.example:80/mcp//, http://a.example, ''",
        "http://a.example:443/tools, http://a.example:443, /tools",
        "https://a.example/tools/mcp/, https://a.example, /tools",
        "https://a.example/tools//, https://a.example, /tools",
        "https://[::1]:8443/a%20b, https://[::1]:8443, /a%20b"
    })
    void anyOfItsSpellingsHasTheSameParts(URI url, String origin, String prefix) {
        assertEquals(new PublicUrl(origin, prefix), PublicUrl.of(url));
    }
}
