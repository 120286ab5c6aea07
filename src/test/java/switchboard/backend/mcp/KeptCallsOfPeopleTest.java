package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.PeopleGateway;
import switchboard.testing.TokenExchange;
import switchboard.testing.fixture.AskingServer;

/** Calls that are made as the person who calls, and wait for that person's client. */
class KeptCallsOfPeopleTest {
    private static final String HERE = "https://gateway.example.org";

    @TempDir
    private Path data;

    private static McpTestClient able(PeopleGateway gateway, String token) {
        return gateway.client(token).able("elicitation");
    }

    /** The token for the server ends while the call waits, and the client comes back with a token of its own that is new. */
    @Test
    void aCallGoesOnWithTheTokenOfTheRequestThatAnswers() throws Exception {
        try (TokenExchange people = new TokenExchange();
                AskingServer server = new AskingServer();
                PeopleGateway gateway = new PeopleGateway(
                        data,
                        HERE,
                        people.issuer().identifier(),
                        people.issuer().jwksUrl().toString(),
                        """
                        backends:
                          own: {type: vectordb}
                          tools:
                            type: mcp
                            era: legacy
                            url: "%s"
                            oauth: {as: caller, tokenUrl: "%s/token", clientId: gateway, clientSecret: "${file:secret}"}
                        """.formatted(server.url(), people.issuer().identifier()))) {
            String first = people.token(HERE, "ada");
            gateway.awaitTool(first, "tools__ask");
            people.answer(new TokenExchange.Answer(
                    200,
                    "{\"access_token\":\"short\",\"token_type\":\"Bearer\",\"expires_in\":6,"
                            + "\"issued_token_type\":\"urn:ietf:params:oauth:token-type:access_token\"}"));
            ObjectNode ask = Json.object().put("name", "tools__ask").set("arguments", Json.object());
            JsonNode asked = able(gateway, first).result("tools/call", ask);
            assertEquals("input_required", asked.path("resultType").asText(), asked::toString);
            people.answerTokens();
            Instant over = Instant.now().plusSeconds(4);
            Eventually.within(Eventually.OF_A_PROCESS, () -> Instant.now().isAfter(over), () -> "time does not pass");
            String fresh = people.token(HERE, "ada");
            ObjectNode next = ask.deepCopy();
            next.set("requestState", asked.path("requestState"));
            ObjectNode responses = next.putObject("inputResponses");
            asked.path("inputRequests")
                    .fieldNames()
                    .forEachRemaining(key -> responses.putObject(key).put("action", "decline"));
            JsonNode done = able(gateway, fresh).result("tools/call", next);
            assertTrue(done.at("/content/0/text").asText().contains("decline"), done::toString);
            List<String> subjects = people.exchanges().stream()
                    .map(form -> form.get("subject_token"))
                    .toList();
            assertEquals(fresh, subjects.getLast());
        }
    }
}
