package switchboard.convert;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.Elements;

/**
 * Writes the tables of an HTML document as Markdown. Each is taken out of the document before the rest is converted, and its
 * text is put in its place afterwards. A cell that spans rows is repeated in each, so that each row is complete; a table
 * inside a cell becomes text; a table that only arranges parts of a page is dissolved. One instance for one document.
 */
final class HtmlTables {
    /** Wider cells are taken for mistakes. */
    private static final int MAX_SPAN = 50;

    /** Cells that spans may add to one table; what would add more counts as one cell. */
    private static final int MAX_ADDED = 1 << 18;

    private static final String BLOCKS = "h1, h2, h3, h4, h5, h6, p + p, ul, ol, pre, td table, th table, blockquote";
    private static final String MARKED =
            "a, code, b, strong, i, em, del, img, li, pre, table, br, h1, h2, h3, h4, h5, h6";

    private final Function<Element, String> markdown;
    private final List<String> texts = new ArrayList<>();

    /** Stands for a table. It is random, so that no page can contain it and get a table inserted many times. */
    private final String mark = "table" + UUID.randomUUID().toString().replace("-", "") + "n";

    /**
     * Takes all tables out of {@code body}.
     *
     * @param markdown converts the content of a cell
     */
    HtmlTables(Element body, Function<Element, String> markdown) {
        this.markdown = markdown;
        takeFrom(body);
    }

    private void takeFrom(Element body) {
        List<Element> taken = new ArrayList<>();
        Set<Element> inside = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Element table : body.select("table")) {
            if (inside.contains(table)) {
                continue; // it went with the one around it
            }
            if (arranges(table)) {
                dissolve(table);
            } else {
                inside.addAll(table.select("table"));
                taken.add(table);
            }
        }
        // Not while the tables are looked at: after each change jsoup lists the elements beside it anew.
        for (Element table : taken) {
            table.replaceWith(new Element("p").text(mark + texts.size() + "e"));
            texts.add(written(table));
        }
    }

    /** The text of the document with its tables. */
    String putInto(String converted) {
        if (texts.isEmpty()) {
            return converted;
        }
        Pattern place = Pattern.compile(mark + "(\\d+)e");
        StringBuilder out = new StringBuilder();
        converted.lines().forEach(line -> {
            Matcher places = place.matcher(line);
            int at = 0;
            while (places.find()) {
                String before = line.substring(at, places.start());
                // In a list or a quotation each row has to begin like the line.
                String margin = MarkdownLinePrefix.of(line);
                out.append(before.equals(margin) ? "" : before.stripTrailing() + "\n");
                out.append(afterBlankLine(out) ? "" : margin.stripTrailing() + "\n");
                texts.get(Integer.parseInt(places.group(1)))
                        .lines()
                        .forEach(row -> out.append(margin).append(row).append('\n'));
                at = places.end();
            }
            if (at == 0 || !line.substring(at).isBlank()) {
                out.append(at == 0 ? "" : "\n").append(line, at, line.length()).append('\n');
            }
        });
        return out.toString();
    }

    private static boolean afterBlankLine(StringBuilder out) {
        int line = out.length() < 2 ? -1 : out.lastIndexOf("\n", out.length() - 2);
        return MarkdownLinePrefix.only(out.substring(line + 1));
    }

    /** Whether a table arranges parts of a page, which have headings, lists or tables of their own. */
    private static boolean arranges(Element table) {
        String role = table.attr("role");
        if (role.equals("presentation") || role.equals("none")) {
            return true;
        }
        List<Element> rows = rows(table);
        boolean column = rows.stream().allMatch(row -> cells(row).size() <= 1);
        return column
                ? table.selectFirst(BLOCKS) != null && !rows.isEmpty()
                : table.selectFirst("td h1, td h2") != null;
    }

    private static void dissolve(Element table) {
        rows(table).forEach(row -> {
            cells(row).forEach(cell -> cell.tagName("div"));
            row.tagName("div");
        });
        table.children().forEach(part -> part.tagName("div"));
        table.tagName("div");
    }

    /** Rows of the table itself, not of tables inside it. */
    static List<Element> rows(Element table) {
        List<Element> rows = new ArrayList<>();
        for (Element child : table.children()) {
            switch (child.normalName()) {
                case "tr" -> rows.add(child);
                case "thead", "tbody", "tfoot" ->
                    child.children().stream()
                            .filter(row -> row.normalName().equals("tr"))
                            .forEach(rows::add);
                default -> {}
            }
        }
        return rows;
    }

    static Elements cells(Element row) {
        return row.children().stream()
                .filter(cell ->
                        cell.normalName().equals("td") || cell.normalName().equals("th"))
                .collect(Collectors.toCollection(Elements::new));
    }

    private String written(Element table) {
        StringBuilder out = new StringBuilder();
        Element caption = table.selectFirst("> caption");
        if (caption != null && !caption.text().isBlank()) {
            out.append(caption.text()).append("\n\n");
        }
        List<Element> sources = rows(table);
        titles(sources, out);
        guessNames(table, sources);
        int named = named(sources);
        List<List<String>> rows = new Grid().of(sources);
        rows.subList(Math.min(named, rows.size()), rows.size())
                .removeIf(row -> row.stream().allMatch(String::isBlank));
        withoutEmptyColumns(rows);
        if (rows.isEmpty() || rows.getFirst().isEmpty()) {
            return out.toString().strip();
        }
        int heads = Math.min(named, rows.size());
        int width = rows.stream().mapToInt(List::size).max().orElse(0);
        MarkdownTable written = new MarkdownTable(out).head(MarkdownTable.joined(rows.subList(0, heads)), width);
        rows.subList(heads, rows.size()).forEach(written::row);
        return out.toString().strip();
    }

    /** How many rows at the top are names of columns, as the document marks them. */
    private static int named(List<Element> rows) {
        int named = 0;
        for (Element row : rows) {
            Elements cells = cells(row);
            boolean marked = row.parent() != null && row.parent().normalName().equals("thead");
            boolean heads = !cells.isEmpty()
                    && cells.stream().allMatch(cell -> cell.normalName().equals("th"));
            if (!marked && !heads) {
                break;
            }
            named++;
        }
        return named;
    }

    /** Above the column names of a spreadsheet there is often a line with a title alone, which is no row. */
    private static void titles(List<Element> rows, StringBuilder out) {
        if (named(rows) > 0) {
            return;
        }
        rows.removeIf(row -> row.text().isBlank());
        while (rows.size() > 2 && title(rows.getFirst(), rows.get(1))) {
            out.append(rows.removeFirst().text()).append("\n\n");
        }
    }

    private static boolean title(Element row, Element next) {
        Elements cells = cells(row);
        boolean alone = cells.stream().filter(cell -> !cell.text().isBlank()).count() == 1;
        return alone && !cells.getLast().text().isBlank() && cells(next).size() > cells.size();
    }

    /** Office documents mark no names, and many pages do not either. */
    private static void guessNames(Element table, List<Element> rows) {
        if (rows.size() > 1 && table.selectFirst("thead, th") == null) {
            Elements first = cells(rows.getFirst());
            if (MarkdownTable.names(first.eachText())) {
                first.tagName("th");
            }
        }
    }

    private static void withoutEmptyColumns(List<List<String>> rows) {
        int width = rows.stream().mapToInt(List::size).max().orElse(0);
        for (int column = width - 1; column >= 0; column--) {
            int at = column;
            if (rows.stream().noneMatch(row -> at < row.size() && !row.get(at).isBlank())) {
                rows.stream().filter(row -> at < row.size()).forEach(row -> row.remove(at));
            }
        }
    }

    private String content(Element cell) {
        cell.select("table").forEach(HtmlTables::flatten);
        if (cell.selectFirst(MARKED) == null) {
            return cell.text();
        }
        cell.select("br").forEach(end -> end.replaceWith(new TextNode(" ")));
        cell.select("h1, h2, h3, h4, h5, h6").tagName("p");
        cell.select("li").forEach(item -> item.append("; ").tagName("span"));
        cell.select("ul, ol").tagName("p");
        cell.select("pre").forEach(code -> code.replaceWith(new Element("code").text(code.text())));
        return markdown.apply(cell.clone().tagName("div")).strip().replaceFirst(";$", "");
    }

    /** Cells separated by commas, rows by semicolons. */
    private static void flatten(Element nested) {
        String text = rows(nested).stream()
                .map(row -> cells(row).stream()
                        .map(Element::text)
                        .filter(part -> !part.isBlank())
                        .collect(Collectors.joining(", ")))
                .filter(row -> !row.isEmpty())
                .collect(Collectors.joining("; "));
        nested.replaceWith(new Element("span").text(" " + text + " "));
    }

    /** The cells of a table by row and column. */
    private final class Grid {
        private int added;

        /** Cells that span further rows, by their column. */
        private final Map<Integer, Spanning> open = new HashMap<>();

        private record Spanning(String text, int rows) {}

        List<List<String>> of(List<Element> sources) {
            List<List<String>> rows = new ArrayList<>();
            for (Element source : sources) {
                List<String> row = new ArrayList<>();
                for (Element cell : cells(source)) {
                    continued(row);
                    add(cell, row);
                }
                continued(row);
                while (open.keySet().stream().anyMatch(column -> column >= row.size())) {
                    row.add("");
                    continued(row);
                }
                rows.add(row);
            }
            return rows;
        }

        private void add(Element cell, List<String> row) {
            String text = content(cell);
            boolean name = cell.normalName().equals("th");
            int rows = span(cell.attr("rowspan"), Integer.MAX_VALUE);
            int columns = span(cell.attr("colspan"), MAX_SPAN);
            for (int i = 0; i < columns; i++) {
                String own = i == 0 || name ? text : "";
                if (rows > 1) {
                    open.put(row.size(), new Spanning(own, rows - 1));
                }
                row.add(own);
            }
        }

        private int span(String attribute, int most) {
            int wanted = attribute.matches("\\d{1,5}") ? Math.max(1, Integer.parseInt(attribute)) : 1;
            int span = added >= MAX_ADDED ? 1 : Math.min(wanted, most);
            added += most == MAX_SPAN ? span - 1 : 0;
            return span;
        }

        /** Adds the cells that reach down into the next columns of {@code row}. */
        private void continued(List<String> row) {
            for (Spanning above = open.remove(row.size()); above != null; above = open.remove(row.size())) {
                if (above.rows() > 1 && ++added < MAX_ADDED) {
                    open.put(row.size(), new Spanning(above.text(), above.rows() - 1));
                }
                row.add(above.text());
            }
        }
    }
}
