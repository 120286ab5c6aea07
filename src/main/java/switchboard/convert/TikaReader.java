package switchboard.convert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.tika.exception.EncryptedDocumentException;
import org.apache.tika.exception.TikaException;
import org.apache.tika.extractor.EmbeddedDocumentExtractor;
import org.apache.tika.io.TikaInputStream;
import org.apache.tika.metadata.Metadata;
import org.apache.tika.metadata.Property;
import org.apache.tika.metadata.TikaCoreProperties;
import org.apache.tika.metadata.XMPDM;
import org.apache.tika.parser.AutoDetectParser;
import org.apache.tika.parser.ParseContext;
import org.apache.tika.parser.microsoft.OfficeParserConfig;
import org.apache.tika.sax.ContentHandlerDecorator;
import org.apache.tika.sax.ToHTMLContentHandler;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;
import org.xml.sax.Attributes;
import org.xml.sax.ContentHandler;
import org.xml.sax.SAXException;

/** Converts office documents to Markdown, and reads metadata of pictures and recordings. */
final class TikaReader {
    private static final String DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    private static final Map<String, Property> DESCRIPTIONS = descriptions();

    private final HtmlReader html;
    private @Nullable AutoDetectParser parser;

    TikaReader(HtmlReader html) {
        this.html = html;
    }

    /** The text of a Word, PowerPoint or Excel document; slides are pages. */
    ConvertedDocument document(RawDocument rawDocument, ConvertLimits limits) throws ConvertException {
        Metadata metadata = new Metadata();
        ToHTMLContentHandler written = new ToHTMLContentHandler();
        parse(rawDocument, written, metadata, limits);
        Document page = Jsoup.parse(written.toString());
        if (DOCX.equals(metadata.get(Metadata.CONTENT_TYPE))) {
            DocxSpans.add(rawDocument.bytes(), page.body(), limits);
        }
        String title = metadata.get(TikaCoreProperties.TITLE);
        List<Element> slides = slides(page);
        if (slides.isEmpty()) {
            ConvertedDocument whole = html.markdown(page);
            return ConvertedDocument.of(whole.text(), whole.markup(), whole.title() == null ? title : whole.title());
        }
        StringBuilder text = new StringBuilder();
        List<Integer> starts = new ArrayList<>();
        for (Element slide : slides) {
            starts.add(text.length());
            text.append(html.markdown(slide).text()).append("\n\n");
        }
        return new ConvertedDocument(text.toString(), ConvertedDocument.Markup.MARKDOWN, title, starts);
    }

    /** The metadata of a picture or recording. Its content is not read. */
    ConvertedDocument description(RawDocument rawDocument, ConvertLimits limits) throws ConvertException {
        Metadata metadata = new Metadata();
        parse(rawDocument, new ToHTMLContentHandler(), metadata, limits);
        StringBuilder text = new StringBuilder();
        DESCRIPTIONS.forEach((label, property) -> {
            String[] values = metadata.getValues(property);
            String value = String.join(", ", values).replace("\0", "").strip();
            if (!value.isEmpty()) {
                text.append(label).append(": ").append(TextDecoder.lines(value)).append('\n');
            }
        });
        if (text.isEmpty()) {
            throw new ConvertException(
                    ConvertException.Reason.UNREADABLE,
                    "the file holds no text: it has no title, description or other embedded words, and its images and"
                            + " sounds are not read");
        }
        return ConvertedDocument.of(
                text.toString(), ConvertedDocument.Markup.PLAIN, metadata.get(TikaCoreProperties.TITLE));
    }

    private void parse(RawDocument rawDocument, ContentHandler out, Metadata metadata, ConvertLimits limits)
            throws ConvertException {
        try (TikaInputStream in = TikaInputStream.get(rawDocument.bytes())) {
            parser().parse(in, new BoundedHandler(out, limits), metadata, context());
        } catch (EncryptedDocumentException _) {
            throw new ConvertException(
                    ConvertException.Reason.UNREADABLE, "the document is protected by a password; remove it first");
        } catch (IOException | SAXException | TikaException | RuntimeException e) {
            throw reason(e);
        }
    }

    /** The original failure. The libraries wrap it, some more than once. */
    private static ConvertException reason(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof Stopped stopped) {
                return stopped.reason;
            }
        }
        TemporaryFileCheck.check(failure);
        return new ConvertException(ConvertException.Reason.UNREADABLE, "the document is damaged or truncated");
    }

    private static ParseContext context() {
        OfficeParserConfig office = new OfficeParserConfig();
        office.setUseSAXDocxExtractor(true);
        office.setUseSAXPptxExtractor(true);
        office.setExtractMacros(false);
        office.setIncludeDeletedContent(false);
        ParseContext context = new ParseContext();
        context.set(OfficeParserConfig.class, office);
        context.set(EmbeddedDocumentExtractor.class, new NothingEmbedded());
        return context;
    }

    /** The slides, each with its notes and comments, which follow it. */
    private static List<Element> slides(Document page) {
        List<Element> slides = new ArrayList<>();
        for (Element part : page.body().select("div.slide-content, div.slide, div.slide-notes, div.notes")) {
            boolean notes = part.className().endsWith("notes");
            if (notes && !slides.isEmpty()) {
                slides.getLast().appendChild(part.clone());
            } else if (part.parents().stream().noneMatch(slides::contains)) {
                slides.add(part);
            }
        }
        return slides;
    }

    /** Created on first use, because it searches for all parsers. */
    private synchronized AutoDetectParser parser() {
        AutoDetectParser known = parser;
        if (known == null) {
            known = new AutoDetectParser();
            parser = known;
        }
        return known;
    }

    private static Map<String, Property> descriptions() {
        Map<String, Property> descriptions = new LinkedHashMap<>();
        descriptions.put("Title", TikaCoreProperties.TITLE);
        descriptions.put("Description", TikaCoreProperties.DESCRIPTION);
        descriptions.put("Creator", TikaCoreProperties.CREATOR);
        descriptions.put("Subject", TikaCoreProperties.SUBJECT);
        descriptions.put("Comments", TikaCoreProperties.COMMENTS);
        descriptions.put("Artist", XMPDM.ARTIST);
        descriptions.put("Album", XMPDM.ALBUM);
        descriptions.put("Genre", XMPDM.GENRE);
        descriptions.put("Comment", XMPDM.LOG_COMMENT);
        return descriptions;
    }

    /** Stops a parse that yields too much or is cancelled. */
    private static final class BoundedHandler extends ContentHandlerDecorator {
        private final ConvertLimits limits;
        private long chars;

        BoundedHandler(ContentHandler out, ConvertLimits limits) {
            super(out);
            this.limits = limits;
        }

        @Override
        public void characters(char[] text, int start, int length) throws SAXException {
            chars += length;
            if (chars > limits.maxChars()) {
                throw new Stopped(limits.tooMuchText());
            }
            ask();
            super.characters(text, start, length);
        }

        /** Counts elements, because cells without text cost time, too. */
        @Override
        public void startElement(String uri, String localName, String name, Attributes attributes) throws SAXException {
            ask();
            super.startElement(uri, localName, name, attributes);
        }

        private void ask() throws SAXException {
            try {
                limits.check();
            } catch (ConvertException e) {
                throw new Stopped(e);
            }
        }
    }

    private static final class Stopped extends SAXException {
        private static final long serialVersionUID = 1L;

        private final ConvertException reason;

        Stopped(ConvertException reason) {
            super(reason);
            this.reason = reason;
        }
    }

    /** Skips embedded documents. */
    private static final class NothingEmbedded implements EmbeddedDocumentExtractor {
        @Override
        public boolean shouldParseEmbedded(Metadata metadata) {
            return false;
        }

        @Override
        public void parseEmbedded(
                java.io.InputStream stream, ContentHandler handler, Metadata metadata, boolean outputHtml) {
            throw new IllegalStateException("nothing embedded is asked for");
        }
    }
}
