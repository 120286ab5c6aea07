package switchboard.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.apache.commons.codec.digest.DigestUtils;
import org.jspecify.annotations.Nullable;

/**
 * Says which passage was given, so that it can be checked later. Component names are those on the wire. All but {@code cite} and
 * {@code version} are null unless {@link RefDetail#FULL} is wanted.
 *
 * @param cite a {@link Citation}: source, document, place and the first digits of the hash
 * @param version the document's version, absent where its source tells none apart
 * @param source {@code <backend>:<source>}
 * @param document the name that all versions of the document have there
 * @param span a {@link PassageSpan}
 * @param sha256 SHA-256 of the complete passage's UTF-8, hex
 * @param time when it was given, UTC, to the second
 */
public record PassageRef(
        String cite,
        @Nullable String version,
        @Nullable String source,
        @Nullable String document,
        @Nullable String span,
        @Nullable String sha256,
        @Nullable String time) {
    /** The member of a result that has its ref. */
    public static final String FIELD = "ref";
    /** The field of answers that says when passages were given, once for all. */
    public static final String TIME = "time";

    /** The one member that each ref has. */
    public static final String CITE = "cite";

    /** The members with {@link RefDetail#CITE}. */
    static final Set<String> BRIEF = Set.of(CITE, "version");

    /** A ref of a passage of a document of {@code version}, which says all. */
    static PassageRef full(Citation citation, @Nullable String version, String time) {
        return new PassageRef(
                citation.toString(),
                version,
                citation.backend() + ":" + citation.source(),
                citation.document(),
                citation.span().toString(),
                citation.hash(),
                time);
    }

    /** The same with {@code detail}; null without any. */
    @Nullable
    PassageRef with(RefDetail detail) {
        return switch (detail) {
            case FULL -> this;
            case CITE -> new PassageRef(cite, version, null, null, null, null, null);
            case NONE -> null;
        };
    }

    /** Whether {@code result} has a ref. */
    public static boolean in(JsonNode result) {
        return result.path(FIELD).path(CITE).isTextual();
    }

    /** Removes all but {@code members} from the ref of {@code result}, and the ref if there are none. */
    public static void retain(ObjectNode result, Set<String> members) {
        if (members.isEmpty()) {
            result.remove(FIELD);
        } else if (result.path(FIELD) instanceof ObjectNode ref) {
            ref.retain(members);
        }
    }

    /** The SHA-256 of a passage, as refs have it. */
    public static String sha256(String text) {
        return DigestUtils.sha256Hex(text.getBytes(StandardCharsets.UTF_8));
    }
}
