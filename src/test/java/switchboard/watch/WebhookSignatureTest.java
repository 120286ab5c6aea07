package switchboard.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A signature that other implementations of Standard Webhooks are tested with. */
class WebhookSignatureTest {
    @Test
    void theSignatureIsThatOfTheSpecification() {
        byte[] key = Base64.getDecoder().decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        byte[] body = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);
        String one = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assertEquals(one, WebhookSignature.of(List.of(key), "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body));
        assertEquals(
                one + " " + one,
                WebhookSignature.of(List.of(key, key), "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body));
    }
}
