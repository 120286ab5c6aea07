package switchboard.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * Document ids: UUIDs of version 8 (RFC 9562). The first 32 bits are a hash of the namespace, the others are random,
 * so that an id is usually looked up in one namespace only.
 */
final class DocumentIds {
    private static final Pattern FORM = Pattern.compile("\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

    private DocumentIds() {}

    /** A new id for a document in {@code namespace}. */
    static String next(Namespace namespace) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long high = ((long) mark(namespace) << 32) | (random.nextInt() & 0xFFFF_0FFFL) | 0x8000L;
        long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low).toString();
    }

    /** Those of {@code namespaces} whose hash matches the id. Usually one; several if hashes coincide. */
    static List<Namespace> candidates(String id, Collection<Namespace> namespaces) {
        if (!FORM.matcher(id).matches()) {
            return List.of();
        }
        String head = id.substring(0, 8);
        return namespaces.stream()
                .filter(namespace -> head.equals(String.format("%08x", mark(namespace))))
                .distinct()
                .toList();
    }

    private static int mark(Namespace namespace) {
        byte[] name = (namespace.owner() + "\0" + namespace.name()).getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.wrap(DigestUtils.sha256(name)).getInt();
    }
}
