package switchboard.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Small files of every format, honest and hostile, each with what must become of it. */
class EveryFormatTest {
    private static final ConvertLimits LIMITS = new ConvertLimits(8 << 20, 32L << 20, () -> false);

    private final Converter converter = new DocumentConverter();
    private final List<DynamicTest> tests = new ArrayList<>();

    @TestFactory
    Stream<DynamicTest> files() throws IOException, GeneralSecurityException {
        text();
        markup();
        data();
        paged();
        office();
        archives();
        media();
        mislabelled();
        assertTrue(tests.size() >= 60, "only " + tests.size());
        return tests.stream();
    }

    @Test
    void aPageThatWouldBeDrawnForYearsEndsWhenNobodyWaitsAnyMore() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        ConvertLimits limits = LIMITS.until(() -> asked.incrementAndGet() > 10_000);
        byte[] forever = MadeFiles.pdfOfForms(12);
        ConvertException e = assertThrows(
                ConvertException.class, () -> converter.convert(new RawDocument(forever, "forever.pdf", null), limits));
        assertEquals(ConvertException.Reason.TOO_LARGE, e.reason());
        assertEquals("converting it took too long", e.explanation());
    }

    @Test
    void aTableOfEmptyCellsEndsWhenNobodyWaitsAnyMore() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        ConvertLimits limits = LIMITS.until(() -> asked.incrementAndGet() > 20);
        byte[] table = MadeFiles.xlsx("many", "empty", "cells");
        ConvertException e = assertThrows(
                ConvertException.class, () -> converter.convert(new RawDocument(table, "table.xlsx", null), limits));
        assertEquals("converting it took too long", e.explanation());
    }

    private void text() {
        reads("plain.txt", MadeFiles.utf8("simple words"), "simple words");
        reads("empty.txt", new byte[0], "");
        reads("blank.txt", MadeFiles.utf8(" \n\t \n"), "");
        reads("UPPER.TXT", MadeFiles.utf8("loud"), "loud");
        reads("bom.txt", MadeFiles.utf8("\uFEFFmarked"), "marked");
        reads("utf16.txt", "\uFEFFsixteen bits".getBytes(StandardCharsets.UTF_16BE), "sixteen bits");
        reads("latin.txt", "café olé".getBytes(StandardCharsets.ISO_8859_1), "café olé");
        reads("rtl.txt", MadeFiles.utf8("مرحبا بالعالم שלום"), "שלום");
        reads("cjk.md", MadeFiles.utf8("# 見出し\n\n本文です。"), "本文です。");
        reads("emoji.md", MadeFiles.utf8("👩‍👩‍👧‍👦 family"), "👩‍👩‍👧‍👦");
        reads("large.txt", "0123456789abcde\n".repeat(400_000).getBytes(StandardCharsets.US_ASCII), "0123456789abcde");
        reads("dot.in.name.md", MadeFiles.utf8("dotted"), "dotted");
        reads("script.md", MadeFiles.utf8("#!/bin/sh\necho words"), "echo words");
        reads("mail.txt", MadeFiles.utf8("From: a@b.test\nSubject: words\n\nbody"), "Subject: words");
        reads("bmw.txt", MadeFiles.utf8("BM is not always a picture"), "not always");
        reads("fenced.md", MadeFiles.utf8("```\nnever closed\n# x"), "never closed");
        fails("nul.txt", new byte[] {'a', 0, 'b', 0, 0, 'c', 1, 2, 3, 0}, "binary");
        fails("toolong.txt", new byte[9 << 20], "binary|longer");
        fails("long.txt", "word ".repeat(2 << 20).getBytes(StandardCharsets.US_ASCII), "longer than");
    }

    private void markup() {
        reads("page.html", MadeFiles.utf8("<h1>Title</h1><p>body"), "# Title");
        reads("page.htm", MadeFiles.utf8("<p>a<br>b"), "a");
        reads("fragment.html", MadeFiles.utf8("just words, no tags"), "just words");
        reads("script.html", MadeFiles.utf8("<script>while(1){}</script><p>seen"), "seen");
        reads("entities.html", MadeFiles.utf8("<p>&lt;b&gt; &amp; &euro;"), "<b> & €");
        reads("deep.html", MadeFiles.utf8("<i>".repeat(50_000) + "bottom"), "bottom");
        reads("cyrillic.html", "<meta charset=koi8-r><p>Привет".getBytes(Charset.forName("KOI8-R")), "Привет");
        reads("feed.xml", MadeFiles.utf8("<rss><title>Feed</title></rss>"), "<title>Feed</title>");
        reads("declared.xml", MadeFiles.utf8("<?xml version='1.0' encoding='UTF-8'?><a>ü</a>"), "<a>ü</a>");
        reads("xxe.xml", MadeFiles.utf8("<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>"), "&x;");
        reads("laughs.xml", MadeFiles.utf8("<!DOCTYPE a [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>]><a>&b;</a>"), "&b;");
        fails("unclosed.xml", MadeFiles.utf8("<a><b></a>"), "not well-formed XML");
        fails("notxml.xml", MadeFiles.utf8("words"), "not well-formed XML");
    }

    private void data() {
        reads("table.csv", MadeFiles.utf8("a,b\n1,2\n"), "| 1 | 2 |");
        reads("semicolons.csv", MadeFiles.utf8("a;b\n1,5;2\n"), "| 1,5 | 2 |");
        reads("tabs.csv", MadeFiles.utf8("a\tb\n1\t2\n"), "| 1 | 2 |");
        reads("quoted.csv", MadeFiles.utf8("a,b\n\"x\ny\",\"say \"\"hi\"\"\"\n"), "| x y | say \"hi\" |");
        reads("ragged.csv", MadeFiles.utf8("a,b\n1\n1,2,3\n"), "| 1 | 2 | 3 |");
        fails("endless.csv", MadeFiles.utf8("a,b\n\"never"), "not valid CSV");
        reads("object.json", MadeFiles.utf8("{\"a\":[1,2]}"), "{\"a\":[1,2]}");
        reads("scalar.json", MadeFiles.utf8("42"), "42");
        fails("broken.json", MadeFiles.utf8("{\"a\":"), "not valid JSON");
        fails("deep.json", MadeFiles.utf8("[".repeat(100_000)), "not valid JSON");
    }

    private void paged() throws IOException {
        byte[] pdf = MadeFiles.pdf("first page", "second page", "third page");
        reads("paper.pdf", pdf, "second page");
        fails("cut.pdf", MadeFiles.truncated(pdf), "PDF is damaged");
        fails("locked.pdf", MadeFiles.protectedPdf("hidden"), "protected by a password");
        reads("restricted.pdf", MadeFiles.restrictedPdf("readable"), "readable");
        fails("bomb.pdf", MadeFiles.pdfBomb(40 << 20), "unpacked it is larger");
        fails("fake.pdf", MadeFiles.utf8("this is text"), "its content is text/plain");
        fails("onlyheader.pdf", MadeFiles.utf8("%PDF-1.7\n"), "PDF is damaged");
        reads("scan.pdf", MadeFiles.pdf(""), "");
    }

    private void office() throws IOException, GeneralSecurityException {
        byte[] docx = MadeFiles.docx("Chapter", "Words in a document.");
        reads("text.docx", docx, "Words in a document.");
        fails("cut.docx", MadeFiles.truncated(docx), "damaged|truncated");
        fails("locked.docx", MadeFiles.protectedDocx("hidden"), "protected by a password");
        fails("bomb.docx", MadeFiles.docxBomb(40), "longer than|damaged|unpacked");
        reads(
                "rich.doc",
                MadeFiles.utf8("{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Arial;}}\\pard Rich \\b words\\b0 .\\par}"),
                "Rich");
        reads("slides.pptx", MadeFiles.pptx("Opening", "Closing"), "Closing");
        reads("slides.ppt", MadeFiles.ppt("Opening", "Closing"), "Closing");
        reads("sheet.xlsx", MadeFiles.xlsx("north", "south"), "south");
        reads("sheet.xls", MadeFiles.xls("north", "south"), "south");
        fails("cut.xls", MadeFiles.truncated(MadeFiles.xls("north")), "damaged|truncated");
        fails("fake.docx", MadeFiles.utf8("<html><body>no"), "its content is text/html");
    }

    private void archives() throws IOException {
        Map<String, byte[]> entries = new TreeMap<>();
        entries.put("docs/a.md", MadeFiles.utf8("# Inner\n\nwords of a"));
        entries.put("docs/b.pdf", MadeFiles.pdf("words of b"));
        entries.put("c.exe", MadeFiles.utf8("MZ"));
        entries.put("../../up.txt", MadeFiles.utf8("words from above"));
        reads("many.zip", MadeFiles.zip(entries), "words of a");
        reads("many2.zip", MadeFiles.zip(entries), "words of b");
        reads("many3.zip", MadeFiles.zip(entries), "Not read: c.exe");
        fails("nothing.zip", MadeFiles.zip(Map.of("c.exe", MadeFiles.utf8("MZ"))), "no document that can be read");
        fails("nested.zip", MadeFiles.zip(Map.of("in.zip", MadeFiles.zip(entries))), "no document that can be read");
        fails("bomb.zip", MadeFiles.zipBomb(40), "unpacked it is larger|longer than");
        fails("cut.zip", Arrays.copyOf(MadeFiles.zip(entries), 60), "archive is damaged|no document");
    }

    private void media() throws IOException {
        for (String format : List.of("png", "jpg", "gif", "bmp")) {
            fails("blank." + format, MadeFiles.image(format), "holds no text");
        }
        fails("silent.wav", MadeFiles.wav(), "holds no text");
        reads("song.mp3", MadeFiles.mp3("Song of the sea"), "Title: Song of the sea");
        fails("garbage.webp", MadeFiles.utf8("RIFFxxxxWEBPVP8 "), "holds no text|damaged");
        fails("garbage.ogg", MadeFiles.utf8("OggS and nothing"), "holds no text|damaged|content is");
        fails("garbage.m4a", new byte[100], "holds no text|damaged|content is");
    }

    private void mislabelled() throws IOException {
        reads("really-a-pdf.txt", MadeFiles.pdf("hidden depths"), "hidden depths");
        reads("really-a-docx.xlsx", MadeFiles.docx("Chapter", "Wrong extension."), "Wrong extension.");
        fails("really-an-image.md", MadeFiles.image("png"), "holds no text");
        fails(
                "program.txt",
                new byte[] {0x7F, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 62, 0},
                "Unsupported format: application/x-");
        fails("program.exe", MadeFiles.utf8("words"), "Unsupported format: exe");
        fails("noextension", MadeFiles.utf8("words"), "Unsupported format: ");
    }

    @Test
    void fiftyMegabytesOfTextAreRead() throws ConvertException {
        String line = "A line of a very long text, מילה, 文字.\n";
        byte[] bytes = MadeFiles.utf8(line.repeat(50 * 1024 * 1024 / MadeFiles.utf8(line).length + 1));
        assertTrue(bytes.length >= 50 << 20);
        String text = converter
                .convert(new RawDocument(bytes, "huge.txt", null), ConvertLimits.STANDARD)
                .text();
        assertEquals(line.strip(), text.substring(0, line.length() - 1));
        assertEquals(bytes.length / MadeFiles.utf8(line).length, text.lines().count());
    }

    @Test
    void pagesOfAPdfAndSlidesAreCounted() throws IOException, ConvertException {
        for (RawDocument rawDocument : List.of(
                new RawDocument(MadeFiles.pdf("one", "two", "three"), "a.pdf", null),
                new RawDocument(MadeFiles.pptx("one", "two", "three"), "a.pptx", null),
                new RawDocument(MadeFiles.ppt("one", "two", "three"), "a.ppt", null))) {
            ConvertedDocument converted = converter.convert(rawDocument, LIMITS);
            assertEquals(3, converted.pageStarts().size(), rawDocument.name() + ": " + converted.text());
            assertEquals(List.of(1), pagesOf(converted, "one"), rawDocument.name());
            assertEquals(List.of(2), pagesOf(converted, "two"), rawDocument.name());
            assertEquals(List.of(3), pagesOf(converted, "three"), rawDocument.name());
        }
    }

    private static List<Integer> pagesOf(ConvertedDocument converted, String word) {
        int start = converted.text().indexOf(word);
        return converted.pagesOf(start, start + word.length());
    }

    @Test
    void wordHeadingsAndTablesKeepTheirShape() throws IOException, ConvertException {
        String text = converter
                .convert(new RawDocument(MadeFiles.docx("Chapter", "Words."), "a.docx", null), LIMITS)
                .text();
        assertTrue(text.contains("left") && text.contains("right") && text.contains("|"), text);
        assertTrue(text.indexOf("Chapter") < text.indexOf("Words."), text);
    }

    @Test
    void theTypeOfAnAnswerWithoutANameIsThatOfItsContent() throws IOException, ConvertException {
        RawDocument octets = new RawDocument(MadeFiles.pdf("from the web"), "/download", "application/octet-stream");
        assertTrue(converter.convert(octets, LIMITS).text().contains("from the web"));
        RawDocument page = new RawDocument(MadeFiles.pdf("from the web"), "/paper", "application/pdf");
        assertEquals("A PDF", converter.convert(page, LIMITS).title());
        RawDocument login =
                new RawDocument(MadeFiles.utf8("<!doctype html><p>please log in"), "/paper.pdf", "application/pdf");
        assertThrows(ConvertException.class, () -> converter.convert(login, LIMITS));
    }

    @Test
    void aConversionThatIsNotWantedAnyMoreEnds() throws IOException {
        RawDocument rawDocument = new RawDocument(MadeFiles.pdf("one", "two"), "a.pdf", null);
        assertThrows(ConvertException.class, () -> converter.convert(rawDocument, LIMITS.until(() -> true)));
    }

    private void reads(String name, byte[] bytes, String part) {
        tests.add(DynamicTest.dynamicTest(name, () -> {
            String text = converter
                    .convert(new RawDocument(bytes, name, null), LIMITS)
                    .text();
            assertTrue(text.contains(part), () -> text.substring(0, Math.min(500, text.length())));
        }));
    }

    private void fails(String name, byte[] bytes, String reason) {
        tests.add(DynamicTest.dynamicTest(name, () -> {
            ConvertException e = assertThrows(
                    ConvertException.class, () -> converter.convert(new RawDocument(bytes, name, null), LIMITS));
            assertTrue(e.explanation().matches("(?s).*(" + reason + ").*"), e.explanation());
        }));
    }
}
