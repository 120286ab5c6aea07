package switchboard.catalog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import switchboard.call.Verb;

class DescriptorReaderTest {
    private static final String GOOD = """
            {"name":"find","title":"Find","description":"Finds.","verbs":["search","embed"],"scope":"/library",
             "timeout":"30s","idempotent":true,"maxResultBytes":1000,
             "inputSchema":{"type":"object","additionalProperties":false,
               "properties":{"library":{"type":"string","maxLength":9,"description":"Which."}}}}
            """;

    @Test
    void readsATool() {
        ToolDescriptor tool = DescriptorReader.read("f", file(GOOD)).getFirst();
        assertEquals("find", tool.name());
        assertEquals(Set.of(Verb.SEARCH, Verb.EMBED), tool.verbs());
        assertEquals(Duration.ofSeconds(30), tool.limits().timeout());
        assertEquals("/library", String.valueOf(tool.effects().scope()));
        assertEquals(ToolDescriptor.ErrorStyle.SENTENCE, tool.answer().errorStyle());
    }

    @Test
    void reportsEveryProblemOfTheFile() {
        String bad = """
                {"name":"a b"}, {"name":"x","verbs":["fly"],"timeout":"soon","colour":1,"scope":"/nope","perBackend":true,
                 "inputSchema":{"type":"object","oneOf":[],"required":["q"],
                   "properties":{"n":{"type":"integer"},"s":{"type":"array","items":{"type":"string"}}}}}
                """;
        List<String> problems = problems(bad);
        assertEquals(
                List.of(
                        "f: tool name \"a b\" is not 1 to 64 of A-Z a-z 0-9 _ -",
                        "f: tool x: unknown key \"colour\"",
                        "f: tool x: \"title\" is missing",
                        "f: tool x: \"description\" is missing",
                        "f: tool x: unknown verb \"fly\"",
                        "f: tool x: \"verbs\" must name at least one verb",
                        "f: tool x: \"scope\" must be the JSON pointer of an argument, such as \"/library\"",
                        "f: tool x: \"timeout\" must be a duration such as 30s",
                        "f: tool x: \"idempotent\" must be true or false",
                        "f: tool x: \"maxResultBytes\" must be a positive number",
                        "f: tool x: \"perBackend\" and \"scope\" exclude each other",
                        "f: tool x: inputSchema must say \"additionalProperties\": false",
                        "f: tool x: inputSchema must not use oneOf at its root",
                        "f: tool x: inputSchema requires \"q\", which it does not declare",
                        "f: tool x: inputSchema property n has no description",
                        "f: tool x: inputSchema property n has no minimum",
                        "f: tool x: inputSchema property n has no maximum",
                        "f: tool x: inputSchema property s has no description",
                        "f: tool x: inputSchema property s has no maxItems",
                        "f: tool x: inputSchema property s[] has no maxLength"),
                problems);
    }

    @Test
    void examplesAreAFewShortTexts() {
        String before = GOOD.replace("\"verbs\"", "\"examples\":%s,\"verbs\"");
        assertEquals(
                List.of("find it", "look"),
                DescriptorReader.read("f", file(before.formatted("[\"find it\",\"look\"]")))
                        .getFirst()
                        .texts()
                        .examples());
        String long101 = "\"" + "x".repeat(101) + "\"";
        for (String wrong : List.of(
                "\"find it\"",
                "{}",
                "null",
                "[1]",
                "[\" \"]",
                "[" + long101 + "]",
                "[" + "\"x\",".repeat(12) + "\"x\"]")) {
            assertEquals(
                    List.of("f: tool find: \"examples\" must be a list of up to 12 texts of 1 to 100 characters"),
                    problems(before.formatted(wrong)),
                    wrong);
        }
    }

    @Test
    void refusesTwoToolsOfOneName() {
        assertEquals(List.of("f: tool find is declared twice"), problems(GOOD + "," + GOOD));
    }

    @Test
    void refusesWhatIsNotJson() {
        assertThrows(DescriptorReader.InvalidDescriptors.class, () -> DescriptorReader.read("f", "{".getBytes(UTF_8)));
    }

    @Test
    void everyShippedFileIsRight() throws IOException {
        try (Stream<Path> folders = Files.list(Path.of("backends"))) {
            for (Path folder : folders.filter(Files::isDirectory).sorted().toList()) {
                Path file = folder.resolve("tools.json");
                // The tools of relayed servers are their own; a server with declared requests has none.
                boolean relays = folder.endsWith("mcp") || folder.endsWith("http");
                assertEquals(
                        relays,
                        DescriptorReader.read(file.toString(), Files.readAllBytes(file))
                                .isEmpty(),
                        file.toString());
            }
        }
    }

    private static List<String> problems(String tools) {
        return assertThrows(DescriptorReader.InvalidDescriptors.class, () -> DescriptorReader.read("f", file(tools)))
                .problems();
    }

    private static byte[] file(String tools) {
        return ("{\"tools\":[" + tools + "]}").getBytes(UTF_8);
    }
}
