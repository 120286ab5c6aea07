package switchboard.telemetry;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/** A Logback encoder that writes log events as {@link LogLine}. {@code conf/logback.xml} names this class. */
public final class JsonLines extends EncoderBase<ILoggingEvent> {
    private static final byte[] NOTHING = {};

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        ObjectNode line = LogLine.of(
                Instant.ofEpochMilli(event.getTimeStamp()),
                event.getLevel().toString(),
                event.getLoggerName(),
                String.valueOf(event.getFormattedMessage()));
        line.put("thread", event.getThreadName());
        fields(line, event.getKeyValuePairs());
        IThrowableProxy thrown = event.getThrowableProxy();
        if (thrown != null) {
            line.put("exception", ThrowableProxyUtil.asString(thrown));
        }
        return LogLine.bytes(line);
    }

    private static void fields(ObjectNode line, @Nullable List<KeyValuePair> pairs) {
        if (pairs != null) {
            pairs.forEach(pair -> put(line, LogLine.field(pair.key), pair.value));
        }
    }

    private static void put(ObjectNode line, String field, @Nullable Object value) {
        switch (value) {
            case null -> line.putNull(field);
            case Boolean yes -> line.put(field, yes);
            case Integer number -> line.put(field, number);
            case Long number -> line.put(field, number);
            case Double number when Double.isFinite(number) -> line.put(field, number);
            default -> line.put(field, value.toString());
        }
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }
}
