package switchboard.app;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.auth.TokenGrant;
import switchboard.call.CallerToken;
import switchboard.call.CallerTokens;
import switchboard.dispatch.DelegatedCalls;
import switchboard.dispatch.Requester;

/** The tokens of the requesters that the dispatcher keeps. Backends are made before it, and make no calls until then. */
final class RequesterTokens implements CallerTokens {
    private volatile @Nullable DelegatedCalls calls;

    /** Looks for requesters in {@code underWay} from now on. */
    void lookIn(DelegatedCalls underWay) {
        calls = underWay;
    }

    @Override
    public Optional<CallerToken> of(String callId) {
        return Optional.ofNullable(calls)
                .flatMap(underWay -> underWay.requester(callId))
                .map(Requester::principal)
                .flatMap(principal -> Optional.ofNullable(principal.delegation()))
                .flatMap(TokenGrant::token);
    }
}
