package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compressed answers: every reader of gzip gets the answer back, and what is different in each answer is not compressed. */
class GzipMemberTest {
    private final Random random = new Random(5);

    private byte[] text(int length) {
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            text.append("{\"name\":\"tool").append(random.nextInt(40)).append("\"},");
        }
        return text.substring(0, length).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] joined(List<ByteBuffer> parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (ByteBuffer part : parts) {
            byte[] bytes = new byte[part.remaining()];
            part.duplicate().get(bytes);
            all.writeBytes(bytes);
        }
        return all.toByteArray();
    }

    private static byte[] read(List<ByteBuffer> gzip) throws IOException {
        ByteArrayInputStream in = new ByteArrayInputStream(joined(gzip));
        try (GZIPInputStream file = new GZIPInputStream(in)) {
            byte[] all = file.readAllBytes();
            assertEquals(0, in.available(), "one member, and nothing after it");
            return all;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 65_535, 65_536, 200_000})
    void theAnswerComesBackWhateverSurroundsTheList(int around) throws IOException {
        for (int size : List.of(8 * 1024, 8 * 1024 + 1, 30_000, 107_000, 400_000)) {
            EncodedJson json = EncodedJson.around(text(around), new SharedJson(text(size)), text(around / 2));
            assertTrue(json.compressible());
            assertArrayEquals(json.bytes(), read(json.gzip()));
            assertArrayEquals(json.bytes(), joined(json.parts()));
            assertEquals(json.length(), json.bytes().length);
        }
    }

    /** Output that does not shrink, and output that fills the compressor's buffer to the last byte. */
    @Test
    void whatCantBeCompressedComesBackToo() throws IOException {
        for (int size = 8 * 1024; size < 8 * 1024 + 40; size++) {
            byte[] noise = new byte[size];
            random.nextBytes(noise);
            EncodedJson json = EncodedJson.around(text(50), new SharedJson(noise), text(1));
            assertArrayEquals(json.bytes(), read(json.gzip()));
        }
    }

    @Test
    void aListIsCompressedOnceForAllAnswers() throws IOException {
        SharedJson list = new SharedJson(text(50_000));
        ByteBuffer blocks = list.compressed().blocks();
        assertTrue(blocks.remaining() < 10_000, () -> blocks.remaining() + " bytes");
        for (String id : List.of("1", "\"a longer id\"")) {
            EncodedJson json = EncodedJson.around(id.getBytes(StandardCharsets.US_ASCII), list, text(3));
            assertTrue(json.gzip().stream().anyMatch(part -> part == blocks));
            assertArrayEquals(json.bytes(), read(json.gzip()));
        }
        assertSame(blocks, list.compressed().blocks());
    }

    /** Else the length of an answer would tell a caller whether what it sent is in what it may not see. */
    @Test
    void whatACallerSentIsStoredAsItIs() {
        byte[] list = text(20_000);
        String id = "\"" + new String(list, 0, 500, StandardCharsets.US_ASCII) + "\"";
        byte[] gzip =
                joined(EncodedJson.around(id.getBytes(StandardCharsets.US_ASCII), new SharedJson(list), new byte[0])
                        .gzip());
        assertTrue(new String(gzip, StandardCharsets.ISO_8859_1).contains(id));
    }

    @Test
    void smallOrUnsharedAnswersAreNotCompressed() {
        EncodedJson small = EncodedJson.around(text(90_000), new SharedJson(text(8 * 1024 - 1)), text(90_000));
        EncodedJson unshared = EncodedJson.of(text(90_000));
        for (EncodedJson json : List.of(small, unshared, EncodedJson.NOTHING)) {
            assertFalse(json.compressible());
            assertSame(json.parts(), json.gzip());
        }
    }
}
