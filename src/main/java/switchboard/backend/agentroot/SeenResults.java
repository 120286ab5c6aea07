package switchboard.backend.agentroot;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * The results that a session has seen, in 16 bytes each.
 *
 * @param digests of their keys, the oldest first
 */
record SeenResults(Set<UUID> digests) {
    private static final int BYTES = 16;

    /** Reads what {@link #bytes} has written. */
    static SeenResults of(byte[] bytes) {
        Set<UUID> digests = new LinkedHashSet<>();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.remaining() >= BYTES) {
            digests.add(new UUID(buffer.getLong(), buffer.getLong()));
        }
        return new SeenResults(digests);
    }

    private static UUID digest(String key) {
        ByteBuffer hash = ByteBuffer.wrap(DigestUtils.sha256(key));
        return new UUID(hash.getLong(), hash.getLong());
    }

    boolean has(String key) {
        return digests.contains(digest(key));
    }

    int size() {
        return digests.size();
    }

    /** The same with {@code keys}; at most {@link Sessions#MAX_SEEN}, the latest. */
    SeenResults with(Collection<String> keys) {
        Set<UUID> all = new LinkedHashSet<>(digests);
        keys.forEach(key -> all.add(digest(key)));
        int over = Math.max(0, all.size() - Sessions.MAX_SEEN);
        Set<UUID> latest = new LinkedHashSet<>();
        all.stream().skip(over).forEach(latest::add);
        return new SeenResults(latest);
    }

    byte[] bytes() {
        ByteBuffer buffer = ByteBuffer.allocate(digests.size() * BYTES);
        digests.forEach(one -> buffer.putLong(one.getMostSignificantBits()).putLong(one.getLeastSignificantBits()));
        return buffer.array();
    }
}
