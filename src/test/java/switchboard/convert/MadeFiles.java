package switchboard.convert;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;
import javax.sound.sampled.AudioFileFormat;
import javax.sound.sampled.AudioFormat;
import javax.sound.sampled.AudioInputStream;
import javax.sound.sampled.AudioSystem;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.PDResources;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.common.PDStream;
import org.apache.pdfbox.pdmodel.encryption.AccessPermission;
import org.apache.pdfbox.pdmodel.encryption.StandardProtectionPolicy;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;
import org.apache.pdfbox.pdmodel.graphics.form.PDFormXObject;
import org.apache.poi.hslf.usermodel.HSLFSlideShow;
import org.apache.poi.hslf.usermodel.HSLFTextBox;
import org.apache.poi.hssf.usermodel.HSSFWorkbook;
import org.apache.poi.poifs.crypt.EncryptionInfo;
import org.apache.poi.poifs.crypt.EncryptionMode;
import org.apache.poi.poifs.crypt.Encryptor;
import org.apache.poi.poifs.filesystem.POIFSFileSystem;
import org.apache.poi.ss.usermodel.Row;
import org.apache.poi.ss.usermodel.Sheet;
import org.apache.poi.ss.usermodel.Workbook;
import org.apache.poi.xslf.usermodel.XMLSlideShow;
import org.apache.poi.xslf.usermodel.XSLFTextBox;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;
import org.apache.poi.xwpf.usermodel.XWPFDocument;
import org.apache.poi.xwpf.usermodel.XWPFParagraph;
import org.apache.poi.xwpf.usermodel.XWPFTable;
import org.jspecify.annotations.Nullable;

/** Documents in the formats that are not text, made in memory. */
public final class MadeFiles {
    private MadeFiles() {}

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A PDF with these texts, one on each page; null for a page without any. */
    public static byte[] pdf(String... pages) throws IOException {
        try (PDDocument document = written(pages)) {
            document.getDocumentInformation().setTitle("A PDF");
            return saved(document);
        }
    }

    static byte[] protectedPdf(String text) throws IOException {
        try (PDDocument document = written(text)) {
            document.protect(new StandardProtectionPolicy("owner", "user", new AccessPermission()));
            return saved(document);
        }
    }

    /** A PDF that opens without a password but is encrypted. */
    static byte[] restrictedPdf(String text) throws IOException {
        try (PDDocument document = written(text)) {
            document.protect(new StandardProtectionPolicy("owner", "", new AccessPermission()));
            return saved(document);
        }
    }

    /** A page that draws a form ten times, which draws another one ten times, and so on: 10 to the {@code depth} drawings. */
    static byte[] pdfOfForms(int depth) throws IOException {
        try (PDDocument document = new PDDocument()) {
            PDFormXObject inner = form(document, "q Q\n".repeat(10), null);
            for (int i = 1; i < depth; i++) {
                inner = form(document, "/Inner Do\n".repeat(10), inner);
            }
            PDPage page = new PDPage();
            page.setResources(new PDResources());
            page.getResources().put(COSName.getPDFName("Inner"), inner);
            page.setContents(new PDStream(document, new ByteArrayInputStream(utf8("/Inner Do\n".repeat(10)))));
            document.addPage(page);
            return saved(document);
        }
    }

    private static PDFormXObject form(PDDocument document, String drawing, @Nullable PDFormXObject inner)
            throws IOException {
        PDFormXObject form = new PDFormXObject(new PDStream(document, new ByteArrayInputStream(utf8(drawing))));
        form.setBBox(new PDRectangle(100, 100));
        form.setResources(new PDResources());
        if (inner != null) {
            form.getResources().put(COSName.getPDFName("Inner"), inner);
        }
        return form;
    }

    /** A PDF with a page that unpacks to {@code size} bytes. */
    static byte[] pdfBomb(int size) throws IOException {
        try (PDDocument document = new PDDocument()) {
            PDPage page = new PDPage();
            byte[] blanks = new byte[size];
            Arrays.fill(blanks, (byte) ' ');
            page.setContents(new PDStream(
                    document, new ByteArrayInputStream(blanks), org.apache.pdfbox.cos.COSName.FLATE_DECODE));
            document.addPage(page);
            return saved(document);
        }
    }

    private static PDDocument written(String... pages) throws IOException {
        PDDocument document = new PDDocument();
        for (String text : pages) {
            PDPage page = new PDPage();
            document.addPage(page);
            try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                content.beginText();
                content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA), 12);
                content.newLineAtOffset(50, 700);
                content.showText(text);
                content.endText();
            }
        }
        return document;
    }

    private static byte[] saved(PDDocument document) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        document.save(out);
        return out.toByteArray();
    }

    public static byte[] docx(String heading, String text) throws IOException {
        try (XWPFDocument document = new XWPFDocument()) {
            XWPFParagraph title = document.createParagraph();
            title.setStyle("Heading1");
            title.createRun().setText(heading);
            document.createParagraph().createRun().setText(text);
            XWPFTable table = document.createTable(2, 2);
            table.getRow(0).getCell(0).setText("left");
            table.getRow(1).getCell(1).setText("right");
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            document.write(out);
            return out.toByteArray();
        }
    }

    static byte[] protectedDocx(String text) throws IOException, GeneralSecurityException {
        try (POIFSFileSystem container = new POIFSFileSystem()) {
            Encryptor encryptor = new EncryptionInfo(EncryptionMode.agile).getEncryptor();
            encryptor.confirmPassword("secret");
            try (var out = encryptor.getDataStream(container)) {
                out.write(docx("Heading", text));
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            container.writeFilesystem(out);
            return out.toByteArray();
        }
    }

    public static byte[] pptx(String... slides) throws IOException {
        try (XMLSlideShow show = new XMLSlideShow()) {
            for (String text : slides) {
                XSLFTextBox box = show.createSlide().createTextBox();
                box.setText(text);
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            show.write(out);
            return out.toByteArray();
        }
    }

    static byte[] ppt(String... slides) throws IOException {
        try (HSLFSlideShow show = new HSLFSlideShow()) {
            for (String text : slides) {
                HSLFTextBox box = show.createSlide().createTextBox();
                box.setText(text);
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            show.write(out);
            return out.toByteArray();
        }
    }

    public static byte[] xlsx(String... cells) throws IOException {
        try (Workbook book = new XSSFWorkbook()) {
            return filled(book, cells);
        }
    }

    static byte[] xls(String... cells) throws IOException {
        try (Workbook book = new HSSFWorkbook()) {
            return filled(book, cells);
        }
    }

    private static byte[] filled(Workbook book, String... cells) throws IOException {
        Sheet sheet = book.createSheet("Figures");
        for (int i = 0; i < cells.length; i++) {
            Row row = sheet.createRow(i);
            row.createCell(0).setCellValue(cells[i]);
            row.createCell(1).setCellValue(i * 1.5);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        book.write(out);
        return out.toByteArray();
    }

    public static byte[] zip(Map<String, byte[]> entries) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
                zip.closeEntry();
            }
        }
        return out.toByteArray();
    }

    /** An archive of {@code megabytes} of blanks. */
    static byte[] zipBomb(int megabytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] blanks = new byte[1 << 20];
        Arrays.fill(blanks, (byte) ' ');
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("blank.txt"));
            for (int i = 0; i < megabytes; i++) {
                zip.write(blanks);
            }
            zip.closeEntry();
        }
        return out.toByteArray();
    }

    /** A Word document whose text part unpacks to {@code megabytes}. */
    static byte[] docxBomb(int megabytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] blanks = new byte[1 << 20];
        Arrays.fill(blanks, (byte) 'a');
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("[Content_Types].xml"));
            zip.write(utf8("<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">"
                    + "<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
                    + "<Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument"
                    + ".wordprocessingml.document.main+xml\"/></Types>"));
            zip.closeEntry();
            zip.putNextEntry(new ZipEntry("_rels/.rels"));
            zip.write(utf8("<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">"
                    + "<Relationship Id=\"r1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
                    + "officeDocument\" Target=\"word/document.xml\"/></Relationships>"));
            zip.closeEntry();
            zip.putNextEntry(new ZipEntry("word/document.xml"));
            zip.write(
                    utf8("<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body>"
                            + "<w:p><w:r><w:t>"));
            for (int i = 0; i < megabytes; i++) {
                zip.write(blanks);
            }
            zip.write(utf8("</w:t></w:r></w:p></w:body></w:document>"));
            zip.closeEntry();
        }
        return out.toByteArray();
    }

    static byte[] image(String format) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ImageIO.write(new BufferedImage(4, 4, BufferedImage.TYPE_INT_RGB), format, out);
        return out.toByteArray();
    }

    static byte[] wav() throws IOException {
        AudioFormat format = new AudioFormat(8000, 8, 1, true, false);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        AudioSystem.write(
                new AudioInputStream(new ByteArrayInputStream(new byte[800]), format, 800),
                AudioFileFormat.Type.WAVE,
                out);
        return out.toByteArray();
    }

    /** A recording without sound but with an ID3 version 2.3 tag. */
    static byte[] mp3(String title) throws IOException {
        byte[] words = title.getBytes(StandardCharsets.ISO_8859_1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int frame = 10 + 1 + words.length;
        out.write(utf8("ID3"));
        out.write(new byte[] {3, 0, 0, 0, 0, (byte) (frame >> 7), (byte) (frame & 127)});
        out.write(utf8("TIT2"));
        out.write(new byte[] {0, 0, 0, (byte) (words.length + 1), 0, 0, 0});
        out.write(words);
        out.write(new byte[] {(byte) 0xFF, (byte) 0xFB, (byte) 0x90, 0x44});
        out.write(new byte[417 * 3]);
        return out.toByteArray();
    }

    static byte[] truncated(byte[] whole) {
        return Arrays.copyOf(whole, whole.length / 2);
    }
}
