package switchboard.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import switchboard.convert.ConvertException.Reason;

/** The bounds of archives, each met exactly and passed by one. */
class ZipReaderTest {
    /** Reads entries as they are, but none that is called an image. */
    private final ZipReader reader = new ZipReader((rawDocument, limits) -> {
        if (rawDocument.extension().equals("png")) {
            throw new ConvertException(Reason.UNSUPPORTED, "no text");
        }
        return ConvertedDocument.of(
                new String(rawDocument.bytes(), StandardCharsets.UTF_8), ConvertedDocument.Markup.MARKDOWN, null);
    });

    private static RawDocument zip(Map<String, String> entries) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return new RawDocument(bytes.toByteArray(), "a.zip", null);
    }

    /** An archive of one entry, not compressed, that says it has {@code size} bytes. */
    private static byte[] stored(String name, String text, int size) throws IOException {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        return entry(name, ZipEntry.STORED, content, content, size, size);
    }

    /** The same, compressed. */
    private static byte[] deflatedWithSize(String name, String text, int size) throws IOException {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(packed, new Deflater(9, true))) {
            out.write(content);
        }
        return entry(name, ZipEntry.DEFLATED, content, packed.toByteArray(), packed.size(), size);
    }

    /** The local header of an entry and its content, which is all that is read of an archive. */
    private static byte[] entry(String name, int method, byte[] content, byte[] written, int packed, int size) {
        CRC32 sum = new CRC32();
        sum.update(content);
        byte[] title = name.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(30 + title.length + written.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0x04034b50)
                .putShort((short) 20)
                .putShort((short) 0)
                .putShort((short) method)
                .putInt(0)
                .putInt((int) sum.getValue())
                .putInt(packed)
                .putInt(size)
                .putShort((short) title.length)
                .putShort((short) 0)
                .put(title)
                .put(written)
                .array();
    }

    private static Map<String, String> many(int count) {
        Map<String, String> entries = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            entries.put("e" + i + ".txt", "t" + i);
        }
        return entries;
    }

    private static ConvertLimits limits(int maxChars, long maxUnpacked) {
        return new ConvertLimits(maxChars, maxUnpacked, () -> false);
    }

    private Reason refused(RawDocument zip, ConvertLimits limits) {
        return assertThrows(ConvertException.class, () -> reader.read(zip, limits))
                .reason();
    }

    @Test
    void twoThousandEntriesAreReadAndOneMoreIsNot() throws Exception {
        String text = reader.read(zip(many(2000)), ConvertLimits.STANDARD).text();
        assertTrue(text.startsWith("# e0.txt\n\nt0\n\n# e1.txt"), text.substring(0, 50));
        assertTrue(text.strip().endsWith("# e1999.txt\n\nt1999"));
        assertEquals(Reason.TOO_LARGE, refused(zip(many(2001)), ConvertLimits.STANDARD));
    }

    @Test
    void whatItUnpacksToIsBoundedTogether() throws Exception {
        RawDocument zip = zip(Map.of("a.txt", "x".repeat(600), "b.txt", "y".repeat(400)));
        assertTrue(reader.read(zip, limits(5000, 1000)).text().contains("yyy"));
        assertEquals(Reason.TOO_LARGE, refused(zip, limits(5000, 999)));
    }

    /** Its text is not cut: a document that ends in the middle would be taken for the whole. */
    @Test
    void oneEntryThatIsLargerThanAllThatMayBeUnpackedIsRefused() throws Exception {
        RawDocument zip = zip(Map.of("a.txt", "x".repeat(1000)));
        assertTrue(reader.read(zip, limits(5000, 1000)).text().contains("x".repeat(1000)));
        assertEquals(Reason.TOO_LARGE, refused(zip, limits(5000, 999)));
        assertEquals(Reason.TOO_LARGE, refused(zip, limits(5000, 0)));
    }

    /** What an archive says about the size of an entry is not believed. */
    @Test
    void whatIsUnpackedCountsAndNotTheDeclaredSize() throws Exception {
        byte[] lies = stored("a.txt", "x".repeat(1000), 10);
        assertEquals(Reason.UNREADABLE, refused(new RawDocument(lies, "a.zip", null), limits(5000, 5000)));
        byte[] packed = deflatedWithSize("a.txt", "x".repeat(1000), 10);
        assertEquals(Reason.TOO_LARGE, refused(new RawDocument(packed, "a.zip", null), limits(5000, 999)));
    }

    /** Archives count by what is in them; the type says nothing. */
    @Test
    void anArchiveInAnArchiveIsNamedAndNotOpened() throws Exception {
        byte[] inner = zip(Map.of("secret.txt", "inside")).bytes();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (String name : List.of("one.zip", "two.txt", "three")) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(inner);
            }
            zip.putNextEntry(new ZipEntry("plain.txt"));
            zip.write("Heron.".getBytes(StandardCharsets.UTF_8));
        }
        String text = new DocumentConverter()
                .convert(new RawDocument(bytes.toByteArray(), "a.zip", null), ConvertLimits.STANDARD)
                .text();
        assertEquals("# plain.txt\n\nHeron.\n\nNot read: one.zip, two.txt, three\n", text);
    }

    @Test
    void theTextIsBoundedTogether() throws Exception {
        RawDocument zip = zip(Map.of("a.txt", "x".repeat(600)));
        int length = reader.read(zip, limits(5000, 5000)).text().length();
        reader.read(zip, limits(length, 5000));
        assertEquals(Reason.TOO_LARGE, refused(zip, limits(length - 1, 5000)));
    }

    @Test
    void whatCanNotBeReadIsNamedAndTheRestIsThere() throws Exception {
        Map<String, String> entries = new LinkedHashMap<>();
        entries.put("folder/", "");
        entries.put("one.png", "…");
        entries.put("two  words.txt", "Heron.");
        entries.put("three.png", "…");
        assertEquals(
                "# two words.txt\n\nHeron.\n\nNot read: one.png, three.png\n",
                reader.read(zip(entries), ConvertLimits.STANDARD).text());
        assertEquals(Reason.UNREADABLE, refused(zip(Map.of("one.png", "…")), ConvertLimits.STANDARD));
        assertEquals(Reason.UNREADABLE, refused(zip(Map.of("folder/", "")), ConvertLimits.STANDARD));
    }

    @Test
    void nobodyWaitsForTheRestOfACallThatWasGivenUp() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        ConvertLimits limits = new ConvertLimits(5000, 5000, () -> asked.incrementAndGet() > 3);
        assertEquals(Reason.TOO_LARGE, refused(zip(many(100)), limits));
        assertEquals(4, asked.get());
    }

    @Test
    void aCutArchiveIsDamaged() throws Exception {
        byte[] whole = zip(many(10)).bytes();
        byte[] cut = java.util.Arrays.copyOf(whole, 45);
        assertEquals(Reason.UNREADABLE, refused(new RawDocument(cut, "a.zip", null), ConvertLimits.STANDARD));
    }
}
