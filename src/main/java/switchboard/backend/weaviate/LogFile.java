package switchboard.backend.weaviate;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.file.OpenOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * The end of the server's log file. Credentials and vectors are removed before anything is counted or shown. The file
 * is opened at each call, so rotation is no problem.
 */
final class LogFile implements LogSource {
    private static final int WINDOW = 512 * 1024;

    private final Vertx vertx;
    private final Path file;

    LogFile(Vertx vertx, Path file) {
        this.vertx = vertx;
        this.file = file;
    }

    @Override
    public String label() {
        return "file";
    }

    @Override
    public Future<String> read(CallContext context) {
        return vertx.fileSystem()
                .open(
                        file.toString(),
                        new OpenOptions().setRead(true).setWrite(false).setCreate(false))
                .compose(open -> tail(open).eventually(open::close))
                .map(LogFile::text)
                .recover(failure -> Future.failedFuture(new ToolException(
                        FailureKind.UNAVAILABLE,
                        "The configured log file can't be read; the operator has to check logs.file and its rights.")));
    }

    private static Future<Buffer> tail(AsyncFile open) {
        return open.size().compose(size -> {
            int length = (int) Math.min(size, WINDOW);
            return open.read(Buffer.buffer(length), 0, size - length, length);
        });
    }

    private static String text(Buffer bytes) {
        int start = 0;
        // The window may begin inside a character: continuation bytes are 10xxxxxx.
        while (start < bytes.length() && start < 4 && (bytes.getByte(start) & 0xC0) == 0x80) {
            start++;
        }
        return LogText.shown(bytes.getString(start, bytes.length(), StandardCharsets.UTF_8.name()));
    }
}
