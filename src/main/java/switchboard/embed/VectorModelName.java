package switchboard.embed;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** Names of models as they are stored with vectors: vectors that can't be compared are of models with different names. */
final class VectorModelName {
    private VectorModelName() {}

    /** The name of {@code model}, whose vectors also depend on {@code facts}, in any form. */
    static String of(String model, String facts) {
        CRC32 sum = new CRC32();
        sum.update(facts.getBytes(StandardCharsets.UTF_8));
        return String.format("%s-%08x", model, sum.getValue());
    }

    /** The name of {@code model} with this prefix of documents; without one its own name. */
    static String withDocumentPrefix(String model, String prefix) {
        return prefix.isEmpty() ? model : of(model, prefix);
    }

    /** The name of {@code model} with these traits: chunks without vectors of sentences can't be compared with others. */
    static String withTraits(String model, ModelTraits traits) {
        return traits.sentences() ? model + "+sentences" : model;
    }
}
