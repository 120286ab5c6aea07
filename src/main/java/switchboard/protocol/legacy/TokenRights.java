package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.TreeSet;
import org.apache.commons.codec.digest.DigestUtils;
import switchboard.auth.Principal;
import switchboard.auth.TokenGrant;
import switchboard.call.Json;

/** What a caller's access token allows and says, as a digest. */
final class TokenRights {
    private TokenRights() {}

    /** The digest of its scopes and of the values of its claims; empty for callers without a token. */
    static String digest(Principal principal) {
        TokenGrant token = principal.delegation();
        if (token == null) {
            return "";
        }
        ObjectNode rights = Json.object();
        new TreeSet<>(token.scopes()).forEach(rights.putArray("scopes")::add);
        ObjectNode claims = rights.putObject("claims");
        token.claims().forEach((name, claim) -> {
            ObjectNode value = claims.putObject(name).put("list", claim.list());
            claim.texts().forEach(value.putArray("texts")::add);
        });
        return DigestUtils.sha256Hex(Json.sortedBytes(rights));
    }
}
