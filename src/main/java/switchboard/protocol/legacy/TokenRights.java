package switchboard.protocol.legacy;

import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.commons.codec.digest.DigestUtils;
import switchboard.auth.Principal;
import switchboard.auth.TokenGrant;

/** What a caller's access token allows and says, as a digest. */
final class TokenRights {
    private TokenRights() {}

    /** The digest; empty for callers without a token. */
    static String digest(Principal principal) {
        TokenGrant token = principal.delegation();
        return token == null
                ? ""
                : DigestUtils.sha256Hex(new TreeSet<>(token.scopes()) + " " + new TreeMap<>(token.claims()));
    }
}
