package switchboard.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.Main;
import switchboard.app.Installation;
import switchboard.auth.ApiKey;
import switchboard.testing.Programs;
import switchboard.testing.TestGateway;

/** What commands print where, and their exit codes: 0 done, 1 not carried out, 2 used wrongly, 3 not possible here. */
class CommandOutcomesTest {
    private static final String WORDS_ONLY = """
            embedders: {default: {provider: none}}
            backends: {vectordb: {type: vectordb}, other: {type: vectordb, dataDir: data/other}}
            """;

    @TempDir
    Path folder;

    private record Outcome(int code, String out, String err) {
        Outcome refused(int expected, String message) {
            assertEquals(expected, code, this::toString);
            assertEquals("", out, this::toString);
            assertTrue(err.contains(message), this::toString);
            assertFalse(err.contains("defect"), this::toString);
            return this;
        }

        List<String> lines() {
            assertEquals(0, code, this::toString);
            return out.lines().toList();
        }
    }

    @BeforeEach
    void configuration() throws IOException {
        configuration(WORDS_ONLY);
    }

    private void configuration(String yaml) throws IOException {
        Files.writeString(folder.resolve("switchboard.yaml"), yaml);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "stateKey: '${file:/nowhere}'   | there is no file /nowhere",
                "stateKey: '${file:latin1.txt}' | the file latin1.txt is not UTF-8",
            })
    void aSecretThatCantBeReadIsNamedWithWhatIsWrong(String server, String problem) throws IOException {
        Files.write(folder.resolve("latin1.txt"), new byte[] {(byte) 0xE9});
        configuration("server: {" + server + "}\n" + WORDS_ONLY);
        Outcome refused = run("check-config").refused(2, problem);
        assertFalse(refused.err().contains("Exception"), refused::toString);
    }

    @Test
    void aSharedDatabaseThatCanNotBeReachedIsSaidWithoutClassesOfItsDriver() throws IOException {
        String database = "127.0.0.1:" + Programs.freePort();
        Files.writeString(
                folder.resolve("database.txt"), "postgres://somebody:secret-word@" + database + "/switchboard");
        Files.writeString(folder.resolve("key.txt"), "k".repeat(40));
        configuration("server: {stateKey: '${file:key.txt}'}\ncluster: {database: '${file:database.txt}'}\n"
                + "embedders: {default: {provider: none}}\nbackends: {vectordb: {type: vectordb}}\n");
        Outcome refused = run("store", "move", "--to", "local");
        assertTrue(refused.err().contains("can't be used: Connection to " + database + " refused"), refused::toString);
        for (String never : List.of("Exception", "SQL State", "secret-word")) {
            assertFalse(refused.err().contains(never), refused::toString);
        }
    }

    @Test
    void aConfigurationThatIsNestedTooDeeplyIsRefused() throws IOException {
        configuration("a: " + "[".repeat(5_000) + "]".repeat(5_000) + "\n" + WORDS_ONLY);
        run("check-config").refused(2, "more than 100 levels of lists and mappings");
    }

    /** As {@code switchboard backup "$FOLDER"} where the variable is not set. */
    @Test
    void anEmptyPathIsNotTakenForTheCurrentFolder() {
        for (List<String> command : List.of(
                List.of("backup", ""),
                List.of("ingest", ""),
                List.of("import", "agentroot", ""),
                List.of("tools", "--markdown="),
                List.of("doctor", "--data="),
                List.of("check-config", "--config="),
                List.of("search", "x", "--key-file="))) {
            plain(command.toArray(String[]::new)).refused(2, "the path is empty");
        }
    }

    private Outcome run(String... command) {
        return plain(Stream.concat(
                        Stream.of(command),
                        Stream.of("--config=" + folder.resolve("switchboard.yaml"), "--data=" + folder.resolve("data")))
                .toArray(String[]::new));
    }

    private static Outcome plain(String... command) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(command);
        return new Outcome(code, out.toString(), err.toString());
    }

    @Test
    void theVersionIsTheSameAsACommandAndAsAnOption() {
        List<String> version = List.of("switchboard " + Installation.version(), "java " + Runtime.version());
        assertEquals(version, plain("version").lines());
        assertEquals(version, plain("--version").lines());
        assertEquals(version, plain("keys", "create", "--version").lines());
    }

    @Test
    void aConfigurationThatIsValidIsSummedUp() throws IOException {
        Outcome nobody = run("check-config");
        assertEquals("", nobody.err());
        List<String> lines = nobody.lines();
        assertEquals(5, lines.size(), nobody::toString);
        List<String> backends = List.of("other (vectordb)", "switchboard (switchboard)", "vectordb (vectordb)");
        for (int n = 0; n < backends.size(); n++) {
            assertTrue(lines.get(n).startsWith(backends.get(n) + ": "), nobody::toString);
            assertTrue(lines.get(n).matches(".*: [1-9]\\d* tools on, 0 off"), nobody::toString);
        }
        assertEquals("teams: none; everybody on this machine may do everything", lines.get(3));
        assertEquals("The configuration is valid.", lines.get(4));

        Files.writeString(folder.resolve("teams.yaml"), "teams: {red: {}, blue: {}}\n");
        configuration("auth: {mode: keys}\n" + WORDS_ONLY);
        assertEquals("teams: 2", run("check-config").lines().get(3));

        configuration("""
                auth:
                  mode: keys
                  tokens:
                    issuers:
                      main: {issuer: "https://issuer.example", jwks: "https://issuer.example/keys", team: green}
                      other:
                        issuer: "https://other.example"
                        jwks: "https://other.example/keys"
                        teamClaim: /groups
                        teams: {a: red, b: white}
                server: {publicUrl: "https://mcp.example.org"}
                """ + WORDS_ONLY);
        Outcome missing = run("check-config");
        assertEquals(2, missing.code(), missing::toString);
        assertFalse(missing.out().contains("valid"), missing::toString);
        assertTrue(missing.err().startsWith("Switchboard can't start:\n  auth.tokens.issuers."), missing::toString);
        for (String line : List.of(
                "main: there is no team \"green\" in teams.yaml", "other: there is no team \"white\" in teams.yaml")) {
            assertTrue(missing.err().contains("  auth.tokens.issuers." + line + "\n"), missing::toString);
        }
        assertFalse(missing.err().contains("\"red\""), missing::toString);
    }

    @Test
    void whatIsWrongWithAConfigurationIsOnStandardErrorWithCodeTwo() throws IOException {
        configuration("backends: {vectordb: {type: vectordb, colour: red}}");
        for (String command : List.of("check-config", "tools", "doctor")) {
            if (command.equals("doctor")) {
                assertEquals(1, run(command).code());
            } else {
                run(command).refused(2, "The configuration can't be used:\n  ");
            }
        }
        Outcome none = plain("check-config", "--config=" + folder.resolve("nowhere.yaml"));
        none.refused(2, "nowhere.yaml");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{type: vectordb}",
                "{type: vectordb, dataDir: ./data/x/../vectordb}",
                "{type: agentroot, dataDir: data/vectordb}"
            })
    void twoBackendsOnOneDataFolderAreRefused(String second) throws IOException {
        configuration("backends: {vectordb: {type: vectordb}, other: " + second + "}");
        for (String command : List.of("check-config", "tools", "search owl")) {
            Outcome refused = run(command.split(" "));
            refused.refused(
                    2, "Switchboard can't start:\n  backends.vectordb: dataDir data/vectordb is that of other, too");
        }
    }

    @Test
    void aPathThatIsEmptyIsRefused() throws IOException {
        for (String setting : List.of("dataDir: ''", "ingestRoots: ['']")) {
            configuration("backends: {vectordb: {type: vectordb, " + setting + "}}");
            run("check-config").refused(2, "is empty, which would be the folder that other paths are relative to");
        }
    }

    @Test
    void anExcerptEndsBeforeACharacterThatDoesNotFit() throws IOException {
        String fits = "owl " + "x".repeat(155);
        run(
                "ingest",
                Files.writeString(folder.resolve("owl.md"), fits + "\ud83e\udd89 flies")
                        .toString());
        assertEquals("     " + fits + "...", run("search", "owl").lines().get(1));
    }

    @Test
    void whatIsQuotedDoesNotSteerTheTerminal() throws IOException {
        Path notes = Files.createDirectories(folder.resolve("notes"));
        Files.writeString(notes.resolve("owl.md"), "An owl \u001b[31mred\u009b1m \u202e and \u00e9.");
        run("ingest", notes.toString());
        Outcome search = run("search", "owl");
        assertEquals(
                "     An owl \\u001b[31mred\\u009b1m \\u202e and \u00e9.",
                search.lines().get(1));
    }

    @Test
    void aStoreThatAGatewayServesIsNoDefectForACommandThatNeedsItAlone() throws IOException {
        String agentroot = "embedders: {default: {provider: none}}\nbackends: {agentroot: {type: agentroot}}\n";
        configuration(agentroot);
        Path file = Files.writeString(folder.resolve("file"), "x");
        try (TestGateway gateway = TestGateway.start(agentroot, folder.resolve("data"))) {
            assertTrue(gateway.url().toString().startsWith("http"));
            run("import", "agentroot", file.toString()).refused(3, "is in use by another process");
        }
    }

    @Test
    void toolsAreListedWithWhatSwitchesThemOnOrOff() {
        List<String> lines = run("tools").lines();
        assertTrue(lines.getFirst().matches("BACKEND +TOOL +ON +VERBS +TITLE"), lines.getFirst());
        assertTrue(row(lines, "vectordb", "delete_document", "yes").contains("delete"), lines::toString);
        row(lines, "other", "search", "yes");
        row(lines, "weaviate", "weaviate-query-hybrid", "-");
        assertEquals(
                0,
                lines.stream()
                        .filter(line -> line.matches("vectordb +\\S+ +- .*"))
                        .count(),
                lines::toString);
        assertEquals(
                "ON: yes, listed; no, switched off by a setting; -, no such backend is configured.", lines.getLast());
    }

    private static String row(List<String> lines, String backend, String tool, String on) {
        return lines.stream()
                .filter(line -> line.matches(backend + " +" + tool + " +" + on + " +\\S.*"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(backend + " " + tool + " " + on + " in " + lines));
    }

    @Test
    void referencePagesAreWrittenAndNamed() throws IOException {
        Path pages = folder.resolve("some/pages");
        List<String> written = run("tools", "--markdown", pages.toString()).lines();
        for (String type : List.of("vectordb", "agentroot", "weaviate", "meilisearch", "postgres", "switchboard")) {
            Path page = pages.resolve(type + ".md");
            assertTrue(written.contains(page.toString()), written::toString);
            assertEquals(Files.readString(Path.of("docs", "tools", type + ".md")), Files.readString(page));
        }
    }

    @Test
    void filesThatFailForTheSameReasonAreNamedTogether() throws IOException {
        Path files = Files.createDirectories(folder.resolve("files"));
        Files.writeString(files.resolve("good.md"), "An owl.");
        for (int n = 10; n < 22; n++) {
            Files.write(files.resolve(n + ".pdf"), new byte[] {'%', 'P', 'D', 'F', 1, 2, 3});
        }
        Outcome ingest = run("ingest", files.toString());
        assertEquals(1, ingest.code(), ingest::toString);
        List<String> lines = ingest.out().lines().toList();
        assertEquals("1 indexed, 12 failed; 1 chunks in library default", lines.getFirst());
        List<String> failed =
                lines.stream().filter(line -> line.contains(".pdf")).toList();
        assertEquals(1, failed.size(), ingest::toString);
        assertTrue(failed.getFirst().startsWith("  failed, "), ingest::toString);
        assertTrue(failed.getFirst().contains("12 ("), ingest::toString);
        assertTrue(failed.getFirst().contains("19.pdf and 2 more)"), ingest::toString);

        Files.delete(files.resolve("10.pdf"));
        for (int n = 12; n < 22; n++) {
            Files.delete(files.resolve(n + ".pdf"));
        }
        List<String> one = run("ingest", files.toString()).out().lines().toList();
        assertEquals("1 skipped, 1 failed; 1 chunks in library default", one.getFirst());
        assertTrue(one.get(1).startsWith("  ") && one.get(1).contains("11.pdf: "), one::toString);
    }

    @Test
    void filesThatSayWhoReadsOthersAreNoDocumentsAndWrongOnesAreNamedWithTheirReason() throws IOException {
        Path files = Files.createDirectories(folder.resolve("files"));
        Files.writeString(files.resolve("good.md"), "---\nallow: [group:hr]\n---\nAn owl.");
        Files.writeString(files.resolve("good.md.allow.yaml"), "allow: [group:hr]");
        Files.writeString(files.resolve("one.md"), "---\nallow: hr\n---\nAn owl.");
        Files.writeString(files.resolve("two.md"), "---\nallow: hr\n---\nAnother owl.");
        Files.writeString(Files.createDirectories(files.resolve("sub")).resolve(".allow.yaml"), "allow: []");
        Files.writeString(files.resolve("sub/three.md"), "A third owl.");
        Files.writeString(files.resolve("sub/three.md.Allow.yaml"), "allow: [group:hr]");
        Outcome ingest = run("ingest", files.toString());
        assertEquals(1, ingest.code(), ingest::toString);
        List<String> lines = ingest.out().lines().toList();
        assertEquals("1 indexed, 3 failed; 1 chunks in library default", lines.getFirst(), ingest::toString);
        assertTrue(
                lines.stream()
                        .anyMatch(line -> line.contains("front matter")
                                && line.contains("a reader is")
                                && line.contains("2 (")
                                && line.contains("one.md")),
                ingest::toString);
        assertTrue(
                lines.stream().anyMatch(line -> line.contains("three.md") && line.contains("empty list")),
                ingest::toString);
        assertTrue(
                lines.stream()
                        .anyMatch(line -> line.startsWith("  left out, names who may read other files: 2 (")
                                && line.contains("good.md.allow.yaml")),
                ingest::toString);
        assertTrue(
                lines.stream().anyMatch(line -> line.contains("has capitals") && line.contains("three.md.Allow.yaml")),
                ingest::toString);
    }

    @Test
    void hitsAreNumberedAndAsManyAsAreAskedFor() throws IOException {
        for (int n = 1; n <= 7; n++) {
            String text = "# Heading " + n + "\n\nAn owl. " + "Long words of the night. ".repeat(n == 1 ? 20 : 1);
            Files.writeString(Files.createDirectories(folder.resolve("notes")).resolve(n + ".md"), text);
        }
        Outcome ingest = run("ingest", folder.resolve("notes").toString());
        assertEquals(List.of("7 indexed, 0 failed; 7 chunks in library default"), ingest.lines());
        List<String> again = run("ingest", folder.resolve("notes").toString()).lines();
        assertEquals(List.of("7 skipped, 0 failed; 7 chunks in library default"), again);

        Outcome five = run("search", "owl");
        assertEquals("", five.err());
        assertEquals(List.of("1", "2", "3", "4", "5"), numbers(five));
        assertEquals(List.of("1", "2"), numbers(run("search", "owl", "--top-k", "2", "--library", "default")));
        Outcome two = run("search", "long", "night", "--top-k", "1");
        assertTrue(two.out().matches("(?s)  1\\. [0-9.]+  \\S*1\\.md  \\[Heading 1]\n     .*"), two.out());
        String excerpt = two.lines().get(1);
        assertEquals(5 + 160 + 3, excerpt.length(), excerpt);
        assertTrue(excerpt.endsWith("..."), excerpt);
        assertTrue(two.out().contains("\n  (by keywords only: "), two.out());

        assertEquals(
                "  nothing found",
                run("search", "owl", "--backend", "other").lines().getFirst());
        Outcome unknown = run("search", "owl", "--library", "NOT A LIBRARY");
        assertEquals(1, unknown.code(), unknown::toString);
        assertTrue(unknown.out().contains("library"), unknown::toString);
    }

    private static List<String> numbers(Outcome search) {
        return search.lines().stream()
                .filter(line -> line.matches("  \\d+\\. .*"))
                .map(line -> line.strip().split("\\.")[0])
                .toList();
    }

    @Test
    void aFileWithSeveralNamesCountsOnceAndALinkToAFolderIsFollowedIfItIsNamed() throws IOException {
        Path notes = Files.createDirectories(folder.resolve("notes"));
        Files.writeString(notes.resolve("owl.md"), "An owl.");
        Path link = Files.createSymbolicLink(notes.resolve("a-link.md"), Path.of("owl.md"));
        Path linked = Files.createSymbolicLink(folder.resolve("linked"), Path.of("notes"));
        Outcome all = run("ingest", notes.toString(), link.toString(), linked.toString());
        assertEquals(List.of("1 indexed, 0 failed; 1 chunks in library default"), all.lines());
        assertTrue(all.err().contains("1/1"), all::toString);
        for (Path name : List.of(link, linked)) {
            assertEquals(
                    List.of("1 skipped, 0 failed; 1 chunks in library default"),
                    run("ingest", name.toString()).lines());
        }
    }

    @Test
    void aPathThatCanNotBeUsedIsNamedAndNoDefect() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "no folder");
        for (String command : List.of("backup", "tools --markdown")) {
            for (Path path : List.of(file, file.resolve("below"))) {
                run((command + " " + path).split(" ")).refused(1, file.toString());
            }
        }
    }

    @Test
    void filesThatAreLeftOutAreNamedUpToTen() throws IOException {
        Path notes = Files.createDirectories(folder.resolve("notes"));
        Files.writeString(notes.resolve("a.md"), "An owl.");
        for (int n : IntStream.range(10, 22).toArray()) {
            Files.writeString(notes.resolve(n + ".exe"), "x");
        }
        Outcome ingest = run("ingest", notes.toString());
        String left = ingest.lines().get(1);
        assertTrue(left.startsWith("  left out, of a format that is not read: 12 ("), left);
        assertTrue(left.contains("19.exe and 2 more)"), left);
        Files.delete(notes.resolve("21.exe"));
        Files.delete(notes.resolve("20.exe"));
        assertTrue(run("ingest", notes.toString()).lines().get(1).endsWith("19.exe)"));
        run("ingest", folder.resolve("nowhere").toString())
                .refused(2, "There is no file or folder " + folder.resolve("nowhere") + ".");
    }

    @Test
    void aGatewayThatCanNotBeCalledIsSaidWithCodeOne() throws IOException {
        run("search", "owl", "--url=http://127.0.0.1:" + Programs.freePort() + "/mcp")
                .refused(1, "127.0.0.1");
        ApiKey key = ApiKey.generate(new SecureRandom());
        Path served = Files.createDirectories(folder.resolve("served"));
        Files.writeString(served.resolve("teams.yaml"), """
                teams: {red: {keys: [{id: "%s", sha256: "%s"}], grants: ["*:*"]}}
                """.formatted(key.id(), key.sha256()));
        try (TestGateway gateway = TestGateway.start("auth: {mode: keys}\n" + WORDS_ONLY, served)) {
            String url = "--url=" + gateway.url();
            run("search", "owl", url).refused(1, "key");
            Path file = Files.writeString(folder.resolve("key"), "\n  " + key.text() + " \n");
            assertEquals(
                    "  nothing found",
                    run("search", "owl", url, "--key-file=" + file).lines().getFirst());
            Files.writeString(file, " \n");
            run("search", "owl", url, "--key-file=" + file).refused(1, "key");
        }
        run("search", "owl", "--url=http://127.0.0.1:1/mcp", "--key-file=" + folder.resolve("none"))
                .refused(2, "--key-file " + folder.resolve("none") + " can't be read: there is no such file or folder");
    }

    @Test
    void aDatabaseThatCanNotBeReadIsNoBrokenOne() throws IOException {
        configuration("embedders: {default: {provider: none}}\nbackends: {agentroot: {type: agentroot}}\n");
        Path none = folder.resolve("none.sqlite");
        assertEquals(
                none + " can't be read: there is no such file or folder.\n",
                run("import", "agentroot", none.toString()).refused(2, "none").err());
        run("import", "agentroot", folder.toString()).refused(2, folder + " can't be read: ");
        Path text = Files.writeString(folder.resolve("text"), "x".repeat(5_000));
        run("import", "agentroot", text.toString()).refused(2, text + " is not an SQLite database.");
    }

    /** It starts no gateway, so its message is not about a start. */
    @Test
    void aCommandThatRefusesItsArgumentsSaysOnlyWhy() {
        for (String command :
                List.of("store move --to cluster", "import agentroot x --backend nope", "reindex --backend x")) {
            Outcome refused = run(command.split(" ")).refused(2, "backend");
            assertFalse(refused.err().contains("can't start"), refused::toString);
        }
    }

    @Test
    void aDataFolderThatCanNotBeUsedIsSaidWithCodeThree() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "no folder");
        plain("search", "owl", "--config=" + folder.resolve("switchboard.yaml"), "--data=" + file.resolve("data"))
                .refused(3, "Switchboard can't start:\n  ");
        Outcome taken = plain("search", "owl", "--config=" + folder.resolve("switchboard.yaml"), "--data=" + file)
                .refused(3, file + ": there is a file of this name already. Make it");
        assertFalse(taken.err().contains("Exception"), taken::toString);
    }

    @Test
    void upkeepIsOfAllBackendsThatKeepDataOrOfThoseThatAreNamed() throws IOException {
        run("ingest", Files.writeString(folder.resolve("a.md"), "An owl.").toString());
        Path copy = folder.resolve("copies/monday");
        Outcome backup = run("backup", copy.toString());
        assertEquals(
                List.of(
                        "other: 0 namespaces copied to " + copy.resolve("other"),
                        "vectordb: 1 namespaces copied to " + copy.resolve("vectordb")),
                backup.lines().stream().sorted().toList());
        Outcome onto = run("backup", copy.toString(), "--backend=vectordb");
        assertEquals(1, onto.code(), onto::toString);
        assertEquals(
                "vectordb: " + copy.resolve("vectordb") + " is there already, and a copy is not written over. Name"
                        + " another folder, or remove it.",
                onto.out().strip());
        assertEquals(1, onto.out().lines().count(), onto::toString);
        run("backup", folder.resolve("more").toString(), "--backend=vectordb", "--backend=nope")
                .refused(2, "--backend [vectordb, nope]: the backends that keep data are ");
        Outcome doctor = run("doctor", "--port=0", "--management-port=0");
        assertTrue(
                doctor.lines().contains("ok   vectordb \"default\": 1 documents, all files intact"), doctor::toString);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "import                                             | 2 | Name the kind of data: agentroot.",
                "import agentroot FILE --backend nope                | 2 | There is no backend \"nope\" of type agentroot",
                "import agentroot FILE                               | 2 | There is no backend \"agentroot\" of type agentroot",
                "search                                             | 2 | WORD",
                "search owl --top-k many                            | 2 | --top-k",
                "eval FILE --run x=tool:{}                          | 2 | No gateway runs on this data folder",
                "eval FILE --run x=tool:[1] --url http://127.0.0.1:1 | 2 | --run x: after tool: must be a JSON object",
                "eval FILE --run x --url http://127.0.0.1:1         | 2 | --run x: must be NAME=TOOL:JSON.",
                "eval FILE --run x=a:{} --run x=b:{}                | 2 | Two runs have the name \"x\"",
                "eval FILE FILE                                     | 2 | Two of the sets have the name \"set\"",
                "eval FILE --embedder none,none                     | 2 | --embedder has twice \"none\"",
                "eval FILE --tune --sources a                       | 2 | --tune is for a store of its own",
                "eval FILE --embedder none --run x=a:{}             | 2 | --embedder is for a store of its own",
                "eval FILE --work w --sources a                     | 2 | --work is for a store of its own",
                "eval FILE --url http://127.0.0.1:1                 | 2 | --url needs --sources or --run",
                "eval FILE --key-file k                             | 2 | --key-file needs --sources or --run",
                "eval FILE --team red                               | 2 | --team needs --judgments insight.",
                "eval --judgments insight                           | 2 | --judgments needs --sources or --run",
                "connect curl --view nope                           | 2 | There is no view \"nope\"",
                "upstream approve vectordb x                        | 2 | There is no backend \"vectordb\" of the type mcp.",
                "check-config --port many                           | 2 | --port"
            })
    void whatIsUsedWronglyIsSaid(String command, int code, String message) throws IOException {
        Path file = Files.createDirectories(folder.resolve("set"));
        Files.writeString(file.resolve("corpus.jsonl"), "{\"_id\": \"d\", \"title\": \"\", \"text\": \"x\"}\n");
        Files.writeString(file.resolve("queries.jsonl"), "{\"_id\": \"q\", \"text\": \"x\"}\n");
        Files.writeString(
                Files.createDirectories(file.resolve("qrels")).resolve("test.tsv"),
                "query-id\tcorpus-id\tscore\nq\td\t1\n");
        String[] words = command.strip().replace("FILE", file.toString()).split(" ");
        Outcome outcome = words.length == 1 ? plain(words) : run(words);
        outcome.refused(code, message);
    }

    @Test
    void nothingIsHeldBackWithoutOtherServers() {
        assertEquals(List.of("Nothing is held back."), run("upstream", "held").lines());
    }

    @Test
    void aCollectionThatIsNotThereIsSaidWithCodeOne() throws IOException {
        configuration("embedders: {default: {provider: none}}\nbackends: {agentroot: {type: agentroot}}\n");
        for (String verb : List.of("update", "remove")) {
            Outcome outcome = run("collection", verb, "nope");
            assertEquals(1, outcome.code(), outcome::toString);
            assertTrue(outcome.out().contains("nope"), outcome::toString);
        }
        assertEquals(List.of(), run("collection", "list").lines());
    }
}
