package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ApiKeyTest {
    private final SecureRandom random = new SecureRandom();

    @Test
    void neitherIdsNorSecretsRepeat() {
        Set<String> ids = new HashSet<>();
        Set<String> secrets = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            ApiKey key = ApiKey.generate(random);
            ids.add(key.id());
            secrets.add(key.text().substring(key.text().lastIndexOf("_" + key.id() + "_")));
            assertTrue(key.text().matches("sb_" + key.id() + "_[A-Za-z0-9_-]{43}"), key.text());
        }
        assertEquals(100, ids.size());
        assertEquals(
                100,
                secrets.stream().map(secret -> secret.substring(12)).distinct().count());
    }

    @Test
    void itsTextShowsTheIdAndNotTheSecret() {
        ApiKey key = ApiKey.generate(random);
        assertEquals("ApiKey[" + key.id() + "]", key.toString());
        assertFalse(key.toString().contains(key.text()));
    }
}
