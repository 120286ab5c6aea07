package switchboard.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A gateway that a client started, and that client: messages on its standard input and output, a line each. */
final class StdioClient implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long STOP_SECONDS = 30;

    private final Process process;
    private final BufferedWriter in;
    private final BufferedReader out;

    private StdioClient(Process process) {
        this.process = process;
        this.in = process.outputWriter();
        this.out = process.inputReader();
    }

    /** Starts one, and shakes hands. */
    static StdioClient start(Path data) throws IOException {
        Process process = new ProcessBuilder(List.of(Shipped.program().toString(), "stdio", "--data=" + data))
                .redirectError(data.resolve("log").toFile())
                .start();
        StdioClient client = new StdioClient(process);
        client.ask("""
                {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
                "capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}""");
        client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        return client;
    }

    long pid() {
        return process.pid();
    }

    /** The result of a tool. */
    JsonNode call(String tool, ObjectNode arguments) throws IOException {
        return ask(message(0, tool, arguments));
    }

    /** Calls {@code tool} {@code count} times, so many of them under way at once; every answer holds {@code expected}. */
    ClosedLoop.Result calls(int atOnce, int count, String tool, ObjectNode arguments, String expected)
            throws IOException {
        long[] sent = new long[count];
        long[] nanos = new long[count];
        long start = System.nanoTime();
        int next = 0;
        for (int answered = 0; answered < count; answered++) {
            while (next < count && next - answered < atOnce) {
                sent[next] = System.nanoTime();
                write(message(next, tool, arguments));
                next++;
            }
            in.flush();
            String line = line();
            if (!line.contains(expected) || line.contains("\"isError\":true")) {
                throw new IOException("answered " + line + ", expected " + expected);
            }
            int id = JSON.readTree(line).path("id").asInt();
            nanos[id] = System.nanoTime() - sent[id];
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        Arrays.sort(nanos);
        return new ClosedLoop.Result(seconds, nanos);
    }

    private static String message(int id, String tool, ObjectNode arguments) {
        ObjectNode message = JSON.createObjectNode()
                .put("jsonrpc", "2.0")
                .put("id", id)
                .put("method", "tools/call");
        message.putObject("params").put("name", tool).set("arguments", arguments);
        return message.toString();
    }

    private JsonNode ask(String message) throws IOException {
        send(message);
        JsonNode result = JSON.readTree(line()).path("result");
        if (!result.isObject() || result.path("isError").asBoolean()) {
            throw new IOException(message + " was answered " + result);
        }
        return result;
    }

    private void send(String message) throws IOException {
        write(message);
        in.flush();
    }

    private void write(String message) throws IOException {
        in.write(message);
        in.write('\n');
    }

    private String line() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new EOFException("the gateway has ended");
        }
        return line;
    }

    /** Ends its input, at which it ends. */
    @Override
    public void close() throws IOException, InterruptedException {
        in.close();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }
}
