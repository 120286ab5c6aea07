package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.FaultServer;
import switchboard.testing.GrowingFile;
import switchboard.testing.McpTestClient;
import switchboard.testing.RawHttp;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;
import switchboard.testing.TwoForms;

/** Operators ask why somebody does or does not see a document, over HTTP. */
class WhyNotTest {
    private static final String TEXT = "The granite quarry pays zirconium bonuses.";
    private static final String TITLE = "Payroll";
    private static final String NOWHERE = "00000000-0000-4000-8000-000000000000";

    private static final String TEAMS = """
            teams:
              ops: {keys: [{id: op, sha256: <op>}], grants: ["switchboard:admin"]}
              narrow: {keys: [{id: nar, sha256: <nar>}], grants: ["switchboard:admin:vectordb:hr-*"]}
              docsops: {keys: [{id: docsop, sha256: <docsop>}], grants: ["docs:admin"]}
              libops: {keys: [{id: libop, sha256: <libop>}], grants: ["vectordb:admin:hr-*", "docs:read"]}
              agents: {keys: [{id: agent, sha256: <agent>}], grants: ["*:read,search"]}
              feeders:
                keys: [{id: feed, sha256: <feed>}]
                grants: ["*:read,search,create,update,embed"]
                bindings: {vectordb: {documents: all}}
              staff:
                keys:
                  - {id: ann, sha256: <ann>, claims: {email: [ann@example.com], groups: [hr, it]}}
                  - {id: bob, sha256: <bob>, claims: {email: [bob@example.com], groups: [it]}}
                  - {id: eve, sha256: <eve>}
                  - {id: old, sha256: <old>, expires: 2020-01-01T00:00:00Z, claims: {email: [o], groups: [hr]}}
                grants: ["vectordb:read,search:hr-*", "docs:search"]
                bindings: {vectordb: {user: "{claim:email}", groups: "{list:groups}"}}
              desks:
                keys:
                  - {id: north, sha256: <north>, claims: {desk: [north]}}
                  - {id: south, sha256: <south>, claims: {desk: [south]}}
                grants: ["*:read,search,create,update,embed"]
                bindings: {vectordb: {owner: "{claim:desk}"}, docs: {owner: "desk-{principal}"}}
              viewers: {keys: [], views: [docs], grants: ["*:read,search"]}
              bound:
                keys: [{id: bop, sha256: <bop>}]
                grants: ["*:*"]
                bindings: {vectordb: {owner: "desk"}}
            """;

    private final Map<String, ApiKey> keys = new TreeMap<>();
    private final FaultServer silent = new FaultServer(FaultServer.silentAfter(""));

    @TempDir
    Path folder;

    private TestGateway gateway;
    private String secret;
    private String open;
    private String sales;
    private String norths;
    private String doc;

    @BeforeEach
    void start() throws IOException {
        String teams = TEAMS;
        for (String id : List.of(
                "op", "nar", "docsop", "libop", "agent", "feed", "ann", "bob", "eve", "old", "north", "south", "bop")) {
            keys.put(id, ApiKey.generate(new SecureRandom()));
            teams = teams.replace("<" + id + ">", keys.get(id).sha256());
        }
        Files.writeString(folder.resolve("teams.yaml"), teams);
        gateway = TestGateway.start("""
                auth: {mode: keys}
                audit: {to: file, file: audit.jsonl, arguments: full}
                search: {deadline: 1s}
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb, dataDir: data/one}
                  docs: {type: vectordb, dataDir: data/two}
                  meilisearch: {type: meilisearch, url: "%s"}
                views:
                  some: {backends: [vectordb, switchboard], resources: {vectordb: [hr-*]}}
                """.formatted(silent.url()), folder);
        secret = stored("feed", "ingest_text", "vectordb", "hr-pay", "group:hr", "user:cfo@example.com");
        open = stored("feed", "ingest_text", "vectordb", "hr-open");
        sales = stored("feed", "ingest_text", "vectordb", "sales");
        norths = stored("north", "ingest_text", "vectordb", "default");
        doc = stored("feed", "docs__ingest_text", "docs", "default");
    }

    @AfterEach
    void stop() {
        gateway.close();
        silent.close();
    }

    private McpTestClient client(String id) {
        return gateway.modern().with("X-API-Key", keys.get(id).text());
    }

    private String stored(String who, String tool, String backend, String library, String... allow) {
        ObjectNode arguments = Json.object()
                .put("content", TEXT)
                .put("title", TITLE)
                .put("source", library + "-source")
                .put("library", library);
        for (String reader : allow) {
            arguments.withArray("allow").add(reader);
        }
        ToolResult result = client(who).call(tool, arguments);
        assertFalse(result.isError(), result::toString);
        return address(backend, library, result.structured().path("doc_id").asText());
    }

    private static String address(String backend, String source, String id) {
        return "switchboard://" + backend + "/" + source + "/" + id;
    }

    private static ObjectNode asked(String address, String team) {
        return Json.object().put("address", address).put("team", team);
    }

    private ToolResult why(String operator, ObjectNode arguments) {
        ToolResult answer = client(operator).call("why_not", arguments);
        assertFalse(answer.toString().contains("granite") || answer.toString().contains(TITLE), answer::toString);
        return answer;
    }

    /** The answer about a key of a team, or about nobody in particular. */
    private ToolResult why(String address, String team, String key) {
        ObjectNode arguments = asked(address, team);
        ToolResult answer = why("op", key.isEmpty() ? arguments : arguments.put("key", key));
        assertFalse(answer.isError(), answer::toString);
        TwoForms.check("why_not", answer.result());
        return answer;
    }

    private static String seen(ToolResult answer) {
        return answer.structured().path("seen").asText();
    }

    private static List<String> steps(ToolResult answer) {
        List<String> steps = new ArrayList<>();
        answer.structured()
                .path("reasons")
                .forEach(reason -> steps.add(reason.path("step").asText()));
        return steps;
    }

    private static String texts(ToolResult answer, String step) {
        List<String> texts = new ArrayList<>();
        for (JsonNode reason : answer.structured().path("reasons")) {
            if (reason.path("step").asText().equals(step)) {
                texts.add(reason.path("text").asText());
            }
        }
        return String.join(" ", texts);
    }

    private static void says(String expected, ToolResult answer, String step) {
        assertTrue(texts(answer, step).contains(expected), () -> expected + " is not in " + answer);
    }

    @Test
    void whoMayReadADocumentIsTheOneThatItsAllowNames() {
        ToolResult ann = why(secret, "staff", "ann");
        assertEquals("true", seen(ann), ann::toString);
        assertEquals(List.of("team", "key", "grants", "grants", "bindings", "bindings", "document"), steps(ann));
        says("has the claims email, groups", ann, "key");
        says("read of vectordb:hr-pay is granted by vectordb:read,search:hr-*.", ann, "grants");
        says("search of vectordb:hr-pay is granted by vectordb:read,search:hr-*.", ann, "grants");
        says("groups is hr, it.", ann, "bindings");
        says("user is ann@example.com.", ann, "bindings");
        says("group:hr of it matches", ann, "document");

        ToolResult bob = why(secret, "staff", "bob");
        assertEquals("false", seen(bob), bob::toString);
        says("its allow hides it. Its allow is group:hr, user:cfo@example.com.", bob, "document");
        says("This caller is user:bob@example.com, group:it: none of it matches.", bob, "document");
        assertEquals("true", seen(why(open, "staff", "bob")));

        ToolResult nameless = why(secret, "agents", "agent");
        assertEquals("false", seen(nameless), nameless::toString);
        says("has no name there", nameless, "document");
        assertEquals("true", seen(why(open, "agents", "agent")));

        ToolResult all = why(secret, "feeders", "feed");
        assertEquals("true", seen(all), all::toString);
        says("bound to documents: all", all, "document");
    }

    @Test
    void claimsCountAsThoseOfAToken() {
        ObjectNode cfo = asked(secret, "staff");
        cfo.putObject("claims")
                .put("email", "cfo@example.com")
                .putArray("groups")
                .add("board")
                .add("x");
        ToolResult answer = why("op", cfo);
        assertEquals("true", seen(answer), answer::toString);
        says("user:cfo@example.com of it matches", answer, "document");

        ObjectNode other = asked(secret, "staff");
        other.putObject("claims").put("email", "CFO@example.com").put("groups", "HR");
        assertEquals("false", seen(why("op", other)), "case matters");

        ObjectNode few = asked(secret, "staff");
        few.putObject("claims").put("email", "cfo@example.com");
        ToolResult denied = why("op", few);
        assertEquals("false", seen(denied), denied::toString);
        says("needs the claim \"groups\"", denied, "bindings");
        says("The document exists. The backend refuses this caller", denied, "document");
    }

    @Test
    void theTeamAndItsKeyComeFirst() {
        ToolResult noTeam = why(secret, "nobody", "ann");
        assertEquals("false", seen(noTeam));
        assertEquals(List.of("team"), steps(noTeam));
        for (String key : List.of("north", "anonymous", "jwt:a:b", "Ann")) {
            ToolResult none = why(secret, "staff", key);
            assertEquals("false", seen(none));
            assertEquals(List.of("team", "key"), steps(none));
            says("no key \"" + key + "\"", none, "key");
        }
        ToolResult old = why(secret, "staff", "old");
        assertEquals("false", seen(old));
        assertEquals(List.of("team", "key"), steps(old));
        says("expired, at 2020-01-01", old, "key");
        ToolResult eve = why(secret, "staff", "eve");
        assertEquals("false", seen(eve));
        says("needs the claim", eve, "bindings");
    }

    @Test
    void withoutAGrantNothingIsSeen() {
        ToolResult none = why(sales, "staff", "ann");
        assertEquals("false", seen(none), none::toString);
        says("No grant of the team allows read of vectordb:sales.", none, "grants");
        says("No grant of the team allows search of vectordb:sales.", none, "grants");
        says("The document exists. The backend was not asked", none, "document");
        ToolResult found = why(doc, "staff", "ann");
        assertEquals("true", seen(found), "a search shows it");
        says("No grant of the team allows read of docs:default.", found, "grants");
        says("search of docs:default is granted by docs:search:*.", found, "grants");
        ToolResult views = why(sales, "viewers", "");
        assertEquals("false", seen(views), views::toString);
        says("none of them shows vectordb:sales", views, "team");
        assertEquals("true", seen(why(doc, "viewers", "")));
    }

    @Test
    void ownersHaveDocumentsOfTheirOwn() {
        assertEquals("true", seen(why(norths, "desks", "north")));
        ToolResult south = why(norths, "desks", "south");
        assertEquals("false", seen(south), south::toString);
        says("owner is south.", south, "bindings");
        says("There is no such document", south, "document");
        ToolResult shared = why(open, "desks", "south");
        assertEquals("false", seen(shared));
        says("not for the owner that the team is bound to", shared, "document");
        ToolResult unknown = why(doc, "desks", "");
        assertEquals("", seen(unknown), unknown::toString);
        says("name a key", unknown, "bindings");
        says("The document exists. Whether this caller sees it can't be told", unknown, "document");
        ToolResult named = why(doc, "desks", "north");
        assertEquals("false", seen(named));
        says("owner is desk-north.", named, "bindings");
    }

    @Test
    void anOperatorIsToldThatThereIsNoSuchDocument() {
        ToolResult missing = why(address("vectordb", "hr-pay", NOWHERE), "staff", "ann");
        assertEquals("false", seen(missing));
        says("There is no such document", missing, "document");
        ToolResult backend = why(address("elsewhere", "a", "b"), "feeders", "feed");
        assertEquals("false", seen(backend));
        says("There is no backend \"elsewhere\"", backend, "document");
    }

    /** What the tool says of a key is what its holder finds. */
    @Test
    void theAnswerIsWhatTheMemberFinds() {
        Map<String, String> teams = Map.of(
                "ann", "staff", "bob", "staff", "eve", "staff", "north", "desks", "south", "desks", "agent", "agents");
        teams.forEach((key, team) -> {
            for (String address : List.of(secret, open, sales, norths)) {
                ObjectNode arguments = Json.object().put("doc_id", address.substring(address.lastIndexOf('/') + 1));
                boolean read = !client(key).call("get_document", arguments).isError();
                assertEquals(Boolean.toString(read), seen(why(address, team, key)), key + " " + address);
            }
        });
    }

    @Test
    void anEngineThatDoesNotAnswerLeavesItOpen() {
        ToolResult late = why(address("meilisearch", "films", "1"), "agents", "agent");
        assertEquals("", seen(late), late::toString);
        says("Whether this caller sees it can't be told", late, "document");
        switchOff("vectordb");
        ToolResult off = why(open, "staff", "bob");
        assertEquals("", seen(off), off::toString);
        says("switched off", off, "document");
        assertEquals("false", seen(why(sales, "staff", "bob")), "no grant is reason enough");
    }

    private void switchOff(String backend) {
        try (RawHttp management = new RawHttp(gateway.app().managementUrl().getPort())) {
            assertEquals(
                    200,
                    management
                            .send("PUT /backends/" + backend + "/off HTTP/1.1\nHost: 127.0.0.1\nContent-Length: 0\n\n")
                            .status());
        }
    }

    @Test
    void whoIsNoOperatorDoesNotSeeTheTool() {
        for (String id : List.of("op", "nar", "docsop", "libop")) {
            assertTrue(client(id).toolNames().contains("why_not"), id);
            assertTrue(
                    gateway.modern("switchboard")
                            .with("X-API-Key", keys.get(id).text())
                            .toolNames()
                            .contains("why_not"),
                    id);
        }
        for (String id : List.of("agent", "feed", "ann", "north")) {
            assertFalse(client(id).toolNames().contains("why_not"), id);
            ObjectNode call = Json.object().put("name", "why_not").set("arguments", asked(open, "staff"));
            assertTrue(
                    client(id)
                            .request("tools/call", call)
                            .json()
                            .path("error")
                            .toString()
                            .contains("Unknown tool"),
                    id);
        }
        try (TestGateway alone = TestGateway.start("""
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """)) {
            assertFalse(alone.modern().toolNames().contains("why_not"), "there are no teams to ask about");
        }
    }

    @Test
    void anOperatorOfABackendExplainsThatOneOnly() {
        assertEquals("true", seen(why("docsop", asked(doc, "agents"))));
        assertEquals("true", seen(why("libop", asked(open, "agents"))));
        assertEquals("true", seen(why("nar", asked(open, "agents"))));
        Map<String, String> strange = Map.of("docsop", secret, "libop", sales, "nar", doc);
        strange.forEach((operator, address) -> {
            ToolResult there = why(operator, asked(address, "agents"));
            assertEquals("DENIED", there.errorKind(), there::toString);
            String missing = address.substring(0, address.lastIndexOf('/') + 1) + NOWHERE;
            assertEquals(
                    there.toString(), why(operator, asked(missing, "agents")).toString());
            assertEquals(
                    there.toString(), why(operator, asked(address, "nobody")).toString());
        });
        assertEquals(
                why("docsop", asked(secret, "agents")).text().replace("hr-pay", "nope"),
                why("docsop", asked(address("vectordb", "nope", "x"), "agents")).text());
        assertEquals(
                "DENIED",
                why("docsop", asked(address("elsewhere", "a", "b"), "x")).errorKind());
    }

    /** Otherwise the grant {@code *} would show a team's people what is kept from them. */
    @Test
    void whoIsKeptFromDocumentsItselfCanNotAskAboutThem() {
        for (String address : List.of(secret, secret + "0")) {
            ToolResult denied = client("bop")
                    .call("why_not", Json.object().put("address", address).put("team", "staff"));
            assertEquals("DENIED", denied.errorKind(), denied::toString);
            assertFalse(denied.text().contains("cfo"), denied::toString);
        }
        ToolResult elsewhere =
                client("bop").call("why_not", Json.object().put("address", doc).put("team", "staff"));
        assertFalse(elsewhere.isError(), elsewhere::toString);
        ToolResult nobodys = client("docsop")
                .call(
                        "why_not",
                        Json.object()
                                .put("address", "switchboard://nothing/x/y")
                                .put("team", "staff"));
        assertEquals("DENIED", nobodys.errorKind(), nobodys::toString);
    }

    /** A view restricts operators, too. */
    @Test
    void aViewExplainsWhatItShows() {
        try (McpTestClient some =
                gateway.modern("some").with("X-API-Key", keys.get("op").text())) {
            assertEquals("true", seen(some.call("why_not", asked(open, "agents"))));
            for (String hidden : List.of(sales, doc)) {
                assertEquals(
                        "DENIED", some.call("why_not", asked(hidden, "agents")).errorKind(), hidden);
            }
        }
        try (McpTestClient docsOperator =
                gateway.modern("some").with("X-API-Key", keys.get("docsop").text())) {
            assertFalse(docsOperator.toolNames().contains("why_not"), "it could explain nothing there");
        }
    }

    @Test
    void argumentsOfAnotherFormAreRefused() {
        for (String claims : List.of("{\"a\": 1}", "{\"a\": {\"b\": \"c\"}}", "{\"a\": [1]}", "[]", "\"x\"")) {
            ToolResult refused = client("op")
                    .call(
                            "why_not",
                            "{\"address\": \"" + open + "\", \"team\": \"staff\", \"claims\": " + claims + "}");
            assertEquals("INVALID_ARGUMENT", refused.errorKind(), claims);
        }
        ObjectNode both = asked(open, "staff").put("key", "ann");
        both.putObject("claims").put("email", "x");
        assertEquals("INVALID_ARGUMENT", why("op", both).errorKind());
        for (String address : List.of("vectordb/x", "switchboard://vectordb/x", "switchboard://a/b/%zz")) {
            assertEquals("INVALID_ARGUMENT", why("op", asked(address, "staff")).errorKind(), address);
        }
    }

    @Test
    void theAuditLogNamesTheOperatorAndWhatWasAsked() {
        why(secret, "staff", "ann");
        GrowingFile audit = new GrowingFile(folder.resolve("audit.jsonl"));
        Eventually.that(() -> audit.lines().size() >= 6, () -> "six lines in " + audit.lines());
        JsonNode line = Json.mapper()
                .valueToTree(audit.lines().stream().map(WhyNotTest::json).toList())
                .path(5);
        assertEquals("why_not", line.path("tool").asText(), line::toString);
        assertEquals("ops", line.path("team").asText());
        assertEquals(secret, line.path("arguments").path("address").asText());
        assertEquals("staff", line.path("arguments").path("team").asText());
        assertEquals(6, audit.lines().size(), "the questions to the backend are no calls of anybody");
    }

    private static JsonNode json(String line) {
        try {
            return Json.parse(line.getBytes(StandardCharsets.UTF_8));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
