package switchboard.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentConverterTest {
    private final Converter converter = new DocumentConverter();

    @Test
    void markdownStaysAsItIsAndIsNamedAfterItsFirstHeading() throws ConvertException {
        String text = "intro\n\n```\n# not a heading\n```\n\n## Größe #\n\ntext\n";
        ConvertedDocument converted = convert("a.md", text);
        assertEquals(text, converted.text());
        assertEquals("Größe", converted.title());
        assertEquals(ConvertedDocument.Markup.MARKDOWN, converted.markup());
    }

    @Test
    void plainTextKeepsEverythingButLineEndsAndByteOrderMark() throws ConvertException {
        ConvertedDocument converted = convert("a.TXT", "\uFEFFone\r\ntwo\rthree\n# four");
        assertEquals("one\ntwo\nthree\n# four", converted.text());
        assertNull(converted.title());
    }

    @Test
    void anEmptyFileIsEmptyText() throws ConvertException {
        assertEquals("", convert("a.txt", "").text());
        assertEquals("", convert("a.html", "").text());
        assertEquals("", convert("a.csv", "").text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "UTF-16LE", "UTF-16BE", "windows-1252"})
    void characterSetsAreRecognised(String charset) throws ConvertException {
        String text = "Der Fluß fließt über die Brücke, plain letters around it.";
        byte[] bytes = text.getBytes(Charset.forName(charset));
        assertEquals(
                text,
                converter
                        .convert(new RawDocument(bytes, "a.txt", null), ConvertLimits.STANDARD)
                        .text());
    }

    @Test
    void theServersCharacterSetCountsUnlessTheBytesContradictIt() throws ConvertException {
        byte[] koi8 = "Привет".getBytes(Charset.forName("KOI8-R"));
        assertEquals("Привет", convert(koi8, "x", "text/plain; charset=koi8-r").text());
        byte[] utf8 = "Привет".getBytes(StandardCharsets.UTF_8);
        assertEquals(
                "Привет", convert(utf8, "x", "text/plain; charset=us-ascii").text());
        assertEquals(
                "Привет",
                convert(utf8, "x", "text/plain; charset=no-such-thing").text());
    }

    @Test
    void binaryContentUnderATextNameIsRefused() {
        byte[] binary = new byte[512];
        for (int i = 0; i < binary.length; i++) {
            binary[i] = (byte) (i * 31);
        }
        ConvertException e = assertThrows(
                ConvertException.class,
                () -> converter.convert(new RawDocument(binary, "a.md", null), ConvertLimits.STANDARD));
        assertEquals(ConvertException.Reason.UNREADABLE, e.reason());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.exe", "noextension", ".profile", "a.tar.zst", "dir.md/file"})
    void otherExtensionsAreUnsupportedByName(String name) {
        ConvertException e = assertThrows(ConvertException.class, () -> convert(name, "text"));
        assertEquals(ConvertException.Reason.UNSUPPORTED, e.reason());
        assertTrue(e.explanation().startsWith("Unsupported format: "), e.explanation());
    }

    @Test
    void htmlBecomesMarkdown() throws ConvertException {
        ConvertedDocument converted = convert("p.html", """
                <!doctype html><html><head><title>Site</title><style>p {color: red}</style></head><body>
                <h1>Main <em>thing</em></h1><p>Some <b>bold</b> text &amp; a <a href="https://x.test/">link</a>.</p>
                <ul><li>one</li><li>two</li></ul>
                <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
                <pre><code>int x = 1;
                int y;</code></pre>
                <script>alert("unseen")</script><img src="data:image/png;base64,AAAA" alt="pic">
                </body></html>
                """);
        String text = converted.text();
        assertEquals("Main thing", converted.title());
        assertTrue(text.contains("# Main *thing*"), text);
        assertTrue(text.contains("**bold** text & a [link](https://x.test/)"), text);
        assertTrue(text.matches("(?s).*[*-] one\\n[*-] two.*"), text);
        assertTrue(text.contains("| a | b |"), text);
        assertTrue(text.contains("```text\nint x = 1;\nint y;\n```"), text);
        assertFalse(text.contains("unseen") || text.contains("color: red") || text.contains("base64"), text);
    }

    @Test
    void htmlWithoutHeadingsIsNamedByItsTitle() throws ConvertException {
        assertEquals(
                "The  Title".replace("  ", " "),
                convert("p.htm", "<title>The  Title</title><p>x").title());
    }

    @Test
    void htmlCharacterSetComesFromMetaOrIsGuessed() throws ConvertException {
        Charset cyrillic = Charset.forName("windows-1251");
        byte[] declared = "<meta charset=windows-1251><p>Привет</p>".getBytes(cyrillic);
        assertEquals("Привет", convert(declared, "p.html", null).text());
        byte[] silent = "<p>café</p>".getBytes(Charset.forName("windows-1252"));
        assertEquals("café", convert(silent, "p.html", null).text());
    }

    @Test
    void deeplyNestedHtmlIsReadAsTextInsteadOfBreakingTheStack() throws ConvertException {
        String page = "<div>".repeat(200_000) + "bottom" + "</div>".repeat(200_000);
        assertTrue(convert("p.html", page).text().contains("bottom"));
    }

    @Test
    void csvBecomesATable() throws ConvertException {
        String text = convert("t.csv", "name,note\r\nAda,\"likes, commas\nand lines\"\nBob,a|b\n")
                .text();
        assertEquals("| name | note |\n| --- | --- |\n| Ada | likes, commas and lines |\n| Bob | a\\|b |\n", text);
    }

    @Test
    void csvWithSemicolonsIsRecognised() throws ConvertException {
        assertTrue(convert("t.csv", "a;b\n1,5;2\n").text().contains("| 1,5 | 2 |"));
    }

    @Test
    void brokenCsvIsAnError() {
        assertThrows(ConvertException.class, () -> convert("t.csv", "a,b\n\"never ends,1\n"));
    }

    @Test
    void jsonKeepsItsTextUnlessItIsOneLongLine() throws ConvertException {
        String small = "{ \"a\" : [1, 2.50] }\n";
        assertEquals(small, convert("a.json", small).text());
        String large = "{\"n\":1234567890123456789012345678901234567890.10,\"t\":\"" + "x".repeat(600) + "\"}";
        String text = convert("a.json", large).text();
        assertTrue(text.contains("1234567890123456789012345678901234567890.10,\n"), text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":", "{'a': 1}", "[1,]", "{\"a\": 1}}"})
    void brokenJsonIsAnErrorWithItsPlace(String json) {
        ConvertException e = assertThrows(ConvertException.class, () -> convert("a.json", json));
        assertTrue(e.explanation().matches("not valid JSON at line \\d+, column \\d+"), e.explanation());
    }

    @Test
    void jsonNestedWithoutEndIsAnError() {
        assertThrows(ConvertException.class, () -> convert("a.json", "[".repeat(1_000_000)));
    }

    @Test
    void xmlStaysAsItIsAndIsNamedByItsTitle() throws ConvertException {
        String text = "<?xml version=\"1.0\"?>\n<feed><title>News</title><entry><title>x</title></entry></feed>";
        ConvertedDocument converted = convert("f.xml", text);
        assertEquals(text, converted.text());
        assertEquals("News", converted.title());
    }

    @Test
    void xmlInItsDeclaredCharacterSet() throws ConvertException {
        byte[] bytes = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>é</a>".getBytes(StandardCharsets.ISO_8859_1);
        assertTrue(convert(bytes, "f.xml", null).text().contains("<a>é</a>"));
    }

    @Test
    void entitiesAreNeitherFetchedNorExpanded() throws ConvertException {
        String external = "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>";
        assertEquals(external, convert("f.xml", external).text());
        StringBuilder laughs = new StringBuilder("<!DOCTYPE a [<!ENTITY l0 \"ha\">");
        for (int i = 1; i < 30; i++) {
            laughs.append("<!ENTITY l")
                    .append(i)
                    .append(" \"")
                    .append(("&l" + (i - 1) + ";").repeat(10))
                    .append("\">");
        }
        laughs.append("]><a>&l29;</a>");
        assertEquals(laughs.toString(), convert("f.xml", laughs.toString()).text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"<a><b></a>", "no xml", "<a>", ""})
    void brokenXmlIsAnError(String xml) {
        ConvertException e = assertThrows(ConvertException.class, () -> convert("f.xml", xml));
        assertTrue(e.explanation().startsWith("not well-formed XML at line "), e.explanation());
    }

    @Test
    void theContentTypeDecidesUnlessItIsVague() throws ConvertException {
        assertEquals(
                "x",
                convert("<p>x</p>".getBytes(StandardCharsets.UTF_8), "a.txt", "text/html")
                        .text());
        String markdown = "# t\n\n| a |\n";
        assertEquals(
                "t",
                convert(markdown.getBytes(StandardCharsets.UTF_8), "a.md", "text/plain")
                        .title());
        assertEquals(
                "{}",
                convert("{}".getBytes(StandardCharsets.UTF_8), "x", "application/ld+json")
                        .text());
        assertThrows(
                ConvertException.class,
                () -> convert("x".getBytes(StandardCharsets.UTF_8), "a.md", "application/x-executable"));
    }

    @Test
    void titlesAreCutWithoutPartingCharacters() throws ConvertException {
        String title = convert("a.md", "# " + "😀".repeat(500)).title();
        assertEquals("😀".repeat(200), title);
    }

    private ConvertedDocument convert(String name, String text) throws ConvertException {
        return convert(text.getBytes(StandardCharsets.UTF_8), name, null);
    }

    private ConvertedDocument convert(byte[] bytes, String name, @Nullable String contentType) throws ConvertException {
        return converter.convert(new RawDocument(bytes, name, contentType), ConvertLimits.STANDARD);
    }
}
