package switchboard.backend.agentroot.sqlite;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * The main class of the process that runs one statement. The gateway starts it and sends the work on its standard
 * input. It ends when that input ends, so also when the gateway ends in any way.
 */
final class SqliteMain {
    private SqliteMain() {}

    /** Takes no arguments. */
    public static void main(String[] args) throws IOException, InterruptedException {
        BlockingQueue<Map<String, String>> said = new ArrayBlockingQueue<>(2);
        Thread input = new Thread(() -> listen(said), "input");
        input.setDaemon(true);
        input.start();
        Map<String, String> request = said.take();
        Thread watch = new Thread(new ResourceWatchdog(request), "watch");
        watch.setDaemon(true);
        watch.start();
        try (JsonGenerator out = new JsonFactory()
                .createGenerator(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16))
                .setRootValueSeparator(new com.fasterxml.jackson.core.io.SerializedString("\n"))) {
            new SqliteStatement(request, out).run(said::take);
        }
        // Nothing that is still open is worth waiting for.
        Runtime.getRuntime().halt(0);
    }

    /** Ends the process when its input ends, because the gateway is gone then. */
    private static void listen(BlockingQueue<Map<String, String>> said) {
        try (JsonParser in = new JsonFactory().createParser(System.in)) {
            for (Map<String, String> values = SqliteProtocol.read(in);
                    values != null;
                    values = SqliteProtocol.read(in)) {
                if (!said.offer(values)) {
                    break;
                }
            }
        } catch (IOException _) {
            // The end, too.
        } finally {
            PrivateFolder.clear(System.getProperty("java.io.tmpdir"));
            Runtime.getRuntime().halt(0);
        }
    }
}
