package switchboard.convert;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jsoup.nodes.Element;

/**
 * Adds to the tables of a converted Word document how many columns each cell spans, which the library leaves out: it is read
 * from the document's main part. Tables are matched by their order and the number of cells in each row; what does not match
 * stays as it is.
 */
final class DocxSpans {
    private static final String MAIN_PART = "word/document.xml";

    /** For each table the cells of its rows, each with its number of columns. */
    private final List<List<List<Integer>>> tables = new ArrayList<>();

    private final Deque<List<List<Integer>>> open = new ArrayDeque<>();
    private boolean spans;

    private DocxSpans() {}

    /** Adds the numbers of columns of {@code docx} to {@code body}, which was made from it. */
    static void add(byte[] docx, Element body, ConvertLimits limits) throws ConvertException {
        DocxSpans found = new DocxSpans();
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(docx))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (entry.getName().equals(MAIN_PART)) {
                    found.read(zip, limits);
                    break;
                }
            }
        } catch (IOException | XMLStreamException | IllegalArgumentException e) {
            TemporaryFileCheck.check(e);
            return; // the library has read it; only merged cells remain unknown
        }
        if (found.spans) {
            found.mark(body);
        }
    }

    private void read(InputStream part, ConvertLimits limits) throws XMLStreamException, ConvertException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        XMLStreamReader reader = factory.createXMLStreamReader(part);
        while (reader.hasNext()) {
            limits.check();
            int event = reader.next();
            if (event == XMLStreamConstants.START_ELEMENT) {
                begin(reader);
            } else if (event == XMLStreamConstants.END_ELEMENT
                    && reader.getLocalName().equals("tbl")
                    && !open.isEmpty()) {
                open.pop();
            }
        }
    }

    private void begin(XMLStreamReader reader) {
        switch (reader.getLocalName()) {
            case "tbl" -> {
                open.push(new ArrayList<>());
                tables.add(open.peek());
            }
            case "tr" -> rowsOfOpen().add(new ArrayList<>());
            case "tc" -> lastRow().add(1);
            case "gridSpan" -> {
                List<Integer> row = lastRow();
                String columns = String.valueOf(reader.getAttributeValue(reader.getNamespaceURI(), "val"));
                if (!row.isEmpty() && columns.matches("\\d{1,3}")) {
                    row.set(row.size() - 1, Integer.parseInt(columns));
                    spans = true;
                }
            }
            default -> {}
        }
    }

    private List<List<Integer>> rowsOfOpen() {
        return open.isEmpty() ? new ArrayList<>() : open.peek();
    }

    private List<Integer> lastRow() {
        List<List<Integer>> rows = rowsOfOpen();
        return rows.isEmpty() ? new ArrayList<>() : rows.getLast();
    }

    private void mark(Element body) {
        Iterator<Element> candidates = body.select("table").iterator();
        for (List<List<Integer>> table : tables) {
            boolean matched = false;
            while (!matched && candidates.hasNext()) {
                matched = matches(candidates.next(), table);
            }
        }
    }

    private static boolean matches(Element converted, List<List<Integer>> table) {
        List<Element> rows = HtmlTables.rows(converted);
        if (rows.size() != table.size()) {
            return false;
        }
        for (int i = 0; i < rows.size(); i++) {
            if (HtmlTables.cells(rows.get(i)).size() != table.get(i).size()) {
                return false;
            }
        }
        for (int i = 0; i < rows.size(); i++) {
            List<Element> cells = HtmlTables.cells(rows.get(i));
            for (int k = 0; k < cells.size(); k++) {
                cells.get(k).attr("colspan", String.valueOf(table.get(i).get(k)));
            }
        }
        return true;
    }
}
