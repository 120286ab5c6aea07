package switchboard.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import org.apache.poi.xslf.usermodel.XMLSlideShow;
import org.apache.poi.xslf.usermodel.XSLFTable;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;
import org.apache.poi.xwpf.usermodel.XWPFDocument;
import org.apache.poi.xwpf.usermodel.XWPFTable;
import org.apache.poi.xwpf.usermodel.XWPFTableCell;
import org.apache.poi.xwpf.usermodel.XWPFTableRow;
import org.junit.jupiter.api.Test;

/** Tables of documents as Markdown. */
class TablesTest {
    private final Converter converter = new DocumentConverter();

    private String converted(String name, byte[] bytes) throws ConvertException {
        return converter
                .convert(new RawDocument(bytes, name, null), ConvertLimits.STANDARD)
                .text()
                .strip();
    }

    private String html(String page) throws ConvertException {
        return converted("page.html", MadeFiles.utf8(page));
    }

    /** What writes a Word document. */
    private interface Content {
        void write(XWPFDocument document) throws IOException;
    }

    private String docx(Content content) throws IOException, ConvertException {
        try (XWPFDocument document = new XWPFDocument()) {
            content.write(document);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            document.write(out);
            return converted("tables.docx", out.toByteArray());
        }
    }

    private static XWPFTable table(XWPFDocument document, String[]... rows) {
        XWPFTable table = document.createTable(rows.length, rows[0].length);
        for (int row = 0; row < rows.length; row++) {
            for (int column = 0; column < rows[row].length; column++) {
                table.getRow(row).getCell(column).setText(rows[row][column]);
            }
        }
        return table;
    }

    private static void span(XWPFTableCell cell, int columns) {
        cell.getCTTc().addNewTcPr().addNewGridSpan().setVal(BigInteger.valueOf(columns));
    }

    @Test
    void aTableOfAWordDocumentHasItsFirstRowAsNamesAndItsPipesEscaped() throws IOException, ConvertException {
        assertEquals("""
                Before

                | Größe\\|Maß | 名前 |  |
                | --- | --- | --- |
                | a b second | 1\\|2 | x |
                |  | c | d |

                After""", docx(document -> {
            document.createParagraph().createRun().setText("Before");
            XWPFTable table = table(
                    document, new String[] {"Größe|Maß", "名前", ""}, new String[] {"a\nb", "1|2", "x"}, new String[] {
                        "", "c", "d"
                    });
            table.getRow(1).getCell(0).addParagraph().createRun().setText("second");
            document.createParagraph().createRun().setText("After");
        }));
    }

    @Test
    void mergedCellsOfAWordDocumentKeepTheColumnsInLine() throws IOException, ConvertException {
        assertEquals("""
                | Year | Sales | Sales |
                | --- | --- | --- |
                | 2024 | 1 | 2 |
                | all years |  | 3 |""", docx(document -> {
            XWPFTable table =
                    table(document, new String[] {"Year", "Sales", ""}, new String[] {"2024", "1", "2"}, new String[] {
                        "all years", "3", ""
                    });
            span(table.getRow(0).getCell(1), 2);
            table.getRow(0).removeCell(2);
            span(table.getRow(2).getCell(0), 2);
            table.getRow(2).removeCell(2);
        }));
    }

    @Test
    void aTableInACellBecomesTextOfTheCell() throws IOException, ConvertException {
        assertEquals("| H1 | H2 |\n| --- | --- |\n| v1 | i1, i2; j1, j2 |", docx(document -> {
            XWPFTable outer = table(document, new String[] {"H1", "H2"}, new String[] {"v1", ""});
            XWPFTableCell cell = outer.getRow(1).getCell(1);
            XWPFTable inner =
                    cell.insertNewTbl(cell.getParagraphs().getFirst().getCTP().newCursor());
            XWPFTableRow first = inner.createRow();
            first.createCell().setText("i1");
            first.createCell().setText("i2");
            XWPFTableRow second = inner.createRow();
            second.getCell(0).setText("j1");
            second.getCell(1).setText("j2");
        }));
    }

    @Test
    void aSheetHasItsTitleAboveItsNamesAndNoEmptyColumns() throws IOException, ConvertException {
        try (XSSFWorkbook book = new XSSFWorkbook()) {
            var sheet = book.createSheet("Städte");
            sheet.createRow(0).createCell(1).setCellValue("As of May");
            String[][] rows = {{"Stadt", "Land", "Einwohner"}, {"Köln", "DE", "1,1"}, {"Graz", "AT", ""}};
            for (int row = 0; row < rows.length; row++) {
                for (int column = 0; column < 3; column++) {
                    sheet.createRow(row + 2).createCell(0);
                }
                for (int column = 0; column < 3; column++) {
                    sheet.getRow(row + 2).createCell(column + 1).setCellValue(rows[row][column]);
                }
            }
            book.createSheet("Empty");
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            book.write(out);
            assertEquals("""
                    # Städte

                    As of May

                    | Stadt | Land | Einwohner |
                    | --- | --- | --- |
                    | Köln | DE | 1,1 |
                    | Graz | AT |  |

                    # Empty""", converted("a.xlsx", out.toByteArray()));
        }
    }

    @Test
    void aTableOnASlideIsOneToo() throws IOException, ConvertException {
        try (XMLSlideShow show = new XMLSlideShow()) {
            XSLFTable table = show.createSlide().createTable(2, 2);
            table.getCell(0, 0).setText("Port|Name");
            table.getCell(0, 1).setText("Use");
            table.getCell(1, 0).setText("8080");
            table.getCell(1, 1).setText("agents");
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            show.write(out);
            assertEquals(
                    "| Port\\|Name | Use |\n| --- | --- |\n| 8080 | agents |", converted("a.pptx", out.toByteArray()));
        }
    }

    @Test
    void namesInSeveralRowsBecomeOneRowAndCellsThatSpanRowsAreRepeated() throws ConvertException {
        assertEquals("""
                Ports

                | Name | Range / from | Range / to |
                | --- | --- | --- |
                | a | 1 | [2](http://x.test/) |
                | a | 3 | `4` |""", html("""
                <table><caption>Ports</caption>
                <thead><tr><th rowspan=2>Name</th><th colspan=2>Range</th></tr><tr><th>from</th><th>to</th></tr></thead>
                <tr><td rowspan=9>a</td><td>1</td><td><a href="http://x.test/">2</a></td></tr>
                <tr><td>3</td><td><code>4</code></td></tr></table>"""));
    }

    @Test
    void numbersAloneAreNoNames() throws ConvertException {
        String blank = "|  |  |\n| --- | --- |\n";
        assertEquals(blank + "| 1.5 | -2 % |\n| 3 | 4 |", html("<table><tr><td>1.5<td>-2 %<tr><td>3<td>4</table>"));
        assertEquals(blank + "| 1 | 2 |\n| 3 | 4 |", converted("a.csv", MadeFiles.utf8("1,2\n3,4\n")));
        assertEquals(
                "| Land | 1990 |\n| --- | --- |\n| DE | 4 |", converted("a.csv", MadeFiles.utf8("Land,1990\nDE,4\n")));
        assertEquals(
                blank + "| 1 | 2 |", html("<table><tr><th></th><th></th></tr><tr><td>1<td>2</table>"), "empty names");
    }

    @Test
    void thereAreAsManyNamesAsTheLongestRowHasCells() throws ConvertException {
        assertEquals(
                "| a |  |  |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 4 |",
                converted("a.csv", MadeFiles.utf8("a\n1,2,3\n4\n")));
    }

    @Test
    void aTableThatArrangesAPageIsNone() throws ConvertException {
        String page =
                html("<table><tr><td><h2>Left</h2><p>one</p></td><td><table><tr><th>k<th>v<tr><td>1<td>2</table>");
        assertEquals("## Left\n\none  \n\n| k | v |\n| --- | --- |\n| 1 | 2 |", page);
    }

    @Test
    void aTableInAListOrQuotationStaysInIt() throws ConvertException {
        assertEquals(
                "* item\n\n  | q | w |\n  | --- | --- |\n  | 1 | 2 |\n\n  after",
                html("<ul><li>item<table><tr><th>q<th>w<tr><td>1<td>2</table>after</li></ul>"));
        assertTrue(
                html("<p>tableinhere0e</p><table><tr><th>q<tr><td>tableinherex0e</table>")
                        .startsWith("tableinhere0e\n\n| q |"),
                "words that look like the converter's own mark");
    }

    @Test
    void spansThatWouldFillTheMemoryCountForNothing() throws ConvertException {
        StringBuilder page = new StringBuilder("<table><tr><th colspan=99999 rowspan=65534>n</th></tr>");
        page.append("<tr><td colspan=1000 rowspan=65000>x</td></tr>".repeat(20_000));
        String text = html(page.append("</table>").toString());
        assertTrue(text.length() < 20_000_000, () -> "characters: " + text.length());
    }

    @Test
    void aTableThatIsLongerThanAllowedIsRefused() {
        byte[] csv = MadeFiles.utf8("name,value\n" + "a,b\n".repeat(5000));
        ConvertLimits few = new ConvertLimits(1000, 1 << 20, () -> false);
        assertThrows(ConvertException.class, () -> converter.convert(new RawDocument(csv, "a.csv", null), few));
        assertFalse(csv.length < 1000);
    }
}
