package switchboard.call;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageCodec;
import java.io.IOException;
import java.util.List;

/**
 * Codecs of the event bus: messages are passed by reference inside the process, because they are immutable, and as
 * versioned JSON between processes.
 */
public final class BusCodecs {
    private BusCodecs() {}

    /** Registers a codec for every message type; once per {@code EventBus}. */
    public static void register(EventBus bus) {
        ObjectMapper mapper = wireMapper();
        for (Class<?> root : List.of(
                BackendCall.class, BackendReply.class, BackendEvent.class, ClientQuestion.class, ClientAnswer.class)) {
            register(bus, root, mapper);
        }
        bus.codecSelector(body -> switch (body) {
            case BackendCall _ -> BackendCall.class.getName();
            case BackendReply _ -> BackendReply.class.getName();
            case BackendEvent _ -> BackendEvent.class.getName();
            case ClientQuestion _ -> ClientQuestion.class.getName();
            case ClientAnswer _ -> ClientAnswer.class.getName();
            default -> null;
        });
    }

    private static <T> void register(EventBus bus, Class<T> root, ObjectMapper mapper) {
        bus.registerCodec(new LocalCodec<>(root, new WireFormat<>(root, mapper)));
    }

    static ObjectMapper wireMapper() {
        ObjectMapper mapper = Json.mapper().copy();
        SimpleModule module = new SimpleModule();
        module.addSerializer(Arguments.class, new ArgumentsWriter());
        module.addDeserializer(Arguments.class, new ArgumentsReader());
        mapper.registerModule(module);
        for (Class<?> root : List.of(
                BackendRequest.class,
                BackendRequest.Maintain.Chore.class,
                BackendReply.class,
                BackendEvent.class,
                ClientAnswer.class,
                ContentBlock.class,
                GivenDocuments.class)) {
            mapper.addMixIn(root, ByName.class);
            registerSubtypes(mapper, root);
        }
        return mapper;
    }

    private static void registerSubtypes(ObjectMapper mapper, Class<?> sealedType) {
        for (Class<?> subtype : sealedType.getPermittedSubclasses()) {
            if (subtype.isSealed()) {
                registerSubtypes(mapper, subtype);
            } else {
                mapper.registerSubtypes(new NamedType(subtype, subtype.getSimpleName()));
            }
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "@type")
    private interface ByName {}

    private static final class ArgumentsWriter extends JsonSerializer<Arguments> {
        @Override
        public void serialize(Arguments value, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeTree(value.copy());
        }
    }

    private static final class ArgumentsReader extends JsonDeserializer<Arguments> {
        @Override
        public Arguments deserialize(JsonParser in, DeserializationContext context) throws IOException {
            return Arguments.of((ObjectNode) context.readTree(in));
        }
    }

    private record LocalCodec<T>(Class<T> type, WireFormat<T> form) implements MessageCodec<T, T> {
        @Override
        public void encodeToWire(Buffer buffer, T message) {
            form.write(message, buffer);
        }

        @Override
        public T decodeFromWire(int position, Buffer buffer) {
            return form.read(position, buffer);
        }

        @Override
        public T transform(T message) {
            return message;
        }

        @Override
        public String name() {
            return type.getName();
        }

        @Override
        public byte systemCodecID() {
            return -1;
        }
    }
}
