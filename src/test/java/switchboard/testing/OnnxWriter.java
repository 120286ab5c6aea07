package switchboard.testing;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Writes small ONNX models: the messages of {@code onnx.proto} (opset 13) in the format of Protocol Buffers, as far as tests
 * need them.
 */
public final class OnnxWriter {
    private static final int IR_VERSION = 8;
    private static final int OPSET = 13;

    /** The types of numbers that a tensor may have, with their codes. */
    public enum Type {
        FLOAT(1),
        INT8(3),
        INT32(6),
        INT64(7),
        FLOAT16(10);

        private final int code;

        Type(int code) {
            this.code = code;
        }
    }

    private final Message graph = new Message();

    /** A message of Protocol Buffers under way. */
    private static final class Message {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Message number(int field, long value) {
            varint((long) field << 3);
            varint(value);
            return this;
        }

        Message bytes(int field, byte[] value) {
            varint((long) field << 3 | 2);
            varint(value.length);
            out.writeBytes(value);
            return this;
        }

        Message text(int field, String value) {
            return bytes(field, value.getBytes(StandardCharsets.UTF_8));
        }

        Message part(int field, Message value) {
            return bytes(field, value.out.toByteArray());
        }

        private void varint(long value) {
            long rest = value;
            while ((rest & ~0x7FL) != 0) {
                out.write((int) (rest & 0x7F | 0x80));
                rest >>>= 7;
            }
            out.write((int) rest);
        }
    }

    /** An input of the graph; a length of -1 is free. */
    public OnnxWriter input(String name, Type type, long... shape) {
        graph.part(11, value(name, type, shape));
        return this;
    }

    /** An output of the graph; a length of -1 is free. */
    public OnnxWriter output(String name, Type type, long... shape) {
        graph.part(12, value(name, type, shape));
        return this;
    }

    private static Message value(String name, Type type, long... shape) {
        Message axes = new Message();
        for (long length : shape) {
            axes.part(1, length < 0 ? new Message().text(2, "free") : new Message().number(1, length));
        }
        Message tensor = new Message().number(1, type.code).part(2, axes);
        return new Message().text(1, name).part(2, new Message().part(1, tensor));
    }

    /** A constant of floating-point numbers. */
    public OnnxWriter floats(String name, long[] shape, float... values) {
        ByteBuffer raw = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            raw.putFloat(value);
        }
        return constant(name, Type.FLOAT, shape, raw.array());
    }

    /** A constant of bytes with a sign. */
    public OnnxWriter int8(String name, long[] shape, byte... values) {
        return constant(name, Type.INT8, shape, values);
    }

    /** A constant of whole numbers. */
    public OnnxWriter longs(String name, long... values) {
        ByteBuffer raw = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (long value : values) {
            raw.putLong(value);
        }
        return constant(name, Type.INT64, new long[] {values.length}, raw.array());
    }

    private OnnxWriter constant(String name, Type type, long[] shape, byte[] raw) {
        Message tensor = new Message();
        Arrays.stream(shape).forEach(length -> tensor.number(1, length));
        graph.part(5, tensor.number(2, type.code).text(8, name).bytes(9, raw));
        return this;
    }

    /** An attribute of a node. */
    public record Attribute(String name, List<Long> values, boolean list) {
        /** A number. */
        public static Attribute of(String name, long value) {
            return new Attribute(name, List.of(value), false);
        }

        /** A list of numbers. */
        public static Attribute list(String name, Long... values) {
            return new Attribute(name, List.of(values), true);
        }

        private Message message() {
            Message message = new Message().text(1, name);
            values.forEach(value -> message.number(list ? 8 : 3, value));
            return message.number(20, list ? 7 : 2);
        }
    }

    /** A node: {@code output = operator(inputs)}. */
    public OnnxWriter node(String operator, List<String> inputs, String output, Attribute... attributes) {
        Message node = new Message();
        inputs.forEach(input -> node.text(1, input));
        node.text(2, output).text(4, operator);
        Arrays.stream(attributes).forEach(attribute -> node.part(5, attribute.message()));
        graph.part(1, node);
        return this;
    }

    /** The model. */
    public byte[] bytes() {
        Message opset = new Message().text(1, "").number(2, OPSET);
        return new Message()
                .number(1, IR_VERSION)
                .part(8, opset)
                .part(7, graph.text(2, "test"))
                .out
                .toByteArray();
    }
}
