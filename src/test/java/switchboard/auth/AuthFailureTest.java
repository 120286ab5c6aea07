package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What callers' programs, metrics and logs see of a rejection. */
class AuthFailureTest {
    @ParameterizedTest
    @CsvSource({
        "MISSING, 401, authentication_required, missing_authorization_header, missing",
        "UNSUPPORTED, 401, authentication_required, unsupported_authorization_scheme, unsupported",
        "AMBIGUOUS, 400, invalid_request, ambiguous_credentials, ambiguous",
        "INVALID, 401, authentication_failed, invalid_api_key, invalid",
        "EXPIRED, 401, authentication_failed, invalid_api_key, expired",
        "TOKEN_MALFORMED, 401, authentication_failed, invalid_token, token_malformed",
        "TOKEN_ALGORITHM, 401, authentication_failed, invalid_token, token_algorithm",
        "TOKEN_ISSUER, 401, authentication_failed, invalid_token, token_issuer",
        "TOKEN_KEY, 401, authentication_failed, invalid_token, token_key",
        "TOKEN_SIGNATURE, 401, authentication_failed, invalid_token, token_signature",
        "TOKEN_EXPIRED, 401, authentication_failed, invalid_token, token_expired",
        "TOKEN_EARLY, 401, authentication_failed, invalid_token, token_early",
        "TOKEN_AUDIENCE, 401, authentication_failed, invalid_token, token_audience",
        "TOKEN_BINDING, 401, authentication_failed, invalid_token, token_binding",
        "TOKEN_DETAILS, 401, authentication_failed, invalid_token, token_details",
        "PROOF_MISSING, 401, authentication_failed, invalid_dpop_proof, proof_missing",
        "PROOF_WRONG, 401, authentication_failed, invalid_dpop_proof, proof_wrong",
        "PROOF_REPLAYED, 401, authentication_failed, invalid_dpop_proof, proof_replayed",
        "PROOF_UNCHECKED, 503, unavailable, too_many_proofs, proof_unchecked",
        "TOKEN_TEAM, 403, unauthorized, no_team, token_team",
        "TOKEN_UNCHECKED, 503, unavailable, issuer_unavailable, token_unchecked",
        "NOT_READY, 503, unavailable, not_ready, not_ready",
        "TOO_MANY, 429, authentication_failed, too_many_failures, too_many"
    })
    void aRejectionHasItsStatusAndItsWords(AuthFailure failure, int status, String type, String code, String word) {
        assertEquals(status, failure.status());
        assertEquals(type, failure.type());
        assertEquals(code, failure.code());
        assertEquals(word, failure.word());
    }

    @Test
    void credentialsAreNotPrinted() {
        assertEquals(
                "Credentials[address=192.0.2.1, view=v, authorization=present, apiKey=absent]",
                new Credentials("192.0.2.1", "v", "Bearer secret", null).toString());
        assertEquals(
                "Credentials[address=192.0.2.1, view=, authorization=absent, apiKey=present]",
                new Credentials("192.0.2.1", "", null, "secret", true).toString());
    }

    @Test
    void withoutAuthenticationEveryoneIsAnonymousWhateverIsSent() {
        for (Credentials sent : new Credentials[] {
            new Credentials("192.0.2.1", "", null, null), new Credentials("192.0.2.1", "v", "Basic x", "y", true)
        }) {
            assertEquals(
                    new AuthOutcome.Authenticated(Principal.anonymous()),
                    new OpenAuthenticator().authenticate(sent).result());
        }
    }

    @Test
    void withoutLimitsEverythingMayBegin() {
        Principal anybody = Principal.anonymous();
        assertEquals(new Budget.Verdict.Granted(), Budget.UNLIMITED.arrive(anybody, Integer.MAX_VALUE));
        assertEquals(Integer.MAX_VALUE, Budget.UNLIMITED.maxResultBytes(anybody));
        for (int i = 0; i < 1_000; i++) {
            if (Budget.UNLIMITED.begin(anybody) instanceof Budget.Start.Leased leased && i % 2 == 0) {
                leased.lease().end(new byte[0]);
            } else {
                assertEquals(1, i % 2, "it may begin");
            }
        }
    }

    @Test
    void aLimitIsNamedForCallersAndForMetrics() {
        assertEquals(
                Map.of(
                        "the limit burst of your team", "team.burst",
                        "the limit burst of your key", "key.burst"),
                Arrays.stream(Budget.LimitScope.values())
                        .map(whose -> new Budget.Limit("burst", whose))
                        .collect(Collectors.toMap(Budget.Limit::text, Budget.Limit::label)));
    }

    /** A rate must not be filled by setting the calendar. */
    @Test
    void ratesAreMeasuredByTheSteadyClock() {
        long[] nanos = {7};
        MonotonicTimeMeter meter = new MonotonicTimeMeter(() -> nanos[0]);
        assertEquals(7, meter.currentTimeNanos());
        nanos[0] = 9;
        assertEquals(9, meter.currentTimeNanos());
        assertEquals(false, meter.isWallClockBased());
    }
}
