package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which URLs of requests are the same (RFC 3986 section 6). */
class TargetUriTest {
    @ParameterizedTest
    @CsvSource({
        "https://gw.example/mcp, https://gw.example/mcp",
        "HTTPS://GW.Example/mcp, https://gw.example/mcp",
        "https://gw.example:443/mcp, https://gw.example/mcp",
        "https://gw.example:/mcp, https://gw.example/mcp",
        "http://gw.example:80/mcp, http://gw.example/mcp",
        "https://gw.example:80/mcp, https://gw.example:80/mcp",
        "http://gw.example:443/mcp, http://gw.example:443/mcp",
        "https://gw.example:8443/mcp, https://gw.example:8443/mcp",
        "https://gw.example, https://gw.example/",
        "https://gw.example/, https://gw.example/",
        "https://gw.example/mcp/, https://gw.example/mcp/",
        "https://gw.example/MCP, https://gw.example/MCP",
        "https://gw.example//mcp, https://gw.example//mcp",
        "https://gw.example/%6Dcp, https://gw.example/mcp",
        "https://gw.example/%7e%2D, https://gw.example/~-",
        "https://gw.example/a%2fb%c3%a4, https://gw.example/a%2Fb%C3%A4",
        "https://gw.example/a%252e, https://gw.example/a%252e",
        "https://gw.example/./a/../mcp, https://gw.example/mcp",
        "https://gw.example/../../mcp, https://gw.example/mcp",
        "https://gw.example/a/%2e%2E/mcp, https://gw.example/mcp",
        "https://gw.example/mcp/., https://gw.example/mcp/",
        "https://gw.example/mcp/v/.., https://gw.example/mcp/",
        "https://gw.example/.., https://gw.example/",
        "https://gw.example/...a, https://gw.example/...a",
        "https://[::1]:8443/mcp, https://[::1]:8443/mcp"
    })
    void equalOnesHaveOneForm(String text, String form) {
        assertEquals(Optional.of(form), TargetUri.normalized(text));
        assertEquals(Optional.of(form), TargetUri.normalized(form), "it is its own form");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/mcp",
                "gw.example/mcp",
                "//gw.example/mcp",
                "ftp://gw.example/mcp",
                "https:/mcp",
                "https:mcp",
                "https:///mcp",
                "https://u@gw.example/mcp",
                "https://@gw.example/mcp",
                "https://gw.example/mcp?",
                "https://gw.example/mcp?a=b",
                "https://gw.example/mcp#",
                "https://gw.example/mcp#a",
                "https://gw.example/m cp",
                "https://gw.example/%6",
                "https://gw.example/%zz",
                "https://gw.example/a|b",
                "https://gw.example:x/mcp"
            })
    void othersHaveNone(String text) {
        assertEquals(Optional.empty(), TargetUri.normalized(text));
    }
}
