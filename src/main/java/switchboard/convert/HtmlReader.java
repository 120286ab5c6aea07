package switchboard.convert;

import com.vladsch.flexmark.html2md.converter.FlexmarkHtmlConverter;
import com.vladsch.flexmark.util.data.MutableDataSet;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeTraversor;
import org.jspecify.annotations.Nullable;

/** Converts HTML to Markdown: the visible text with headings, lists, tables, links and code. */
final class HtmlReader {
    /** Maximum depth. The converter is recursive; deeper pages are read as plain text. */
    private static final int MAX_DEPTH = 200;

    private static final String UNSEEN = "script, style, noscript, template, svg, iframe, object, embed, link, meta, "
            + "img[src^=data:], [hidden], input, select, textarea, button";

    private final FlexmarkHtmlConverter converter = FlexmarkHtmlConverter.builder(new MutableDataSet()
                    .set(FlexmarkHtmlConverter.SETEXT_HEADINGS, false)
                    .set(FlexmarkHtmlConverter.OUTPUT_ATTRIBUTES_ID, false)
                    .set(FlexmarkHtmlConverter.SKIP_ATTRIBUTES, true)
                    .set(FlexmarkHtmlConverter.TYPOGRAPHIC_QUOTES, false)
                    .set(FlexmarkHtmlConverter.TYPOGRAPHIC_SMARTS, false)
                    .set(FlexmarkHtmlConverter.SKIP_CHAR_ESCAPE, true)
                    .set(FlexmarkHtmlConverter.EXTRACT_AUTO_LINKS, false)
                    .set(FlexmarkHtmlConverter.NBSP_TEXT, " ")
                    .set(FlexmarkHtmlConverter.MAX_TRAILING_BLANK_LINES, 0))
            .build();

    ConvertedDocument read(RawDocument rawDocument) throws ConvertException {
        Document page = parse(rawDocument);
        return markdown(page);
    }

    /** Converts {@code page}, or a part of one, which is modified. */
    ConvertedDocument markdown(Element page) throws ConvertException {
        String title = page instanceof Document document ? document.title() : "";
        page.select(UNSEEN).remove();
        Element body = page instanceof Document document ? document.body() : page;
        boolean deep = depth(body) > MAX_DEPTH;
        String text =
                TextDecoder.lines(deep ? body.wholeText() : withTables(body)).strip();
        if (text.indexOf('\0') >= 0) {
            throw new ConvertException(ConvertException.Reason.UNREADABLE, "the content is binary, not HTML");
        }
        ConvertedDocument.Markup markup = deep ? ConvertedDocument.Markup.PLAIN : ConvertedDocument.Markup.MARKDOWN;
        return ConvertedDocument.of(text, markup, titleOf(body, title));
    }

    private String withTables(Element body) {
        HtmlTables tables = new HtmlTables(body, this::markdownOf);
        // Each is written anew with all that is in it, so none within another one.
        body.select("pre:not(pre pre)").forEach(HtmlReader::fence);
        return tables.putInto(markdownOf(body));
    }

    /**
     * The Markdown of an element. The converter writes an empty paragraph as a line break on a line of its own, which
     * is removed.
     */
    private String markdownOf(Element body) {
        LineBreaks.takeFrom(body);
        ChildGrouping.make(body);
        body.select("blockquote").forEach(HtmlReader::onItsOwnLine);
        return LineBreaks.putInto(converter.convert(body.outerHtml()).replaceAll("(?m)^<br />\\n", ""));
    }

    /** The converter leaves out the sign of a quotation that follows text directly. */
    private static void onItsOwnLine(Element quotation) {
        if (quotation.previousSibling() instanceof TextNode
                || (quotation.previousElementSibling() instanceof Element before && !before.isBlock())) {
            quotation.before(new Element("div"));
        }
    }

    /**
     * Puts fences around code. The converter does this only if the language is known and indents other code, which is
     * harder to recognise.
     */
    private static void fence(Element pre) {
        Element code = pre.selectFirst("code");
        if (code == null) {
            code = pre.html("<code>" + pre.html() + "</code>").child(0);
        }
        if (!code.className().startsWith("language-")) {
            code.attr("class", "language-text");
        }
    }

    private static @Nullable String titleOf(Element body, String title) {
        Element heading = body.selectFirst("h1, h2, h3, h4, h5, h6");
        String text = heading == null ? "" : heading.text();
        return !text.isBlank() ? text : title;
    }

    /**
     * Parses a page. jsoup reads byte order marks and {@code meta}; a page without either that is not UTF-8 is
     * Windows-1252 in practice.
     */
    private static Document parse(RawDocument rawDocument) throws ConvertException {
        byte[] bytes = rawDocument.bytes();
        Optional<Charset> declared = TextDecoder.declared(rawDocument.contentType());
        try {
            Document page = Jsoup.parse(
                    new ByteArrayInputStream(bytes), declared.map(Charset::name).orElse(null), "");
            boolean wrong =
                    page.charset().equals(StandardCharsets.UTF_8) && !TextDecoder.valid(bytes, StandardCharsets.UTF_8);
            return wrong ? Jsoup.parse(TextDecoder.decode(bytes, null)) : page;
        } catch (IOException | UncheckedIOException e) {
            throw new ConvertException(ConvertException.Reason.UNREADABLE, "the HTML can't be read");
        }
    }

    private static int depth(Node root) {
        int[] deepest = {0};
        NodeTraversor.traverse((_, depth) -> deepest[0] = Math.max(deepest[0], depth), root);
        return deepest[0];
    }
}
