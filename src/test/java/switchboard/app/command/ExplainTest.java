package switchboard.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code check-config --explain TEAM [TOOL [ARGS]]}, as a person runs it. */
class ExplainTest {
    @TempDir
    Path folder;

    @BeforeEach
    void files() throws IOException {
        Files.writeString(
                folder.resolve("switchboard.yaml"), "auth: {mode: keys}\nbackends: {vectordb: {type: vectordb}}\n");
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  research:
                    grants: ["vectordb:read,search:papers*", "vectordb:embed"]
                    bindings: {vectordb: {owner: lab}}
                    views: [vectordb, default]
                  empty: {}
                """);
    }

    @Test
    void theClaimsOfATokenShowWhatTheyBindTo() throws IOException {
        Files.writeString(folder.resolve("switchboard.yaml"), """
                server: {publicUrl: https://gateway.example.org}
                auth:
                  mode: keys
                  tokens:
                    issuers:
                      idp: {issuer: https://idp.example.org, jwks: https://idp.example.org/jwks, team: research, carry: [desk, groups]}
                backends: {vectordb: {type: vectordb}}
                """);
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  research:
                    grants: ["vectordb:read,search"]
                    bindings: {vectordb: {owner: "x-{claim:desk}", filter: "g IN {claim:groups}", other: "{claim:level}"}}
                """);
        Path claims = Files.writeString(
                folder.resolve("claims.json"), "{\"desk\": \"north\", \"groups\": [\"a\", \"b\"], \"level\": 3}");
        for (String[] words :
                List.of(new String[] {"research"}, new String[] {"research", "search", "{\"query\":\"x\"}"})) {
            List<String> all = new ArrayList<>(List.of(words));
            all.addAll(List.of("--as", claims.toString()));
            Outcome explained = explain(all.toArray(new String[0]));
            assertEquals(0, explained.code(), explained::toString);
            assertTrue(explained.out().contains("bound at vectordb: owner = x-north\n"), explained::toString);
            assertTrue(explained.out().contains("bound at vectordb: filter = g IN [a, b]\n"), explained::toString);
            assertTrue(
                    explained.out().contains("bound at vectordb: other = {claim:level}: refused."),
                    explained::toString);
        }
        Outcome none = explain("research");
        assertTrue(none.out().contains("owner = x-{claim:desk}: refused."), none::toString);
        assertEquals(
                2,
                explain("research", "--as", folder.resolve("no.json").toString())
                        .code());
    }

    private record Outcome(int code, String out, String err) {}

    private Outcome explain(String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = new CommandLine(new CheckConfigCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setExecutionExceptionHandler(new CommandFailures());
        List<String> arguments = new ArrayList<>(List.of("--config"));
        arguments.add(folder.resolve("switchboard.yaml").toString());
        arguments.add("--explain");
        arguments.addAll(List.of(words));
        int code = command.execute(arguments.toArray(new String[0]));
        return new Outcome(code, out.toString(), err.toString());
    }

    @Test
    void aTeamIsToldOfEveryToolWithTheGrantsThatSaySo() {
        Outcome all = explain("research");
        assertEquals(0, all.code(), all::toString);
        for (String line : List.of(
                "team research: 0 keys; views: default, vectordb",
                "bound at vectordb: owner = lab",
                "get_document (vectordb): allowed, on papers*",
                "  read: granted by vectordb:read,search:papers*",
                "delete_document (vectordb): not listed, as if it did not exist",
                "  delete: no grant",
                "The configuration is valid.")) {
            assertTrue(all.out().lines().anyMatch(line::equals), () -> line + "\n" + all);
        }
        assertTrue(explain("empty").out().lines().noneMatch(line -> line.contains(": allowed")), "nothing is granted");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"query\":\"x\",\"library\":\"papers-2026\"} | search on papers-2026: allowed, on papers*",
                "{\"query\":\"x\",\"library\":\"secrets\"}     | search on secrets: denied, no grant covers \"secrets\"",
                "{\"library\":\"papers\"}                      | search: refused, the arguments are not valid:",
                "{\"query\":\"x\",\"owner\":\"other\"}         | search: refused, the arguments are not valid:",
            })
    void oneCallIsExplained(String arguments, String line) {
        Outcome one = explain("research", "search", arguments);
        assertEquals(0, one.code(), one::toString);
        assertTrue(one.out().lines().anyMatch(line::equals), one::toString);
        assertTrue(one.out().contains("  search: granted by vectordb:read,search:papers*"), one::toString);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nobody   | search | {}  | there is no team \"nobody\"; there are empty, research",
                "research | serch  | {}  | there is no tool serch",
                "research | search | [1] | the arguments must be a JSON object",
                "research | search | {   | the arguments are not JSON",
            })
    void whatCanNotBeExplainedIsSaidWithCodeTwo(String team, String tool, String arguments, String reason) {
        Outcome refused = explain(team, tool, arguments);
        assertEquals(2, refused.code(), refused::toString);
        assertTrue(refused.err().contains("--explain: " + reason), refused::toString);
    }
}
