package switchboard.convert;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;
import org.jspecify.annotations.Nullable;

/** Small hostile files of every format. A new format is new rows in {@link #all}. */
final class Bombs {
    private static final int DEEP = 20_000;

    /** Source code that no parser likes, by file name. */
    static final Map<String, String> SOURCE = Map.of(
            "classes.java", "class A{".repeat(DEEP),
            "brackets.py", "(".repeat(10 * DEEP),
            "arrays.js", "[".repeat(DEEP) + "]".repeat(DEEP),
            "generics.ts", "type A = " + "B<".repeat(DEEP),
            "blocks.c", "int main() " + "{".repeat(DEEP) + "}".repeat(DEEP),
            "namespaces.cpp", "namespace a {".repeat(DEEP),
            "modules.rs", "mod a {".repeat(DEEP) + "}".repeat(DEEP),
            "functions.go", "func ".repeat(5 * DEEP),
            "keys.yaml", "a: ".repeat(5 * DEEP),
            "comments.java", "/*".repeat(5 * DEEP));

    /** Made once: packing them takes seconds. */
    private static @Nullable List<Bomb> all;

    private final List<Bomb> bombs = new ArrayList<>();

    /**
     * A hostile file.
     *
     * @param refusal what the refusal says, a regular expression; {@code ""} if it may be read or refused
     */
    record Bomb(String name, byte[] bytes, String refusal) {
        @Override
        public String toString() {
            return name;
        }
    }

    private Bombs() {}

    static synchronized List<Bomb> all() throws IOException {
        if (all == null) {
            all = make();
        }
        return all;
    }

    private static List<Bomb> make() throws IOException {
        Bombs made = new Bombs();
        made.pageTrees();
        made.pdfObjects();
        made.archives();
        made.office();
        made.markup();
        made.data();
        made.media();
        made.source();
        return List.copyOf(made.bombs);
    }

    private void pageTrees() {
        pdf("kids-circle", "circle", "<</Type/Pages/Kids[2 0 R]/Count 2147483647>>");
        pdf(
                "kids-longer-circle",
                "circle",
                "<</Type/Pages/Kids[3 0 R 3 0 R]/Count 99999>>",
                "<</Type/Pages/Parent 2 0 R/Kids[4 0 R 4 0 R]/Count 99999>>",
                "<</Type/Pages/Parent 3 0 R/Kids[2 0 R 3 0 R]/Count 99999>>");
        pdf("kids-many-circles", "circle", "<</Type/Pages/Kids[" + "2 0 R ".repeat(5_000) + "]/Count 99999999>>");
        pdf(
                "parent-circle",
                "circle",
                "<</Type/Pages/Parent 3 0 R/Kids[3 0 R]/Count 1>>",
                "<</Type/Page/Parent 2 0 R>>");
        pdf("own-parent", "circle", "<</Type/Pages/Kids[3 0 R]/Count 1>>", "<</Type/Page/Parent 3 0 R>>");
        pdf("count-lies", "", "<</Type/Pages/Kids[3 0 R]/Count 2147483647>>", "<</Type/Page/Parent 2 0 R>>");
        pdf("count-below-zero", "", "<</Type/Pages/Kids[3 0 R]/Count -5>>", "<</Type/Page/Parent 2 0 R>>");
        pdf(
                "many-times-one-page",
                "more than 100000 pages",
                "<</Type/Pages/Kids[" + "3 0 R ".repeat(100_001) + "]/Count 1>>",
                "<</Type/Page/Parent 2 0 R>>");
        List<String> chain = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            chain.add("<</Type/Pages/Parent " + Math.max(1, i + 1) + " 0 R/Kids[" + (i + 3) + " 0 R]/Count 1>>");
        }
        chain.add("<</Type/Page>>");
        pdf("deep-tree", "deep|circle", chain.toArray(String[]::new));
    }

    private void pdfObjects() throws IOException {
        String page = "<</Type/Pages/Kids[3 0 R]/Count 1>>";
        pdf(
                "outline-circle",
                "",
                page,
                "<</Type/Page/Parent 2 0 R>>",
                "<</First 4 0 R/Last 4 0 R/Next 4 0 R/Count 9>>");
        pdf(
                "form-in-itself",
                "",
                page,
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources 5 0 R>>",
                stream("/F Do ".repeat(20), ""),
                "<</XObject<</F 6 0 R>>>>",
                stream("/F Do ".repeat(20), "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources 5 0 R"));
        pdf(
                "letter-in-itself",
                "",
                page,
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources 5 0 R>>",
                stream("BT /T 9 Tf (aaaaaaaa) Tj ET", ""),
                "<</Font<</T 6 0 R>>>>",
                "<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97/Widths[9]"
                        + "/Encoding<</Differences[97/a]>>/CharProcs<</a 7 0 R>>/Resources 5 0 R>>",
                stream("BT /T 9 Tf (aaaaaaaa) Tj ET", ""));
        for (String filter : List.of("/FlateDecode", "/Fl", "[/FlateDecode/Fl]", "[/AHx/FlateDecode]")) {
            pdf(
                    "packed-" + filter.replaceAll("\\W", "-"),
                    "unpacked it is larger",
                    page,
                    "<</Type/Page/Parent 2 0 R/Contents 4 0 R>>",
                    stream(packed(filter), "/Filter" + filter));
        }
        pdf("contents-circle", "", page, "<</Type/Page/Parent 2 0 R/Contents[4 0 R]>>", "[4 0 R 4 0 R]");
        pdf(
                "length-circle",
                "",
                page,
                "<</Type/Page/Parent 2 0 R/Contents 4 0 R>>",
                "<</Length 4 0 R>>stream\nx\nendstream");
        pdf("reference-circle", "", page, "<</Type/Page/Parent 2 0 R/Contents 4 0 R>>", "5 0 R", "4 0 R");
        pdf("deep-arrays", "", page, "[".repeat(DEEP) + "]".repeat(DEEP));
        pdf("deep-dictionaries", "", page, "<</A ".repeat(DEEP) + ">>".repeat(DEEP));
        pdf("huge-length", "", page, "<</Type/Page/Contents 4 0 R>>", "<</Length 2147483647>>stream\nx\nendstream");
        add(
                "huge-table.pdf",
                "%PDF-1.7\nxref\n0 2147483647\ntrailer<</Size 2147483647/Root 1 0 R>>\nstartxref\n9\n%%EOF",
                "");
        add("table-circle.pdf", "%PDF-1.7\nxref\n0 0\ntrailer<</Prev 9/Root 1 0 R>>\nstartxref\n9\n%%EOF", "");
    }

    private void archives() throws IOException {
        byte[] nested = MadeFiles.zip(Map.of("a.md", MadeFiles.utf8("bottom")));
        for (int i = 0; i < 200; i++) {
            nested = MadeFiles.zip(Map.of("in.txt", nested));
        }
        add("nested-under-other-names.zip", nested, "no document");
        byte[] one = MadeFiles.zip(Map.of("a.md", MadeFiles.utf8("bottom")));
        add("archive-called-text.zip", MadeFiles.zip(Map.of("a.txt", one, "b.pdf", one, "c", one)), "no document");
        add("many-bytes.zip", MadeFiles.zipBomb(100), "unpacked|longer");
        byte[] lies = one.clone();
        ByteBuffer.wrap(lies).putInt(18, -1).putInt(22, -1);
        add("sizes-lie.zip", lies, "");
    }

    private void office() throws IOException {
        add("large.docx", MadeFiles.docxBomb(100), "");
        String open = "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:body>";
        add("deep.docx", ooxml(open + "<w:tbl><w:tr><w:tc>".repeat(DEEP)), "");
        add(
                "deep-closed.docx",
                ooxml(open + "<w:p>".repeat(DEEP) + "</w:p>".repeat(DEEP) + "</w:body></w:document>"),
                "");
        add("laughs.docx", ooxml(laughs()), "");
        add("groups.rtf.doc", "{\\rtf1" + "{".repeat(DEEP) + "x", "");
        add("groups-closed.rtf.doc", "{\\rtf1" + "{\\b ".repeat(DEEP) + "x" + "}".repeat(DEEP) + "}", "");
        add("sheet.xls", MadeFiles.xls("north"), "");
        add("slides.ppt", MadeFiles.ppt("Opening"), "");
        add("slides.pptx", MadeFiles.pptx("Opening"), "");
        add("sheet.xlsx", MadeFiles.xlsx("north"), "");
    }

    private void markup() {
        for (String tag :
                List.of("i", "div", "pre", "table", "blockquote", "ul><li", "svg", "select", "h1", "a href=x")) {
            add("deep-" + tag.replaceAll("\\W", "-") + ".html", ("<" + tag + ">").repeat(DEEP) + "x", "");
        }
        for (String tag : List.of("p", "div", "br", "blockquote", "li", "a href=x", "pre", "h2", "dt", "tr", "td")) {
            String name = tag.replaceAll("\\W.*", "");
            add("wide-" + name + ".html", ("<" + tag + ">x</" + name + ">").repeat(DEEP), "");
        }
        add("wide-mixture.html", "<p>a<br>b</p>c<br><blockquote>d</blockquote><div>e</div>".repeat(DEEP / 2), "");
        add("wide-cell.html", "<table><tr><th>a<th>b<tr><td>" + "x<br>".repeat(5 * DEEP) + "<td>c</table>", "");
        add("wide-table.md", "|a".repeat(5 * DEEP) + "|\n" + "|---".repeat(5 * DEEP) + "|\n", "");
        add("wide-columns.csv", "a,".repeat(5 * DEEP) + "\n" + "1,".repeat(5 * DEEP) + "\n", "");
        add("marks.html", "tableinhere" + "x".repeat(5 * DEEP), "");
        add("tables.html", "<table><tr><td>".repeat(DEEP / 4) + "x", "");
        add("attributes.html", "<a " + "x=y ".repeat(DEEP) + ">x", "");
        add("deep.xml", "<a>".repeat(DEEP) + "</a>".repeat(DEEP), "");
        add("laughs.xml", laughs(), "");
        add("attributes.xml", "<a " + "x='y' ".repeat(DEEP) + "/>", "");
        add("deep.md", "> ".repeat(DEEP) + "x\n" + "* ".repeat(DEEP) + "x\n" + "[".repeat(DEEP), "");
        add("emphasis.md", "*_".repeat(DEEP) + "\n" + "`".repeat(DEEP), "");
    }

    private void data() {
        // Each line is written with an indentation of its depth.
        add("indented.json", "[".repeat(999) + "1,".repeat(200_000) + "1" + "]".repeat(999), "longer than");
        add("deep.json", "{\"a\":".repeat(DEEP), "not valid JSON");
        add("long-number.json", "[" + "9".repeat(1 << 20) + "]", "");
        add("wide-record.csv", ",".repeat(1 << 20) + "\n".repeat(DEEP), "");
        add("quotes.csv", "\"\"".repeat(1 << 20) + "\n\"", "");
        add("rare.txt", "\u0000\uFFFE".repeat(DEEP), "");
    }

    private void source() {
        SOURCE.forEach((name, text) -> add(name, text, ""));
    }

    private void media() throws IOException {
        for (String format : List.of("png", "jpg", "gif", "bmp")) {
            add("blank." + format, MadeFiles.image(format), "holds no text");
        }
        add("unpacks.png", png(64 << 20), "");
        add("song.mp3", MadeFiles.mp3("Song"), "");
        add("silent.wav", MadeFiles.wav(), "");
        add("huge-box.m4a", box("ftypM4A \0\0\0\0", 20) + box("moov", 0x7FFF_FFFF) + box("udta", 0x7FFF_FFF0), "");
        add(
                "deep-box.m4a",
                box("ftypM4A \0\0\0\0", 20) + box("moov", 0x0100_0000).repeat(DEEP),
                "");
        add("huge-chunk.webp", "RIFF\u00ff\u00ff\u00ff\u007fWEBPVP8X\u00ff\u00ff\u00ff\u007fEXIF", "");
        add("huge-chunk.wav", "RIFF\u00ff\u00ff\u00ff\u007fWAVEfmt \u00ff\u00ff\u00ff\u007fdata", "");
        add("huge-page.ogg", "OggS\0\u0002" + "\u00ff".repeat(300), "");
        add("huge-tag.mp3", "ID3\u0003\0\0\u007f\u007f\u007f\u007fTIT2\u007f\u007f\u007f\u007f\0\0x", "");
    }

    /** The objects are numbered from 2; 1 is the catalogue. */
    private void pdf(String name, String refusal, String... objects) {
        StringBuilder text = new StringBuilder("%PDF-1.7\n");
        List<Integer> places = new ArrayList<>();
        List<String> all = new ArrayList<>(List.of("<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R>>"));
        all.addAll(Arrays.asList(objects));
        for (String object : all) {
            places.add(text.length());
            text.append(places.size()).append(" 0 obj").append(object).append("endobj\n");
        }
        int table = text.length();
        text.append("xref\n0 ").append(places.size() + 1).append("\n0000000000 65535 f \n");
        places.forEach(place -> text.append("%010d 00000 n \n".formatted(place)));
        text.append("trailer<</Size ").append(places.size() + 1).append("/Root 1 0 R>>\nstartxref\n");
        add(name + ".pdf", text.append(table).append("\n%%EOF").toString(), refusal);
        if (!name.startsWith("deep")) {
            // Without its table the library puts the file together again.
            add(name + "-without-table.pdf", text.substring(0, table) + "trailer<</Root 1 0 R>>", "");
        }
    }

    private static String stream(String content, String more) {
        return "<</Length " + content.length() + more + ">>stream\n" + content + "\nendstream ";
    }

    /** 64 MB of blanks. */
    private static String packed(String filter) throws IOException {
        byte[] packed = deflated(MadeFiles.utf8(" ".repeat(64 << 20)));
        packed = filter.contains("/Fl]") ? deflated(packed) : packed;
        return filter.contains("AHx")
                ? HexFormat.of().formatHex(packed) + ">"
                : new String(packed, StandardCharsets.ISO_8859_1);
    }

    private static byte[] deflated(byte[] bytes) throws IOException {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        try (DeflaterOutputStream packed = new DeflaterOutputStream(written)) {
            packed.write(bytes);
        }
        return written.toByteArray();
    }

    private static byte[] ooxml(String document) throws IOException {
        return MadeFiles.zip(Map.of(
                "[Content_Types].xml",
                MadeFiles.utf8("<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'><Default"
                        + " Extension='rels' ContentType='application/vnd.openxmlformats-package.relationships+xml'/>"
                        + "<Override PartName='/word/document.xml' ContentType='application/vnd.openxmlformats-"
                        + "officedocument.wordprocessingml.document.main+xml'/></Types>"),
                "_rels/.rels",
                MadeFiles.utf8("<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>"
                        + "<Relationship Id='r' Type='http://schemas.openxmlformats.org/officeDocument/2006/"
                        + "relationships/officeDocument' Target='word/document.xml'/></Relationships>"),
                "word/document.xml",
                MadeFiles.utf8(document)));
    }

    private static String laughs() {
        StringBuilder text = new StringBuilder("<!DOCTYPE a [<!ENTITY e0 'ha'>");
        for (int i = 1; i < 30; i++) {
            text.append("<!ENTITY e")
                    .append(i)
                    .append(" '")
                    .append(("&e" + (i - 1) + ";").repeat(10))
                    .append("'>");
        }
        return text.append("]><a>&e29;</a>").toString();
    }

    private static String box(String type, int size) {
        return new String(ByteBuffer.allocate(4).putInt(size).array(), StandardCharsets.ISO_8859_1) + type;
    }

    /** Its compressed words become {@code size} bytes. */
    private static byte[] png(int size) throws IOException {
        ByteArrayOutputStream words = new ByteArrayOutputStream();
        words.write(MadeFiles.utf8("Title\0\0"));
        try (DeflaterOutputStream packed = new DeflaterOutputStream(words)) {
            packed.write(new byte[size]);
        }
        byte[] image = MadeFiles.image("png");
        int header = 33; // after the signature and IHDR
        ByteBuffer whole = ByteBuffer.allocate(image.length + words.size() + 12);
        whole.put(image, 0, header).putInt(words.size());
        byte[] chunk = ByteBuffer.allocate(words.size() + 4)
                .put(MadeFiles.utf8("zTXt"))
                .put(words.toByteArray())
                .array();
        CRC32 sum = new CRC32();
        sum.update(chunk);
        return whole.put(chunk)
                .putInt((int) sum.getValue())
                .put(image, header, image.length - header)
                .array();
    }

    private void add(String name, String latin, String refusal) {
        add(name, latin.getBytes(StandardCharsets.ISO_8859_1), refusal);
    }

    private void add(String name, byte[] bytes, String refusal) {
        bombs.add(new Bomb(name, bytes, refusal));
    }
}
