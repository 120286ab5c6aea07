package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.testing.RawHttp;
import switchboard.testing.TestGateway;

/** Credentials of which another reader could take another one: none of them is used. */
class AmbiguousCredentialsTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

    private final ApiKey good = ApiKey.generate(new SecureRandom());
    private final ApiKey second = ApiKey.generate(new SecureRandom());

    @TempDir
    Path folder;

    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  team:
                    keys: [{id: k1, sha256: %s}, {id: k2, sha256: %s}]
                    grants: ["vectordb:*"]
                """.formatted(good.sha256(), second.sha256()));
        gateway = TestGateway.start("""
                auth: {mode: keys, anonymous: {team: team}}
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """, folder);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    @Test
    void whatComesTwiceOrDiffersIsRefused() {
        String key = good.text();
        String other = second.text();
        for (String headers : List.of(
                "Authorization: Bearer " + key + "\nAuthorization: Bearer " + other + "\n",
                "Authorization: Bearer " + other + "\nauthorization: Bearer " + key + "\n",
                "Authorization: Bearer " + key + "\nAuthorization: Bearer " + key + "\n",
                "Authorization: Bearer " + key + "\nAuthorization:\n",
                "X-API-Key: " + key + "\nx-api-key: " + other + "\n",
                "X-API-Key: " + key + "\nX-API-Key: " + key + "\n",
                "Authorization: Bearer " + key + "\nX-API-Key: " + other + "\n",
                "Authorization: Basic YTpi\nX-API-Key: " + key + "\n",
                "Authorization: Bearer " + key + "\nX-API-Key:\n")) {
            String reply = post(headers);
            assertTrue(reply.startsWith("HTTP/1.1 400"), headers + reply);
            assertTrue(reply.contains("\"ambiguous_credentials\""), headers + reply);
            assertFalse(reply.contains(key) || reply.contains(other), "no key is shown");
        }
    }

    @Test
    void oneCredentialShownInBothHeadersIsOne() {
        for (String headers : List.of(
                "",
                "Authorization: Bearer " + good.text() + "\n",
                "X-API-Key: " + good.text() + "\n",
                "Authorization: bearer " + good.text() + " \nX-API-Key: " + good.text() + "\n")) {
            assertTrue(post(headers).startsWith("HTTP/1.1 200"), headers);
        }
    }

    private String post(String headers) {
        try (RawHttp client = new RawHttp(gateway.url().getPort())) {
            return client.post("/mcp", headers + "Connection: close\n", PING).readAll();
        }
    }

    @Test
    void anotherSchemeAloneIsNotAmbiguous() {
        String reply = post("Authorization: Basic YTpi\n");
        assertEquals("HTTP/1.1 401", reply.substring(0, 12));
        assertTrue(reply.contains("unsupported_authorization_scheme"), reply);
    }
}
