package switchboard.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Grant;
import switchboard.auth.Principal;
import switchboard.call.Json;
import switchboard.call.ResourceScope;
import switchboard.call.Verb;
import switchboard.catalog.ArgumentValidator;
import switchboard.catalog.SchemaArgumentValidator;
import switchboard.federation.FusionPiece;
import switchboard.insight.SearchLogPiece;
import switchboard.protocol.RpcCodec;
import switchboard.protocol.RpcResult;
import switchboard.protocol.SharedJson;

/** The pieces of a request, one at a time; JMH makes subclasses of this. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PieceBenchmarks {
    private final byte[] call = """
            {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"session_set","arguments":\
            {"session_id":"0b5c0f5e-5a1b-4c58-9d3e-0d9f6f0c2f11","key":"topic","value":"hello"}}}"""
            .getBytes(StandardCharsets.UTF_8);
    private final AccessPolicy policy = new AccessPolicy();
    private final Principal principal =
            new Principal("t", "k", List.of(Grant.parse("agentroot:*"), Grant.parse("vectordb:read:a*")));
    private final FusionPiece fusion = new FusionPiece();
    private SearchLogPiece log;
    private final ObjectNode answer = Json.object();
    private ArgumentValidator validator;
    private ObjectNode arguments;
    private SharedJson tools;

    /** Reads the tools of one backend. */
    @Setup
    public void prepare() throws IOException {
        byte[] file = Files.readAllBytes(
                Path.of(System.getProperty("switchboard.home"), "backends", "agentroot", "tools.json"));
        tools = new SharedJson(file);
        log = new SearchLogPiece();
        JsonNode tool = StreamSupport.stream(Json.parse(file).path("tools").spliterator(), false)
                .filter(one -> one.path("name").asText().equals("session_set"))
                .findFirst()
                .orElseThrow();
        validator = new SchemaArgumentValidator((ObjectNode) tool.path("inputSchema"));
        arguments = (ObjectNode) Json.parse(call).at("/params/arguments");
        answer.putArray("content")
                .addObject()
                .put("type", "text")
                .put("text", "{\"key\":\"topic\",\"value\":\"hello\"}");
    }

    /** The bytes of a call to its tree. */
    @Benchmark
    public Object decode() throws JsonProcessingException {
        return Json.parse(call);
    }

    /** Its arguments against the tool's schema. */
    @Benchmark
    public Object validate() {
        return validator.check(arguments);
    }

    /** Whether the caller may. */
    @Benchmark
    public Object decide() {
        return policy.decide(principal, ResourceScope.ALL, "agentroot", Set.of(Verb.READ), List.of());
    }

    /** The answer to bytes. */
    @Benchmark
    public Object encodeAnswer() {
        return RpcCodec.result(IntNode.valueOf(1), new RpcResult.Tree(answer), fields -> fields);
    }

    /** A list of 29 tools, whose bytes are known. */
    @Benchmark
    public Object encodeList() {
        return RpcCodec.result(
                IntNode.valueOf(1), new RpcResult.Shared("tools", tools, Json.object()), fields -> fields);
    }

    /** The same list as a gzip file. */
    @Benchmark
    public Object compressList() {
        return RpcCodec.result(
                        IntNode.valueOf(1), new RpcResult.Shared("tools", tools, Json.object()), fields -> fields)
                .gzip();
    }

    /** Thirty passages of each of four sources to one order. */
    @Benchmark
    public Object fuse() {
        return fusion.fuse();
    }

    /** What a search with ten hits leaves for the search log. */
    @Benchmark
    public Object noteSearch() {
        return log.note();
    }

    /** The same, and its line in the file, written by itself. */
    @Benchmark
    public Object writeSearch() throws IOException {
        return log.write();
    }
}
