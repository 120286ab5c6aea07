package switchboard.release;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** The project's {@code pom.xml}. */
final class Pom {
    private Pom() {}

    /** Its root element. */
    static Element read() {
        try {
            return DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(Path.of("pom.xml").toFile())
                    .getDocumentElement();
        } catch (IOException | ParserConfigurationException | SAXException e) {
            throw new IllegalStateException("pom.xml can't be read", e);
        }
    }

    /** The version of the project. */
    static String version() {
        return text(read(), "version");
    }

    /** The text of a child element, with that of the elements in it. */
    static String text(Element parent, String name) {
        return child(parent, name).map(Node::getTextContent).orElse("").strip();
    }

    /** A child element. */
    static Optional<Element> child(Element parent, String name) {
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element && element.getTagName().equals(name)) {
                return Optional.of(element);
            }
        }
        return Optional.empty();
    }
}
