package switchboard.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.commons.codec.digest.DigestUtils;
import switchboard.call.Json;

/**
 * Tells whether two documents are the same, whichever stores have them.
 *
 * @param id the document's id: two stores have the same one only if it was moved
 * @param exact SHA-256 of everything
 * @param content SHA-256 of what it says: without id and time, and of the vectors only which model made them, because two machines
 *     compute slightly different ones
 * @param words SHA-256 of the same without its model
 * @param chunks number of chunks
 */
public record DocumentDigest(String id, String exact, String content, String words, int chunks) {
    /** The digest of a document. */
    public static DocumentDigest of(DocumentForm form) {
        DocumentForm plain = form.plain();
        try {
            JsonNode facts = Json.parse(plain.facts());
            ObjectNode said = ((ObjectNode) facts.deepCopy()).without(List.of("id", "created"));
            byte[] content = DocumentSchema.bytes(said);
            byte[] words = DocumentSchema.bytes(said.without("model"));
            return new DocumentDigest(
                    facts.get("id").textValue(),
                    hash(plain.facts(), plain.text(), plain.chunks(), plain.vectors()),
                    hash(content, plain.text(), plain.chunks(), models(plain)),
                    hash(words, plain.text(), plain.chunks()),
                    facts.get("chunks").intValue());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SHA-256 of the contents of documents in their order. */
    public static String ofAll(Collection<DocumentDigest> documents) {
        MessageDigest all = DigestUtils.getSha256Digest();
        documents.forEach(one -> all.update(one.content().getBytes(StandardCharsets.US_ASCII)));
        return HexFormat.of().formatHex(all.digest());
    }

    private static byte[] models(DocumentForm form) {
        StringBuilder fields = new StringBuilder();
        for (Map<String, float[]> chunk : DocumentForm.vectorsOf(form.vectors())) {
            fields.append(new TreeSet<>(chunk.keySet())).append('\n');
        }
        return fields.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String hash(byte[]... parts) {
        MessageDigest digest = DigestUtils.getSha256Digest();
        for (byte[] part : parts) {
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
            digest.update(part);
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
