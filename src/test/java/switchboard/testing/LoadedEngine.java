package switchboard.testing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.List;

/** An engine that a test fills with documents and puts a gateway in front of: a stand-in, or a real one. */
public interface LoadedEngine extends AutoCloseable {
    /**
     * A document.
     *
     * @param id a number as the test counts
     * @param fields its fields
     * @param vector its vector
     */
    record Document(int id, ObjectNode fields, float[] vector) {}

    /** Where it listens. */
    URI url();

    /** The lines of a gateway's configuration that say where it is, and with which key. */
    String settings();

    /** Makes a collection with fields of these types ({@code text}, {@code number}, {@code boolean}) and fills it. */
    void load(String collection, java.util.Map<String, String> fields, List<Document> documents);

    /** What the collection is called there. */
    String name(String collection);

    @Override
    void close();
}
