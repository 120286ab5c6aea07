package switchboard.backend.vectordb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import switchboard.convert.MadeFiles;
import switchboard.testing.SeedExamples;
import switchboard.testing.SeedTable;
import switchboard.testing.TestGateway;

/** The examples of mcpvectordb's specification. */
class SeedTableTest {
    @TempDir
    static Path folder;

    private static TestGateway gateway;

    @BeforeAll
    static void start() throws IOException {
        Path annual = Files.writeString(
                folder.resolve("annual.md"), "# The annual report\n\nThe annual report says it all.\n");
        Files.setLastModifiedTime(annual, FileTime.from(Instant.parse("2025-01-01T00:00:00Z")));
        Files.write(folder.resolve("report.pdf"), MadeFiles.pdf(page("first"), page("second"), page("third")));
        gateway = TestGateway.start("""
            embedders: {default: {provider: none}}
            backends: {vectordb: {type: vectordb, ingestRoots: ['%s']}}
            """.formatted(folder.toRealPath()));
    }

    private static String page(String which) {
        return ("This is the " + which + " page of the annual report. ").repeat(60);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @TestFactory
    Stream<DynamicTest> examples() throws IOException {
        return new SeedExamples(
                        "vectordb", "", Map.of("folder", folder.toRealPath().toString()))
                .tests(SeedTable.read().inOrder("mcpvectordb"), _ -> gateway);
    }
}
