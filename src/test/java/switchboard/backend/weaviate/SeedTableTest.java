package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import switchboard.testing.SeedExamples;
import switchboard.testing.SeedTable;
import switchboard.testing.SeedTable.Kind;
import switchboard.testing.TestGateway;

/** The examples of the documentation of Weaviate's MCP server. */
class SeedTableTest {
    private static StubWeaviate stub;
    private static TestGateway gateway;

    @BeforeAll
    static void start() {
        stub = new StubWeaviate();
        stub.searches().rankAnything();
        gateway = TestGateway.start("""
            backends:
              weaviate:
                type: weaviate
                url: %s
                writes: true
                logs: {enabled: true, source: gateway}
            """.formatted(stub.url()));
    }

    @AfterAll
    static void stop() {
        gateway.close();
        assertEquals(List.of(), stub.unexpected());
        stub.close();
    }

    @TestFactory
    Stream<DynamicTest> examples() {
        return new SeedExamples("weaviate", "http://localhost:9000", Map.of())
                .tests(
                        SeedTable.read().inOrder("weaviate").stream()
                                .filter(row -> row.kind() != Kind.NOTE)
                                .toList(),
                        SeedTableTest::prepared);
    }

    private static TestGateway prepared(SeedTable.Example example) {
        if (example.id().equals("weaviate-36")) {
            stub.tenant("UserData", "customer-a");
        }
        return gateway;
    }
}
