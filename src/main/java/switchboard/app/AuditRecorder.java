package switchboard.app;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.call.BackendReply;
import switchboard.call.DiskError;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;
import switchboard.config.AuditConfig;
import switchboard.console.ConsoleEditor;
import switchboard.dispatch.PendingCall;
import switchboard.http.AuthFailureListener;
import switchboard.http.Readiness;
import switchboard.protocol.BackendCaller;
import switchboard.protocol.InboundMessage;
import switchboard.protocol.OperationObserver;
import switchboard.telemetry.AuditEvent;
import switchboard.telemetry.AuditFile;
import switchboard.telemetry.AuditLog;
import switchboard.telemetry.AuditSink;
import switchboard.telemetry.AuditWriter;
import switchboard.telemetry.FinishedRequest;
import switchboard.telemetry.RequestCaller;
import switchboard.telemetry.RequestSource;
import switchboard.telemetry.StandardOutput;

/** Writes requests and failed authentications to the audit log, if one is configured. Thread-safe. */
final class AuditRecorder implements OperationObserver, AuthFailureListener, AutoCloseable {
    private static final int MAX_WAITING_BYTES = 32 << 20;

    private final @Nullable AuditLog log;
    private final boolean required;

    private AuditRecorder(@Nullable AuditLog log, boolean required) {
        this.log = log;
        this.required = required;
    }

    /**
     * Checks {@code config} for a gateway whose client has the standard output.
     *
     * @throws BootException if the log would be written there, or its folder can't be
     */
    static void checkWithoutPorts(AuditConfig config, Path data) {
        switch (config.to()) {
            case NONE -> {}
            case STDOUT ->
                throw new BootException(
                        BootException.Stage.CONFIGURATION,
                        List.of("audit.to stdout: standard output belongs to the client of a gateway without ports; use"
                                + " file or none"));
            case FILE -> DataFolder.checkWritable(data);
        }
    }

    /**
     * Opens the audit log of {@code config}.
     *
     * @param data the folder that a relative path starts from
     * @throws BootException if the file can't be written
     */
    static AuditRecorder open(AuditConfig config, Path data, MeterRegistry meters, Clock clock) {
        AuditSink sink =
                switch (config.to()) {
                    case NONE -> null;
                    case STDOUT -> new Stream(new StandardOutput());
                    case FILE -> file(config, data.resolve(config.file()));
                };
        if (sink == null) {
            return new AuditRecorder(null, false);
        }
        AuditLog.ArgumentDetail arguments =
                switch (config.arguments()) {
                    case NONE -> AuditLog.ArgumentDetail.NONE;
                    case HASH -> AuditLog.ArgumentDetail.HASH;
                    case REDACTED -> AuditLog.ArgumentDetail.REDACTED;
                    case FULL -> AuditLog.ArgumentDetail.FULL;
                };
        AuditLog.Position position =
                config.to() == AuditConfig.To.STDOUT ? AuditLog.Position.LOG : AuditLog.Position.OWN;
        return new AuditRecorder(
                new AuditLog(new AuditWriter(sink, MAX_WAITING_BYTES, meters), position, arguments, clock),
                config.required());
    }

    /** Wraps {@code backendCaller}: calls are refused while a required audit log can't be written. */
    BackendCaller guard(BackendCaller backendCaller) {
        return !required
                ? backendCaller
                : (backend, request, caller, options) ->
                        ready() ? backendCaller.send(backend, request, caller, options) : new UnauditedCall();
    }

    /** The state of the audit log, for readiness; empty if none is configured. */
    Optional<Readiness.Part> part() {
        return Optional.ofNullable(log)
                .map(audit -> new Readiness.Part(
                        "audit",
                        audit.problem().isEmpty() ? Readiness.Status.UP : Readiness.Status.DOWN,
                        required,
                        detail(audit)));
    }

    @Override
    public void finished(FinishedRequest request) {
        if (log != null) {
            log.record(new AuditEvent.Call(request));
        }
    }

    @Override
    public void limited(InboundMessage message, String limit, int calls) {
        if (log != null) {
            log.record(new AuditEvent.Limited(
                    RequestSource.unread(message.header("traceparent"), message.address(), message.view()),
                    new RequestCaller(
                            message.principal().team(), message.principal().id()),
                    limit,
                    calls));
        }
    }

    /** Whether what is done now is recorded, or need not be. */
    boolean ready() {
        return !required || log == null || log.keepsUp();
    }

    /**
     * Notes a change that somebody wanted to make in the console.
     *
     * @param method what was wanted
     * @param subject what it is about; empty if that was not read
     * @param allowed whether that person may do it
     * @param outcome {@code ok}, or a word for what was wrong
     */
    void changed(ConsoleEditor editor, String method, String subject, boolean allowed, String outcome) {
        if (log != null) {
            log.record(new AuditEvent.ConsoleChange(
                    RequestSource.unread(null, editor.address(), ""),
                    new RequestCaller(editor.person().team(), editor.person().id()),
                    method,
                    subject,
                    allowed,
                    outcome));
        }
    }

    @Override
    public void refused(String address, String view, @Nullable String traceparent, String reason) {
        if (log != null) {
            log.record(new AuditEvent.AuthenticationFailed(RequestSource.unread(traceparent, address, view), reason));
        }
    }

    @Override
    public void close() {
        if (log != null) {
            log.close();
        }
    }

    private String detail(AuditLog audit) {
        return audit.problem()
                .map(problem -> problem + (required ? "; calls are refused" : "; calls continue, lines may be missing"))
                .orElse("written");
    }

    private static AuditSink file(AuditConfig config, Path file) {
        try {
            return new AuditFile(file, config.maxSize().bytes(), config.keep());
        } catch (IOException e) {
            throw new BootException(
                    BootException.Stage.ENVIRONMENT,
                    "can't write the audit log " + file + ": " + DiskError.problem(e)
                            + "; audit.file names another, audit.to none turns it" + " off",
                    e);
        }
    }

    private record Stream(OutputStream out) implements AuditSink {
        @Override
        public void write(List<byte[]> lines) throws IOException {
            for (byte[] line : lines) {
                out.write(line);
            }
        }

        /** Does nothing: standard output stays open, because others write to it, too. */
        @Override
        public void close() {}
    }

    /** A call that is refused because it can't be recorded. */
    private record UnauditedCall() implements PendingCall {
        @Override
        public Future<BackendReply> reply() {
            return Future.succeededFuture(ToolReply.failed(
                    FailureKind.UNAVAILABLE,
                    "Calls are refused while the audit log can't be written. Try again later, or tell the operator."));
        }

        @Override
        public void cancel() {}
    }
}
