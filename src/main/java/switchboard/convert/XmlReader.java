package switchboard.convert;

import java.io.ByteArrayInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads XML as text, unchanged. It must be well-formed. Document types are ignored, and entities are never expanded or
 * fetched.
 */
final class XmlReader {
    private final XMLInputFactory factory = XMLInputFactory.newDefaultFactory();

    XmlReader() {
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    }

    ConvertedDocument read(RawDocument rawDocument, ConvertLimits limits) throws ConvertException {
        try {
            XMLStreamReader reader = factory.createXMLStreamReader(new ByteArrayInputStream(rawDocument.bytes()));
            Charset charset = charset(reader, rawDocument);
            return ConvertedDocument.of(
                    TextDecoder.decodeAs(rawDocument.bytes(), charset),
                    ConvertedDocument.Markup.PLAIN,
                    firstTitle(reader, limits));
        } catch (XMLStreamException e) {
            throw new ConvertException(
                    ConvertException.Reason.UNREADABLE,
                    "not well-formed XML at line " + e.getLocation().getLineNumber() + ", column "
                            + e.getLocation().getColumnNumber());
        }
    }

    /** The charset that the parser has found from byte order mark and declaration. */
    private static Charset charset(XMLStreamReader reader, RawDocument rawDocument) {
        String name = reader.getEncoding() != null ? reader.getEncoding() : reader.getCharacterEncodingScheme();
        try {
            return name == null ? StandardCharsets.UTF_8 : Charset.forName(name);
        } catch (IllegalArgumentException _) {
            Optional<Charset> declared = TextDecoder.declared(rawDocument.contentType());
            return declared.orElse(StandardCharsets.UTF_8);
        }
    }

    /** The first title. Reads to the end, so that the whole document is checked. */
    private static @Nullable String firstTitle(XMLStreamReader reader, ConvertLimits limits)
            throws XMLStreamException, ConvertException {
        String title = null;
        boolean inTitle = false;
        while (reader.hasNext()) {
            limits.check();
            int event = reader.next();
            if (event == XMLStreamConstants.START_ELEMENT) {
                inTitle = title == null && reader.getLocalName().equals("title");
            } else if (event == XMLStreamConstants.CHARACTERS && inTitle) {
                title = reader.getText().isBlank() ? title : reader.getText();
                inTitle = false;
            } else if (event == XMLStreamConstants.END_ELEMENT) {
                inTitle = false;
            }
        }
        return title;
    }
}
