package switchboard.testing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import switchboard.auth.ApiKey;

/**
 * A gateway whose callers are people of one team with access tokens, or with the team's one key. Each person has libraries of
 * their own.
 */
public final class PeopleGateway implements AutoCloseable {
    private final TestGateway gateway;
    private final ApiKey key = ApiKey.generate(new SecureRandom());

    /**
     * Starts it.
     *
     * @param data its data folder, which stays
     * @param audience its public URL, the audience of tokens
     * @param issuer who gives tokens
     * @param jwks where that one's keys are
     * @param rest its other settings
     */
    public PeopleGateway(Path data, String audience, String issuer, String jwks, String rest) {
        try {
            Files.createDirectories(data);
            Files.writeString(data.resolve("secret"), "secret-of-the-client");
            Files.writeString(data.resolve("teams.yaml"), """
                    teams:
                      people:
                        keys: [{id: robot, sha256: %s}]
                        grants: ["*:*"]
                        bindings: {own: {owner: "{claim:sub}"}}
                    """.formatted(key.sha256()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.gateway = TestGateway.start("""
                server: {publicUrl: "%s"}
                auth:
                  mode: keys
                  tokens:
                    issuers: {corporate: {issuer: "%s", jwks: "%s", team: people, carry: [sub]}}
                embedders: {default: {provider: none}}
                """.formatted(audience, issuer, jwks) + rest, data);
    }

    /** The gateway. */
    public TestGateway gateway() {
        return gateway;
    }

    /** The API key. */
    public String key() {
        return key.text();
    }

    /** A client of 2026-07-28 with this credential. */
    public McpTestClient client(String credential) {
        return gateway.modern().with("Authorization", "Bearer " + credential);
    }

    /** The same of 2025-11-25. */
    public McpTestClient legacy(String credential) {
        return McpTestClient.legacy(
                gateway.url(), McpTestClient.LEGACY, Map.of("Authorization", "Bearer " + credential));
    }

    /** The bearer of {@code credential} calls a tool. */
    public ToolResult call(String credential, String tool, ObjectNode arguments) {
        return client(credential).call(tool, arguments);
    }

    /** Waits until {@code tool} is listed. */
    public void awaitTool(String credential, String tool) {
        Eventually.that(
                () -> client(credential).toolNames().contains(tool),
                () -> tool + " was never listed: " + client(credential).toolNames());
    }

    @Override
    public void close() {
        gateway.close();
    }
}
