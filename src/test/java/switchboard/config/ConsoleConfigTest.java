package switchboard.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.app.BackendTypes;
import switchboard.config.GatewayConfig.ConsoleUse;

/** Where there is a console, and which addresses it may have. */
class ConsoleConfigTest {
    private static GatewayConfig config(String yaml) {
        return new ConfigLoader(BackendTypes.shipped().settings(), Map.of())
                .parse(yaml + "\nbackends: {vectordb: {type: vectordb}}\n", "test.yaml", Path.of("."), Overrides.NONE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "auth: {mode: none} | IF_POSSIBLE",
                "auth: {mode: keys} | OFF",
                "console: {enabled: true} | ON",
                "console: {enabled: false} | OFF",
                "{auth: {mode: keys}, console: {enabled: true}} | ON",
                "console: {host: localhost} | IF_POSSIBLE",
                "console: {host: '::1'} | IF_POSSIBLE"
            })
    void itIsThereByItselfOnlyForThisMachineWithoutKeys(String yaml, ConsoleUse use) {
        String text =
                yaml.startsWith("{") ? yaml.substring(1, yaml.length() - 1).replace("}, ", "}\n") : yaml;
        assertEquals(use, config(text).consoleUse());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "auth: {mode: none} | {enabled: true, host: 0.0.0.0} | console.host",
                "auth: {mode: keys} | {enabled: true, host: 0.0.0.0} | console.publicUrl",
                "auth: {mode: keys} | {enabled: true, host: 10.0.0.7, publicUrl: 'http://a.example'} | console.publicUrl",
                "auth: {mode: keys} | {enabled: true, host: '::', publicUrl: 'ftp://a.example'} | console.publicUrl",
                "auth: {mode: none} | {publicUrl: 'https://a.example/?x=1'} | console.publicUrl",
                "auth: {mode: none} | {publicUrl: 'https://user@a.example/'} | console.publicUrl",
                "auth: {mode: none} | {port: 70000} | console.port",
                "auth: {mode: keys} | {openid: {clientId: a}} | issuer",
                "auth: {mode: keys} | {openid: {issuer: corporate}} | clientId",
                "auth: {mode: keys} | {openid: {issuer: corporate, clientId: a}} | console.openid.issuer",
                "auth: {mode: none} | {openid: {issuer: corporate, clientId: a}} | console.openid"
            })
    void anAddressThatOthersReachNeedsKeysAndHttps(String auth, String console, String field) {
        String told = assertThrows(ConfigException.class, () -> config(auth + "\nconsole: " + console))
                .getMessage();
        assertTrue(told.contains(field), told);
    }

    @Test
    void withBothItMayBeAnywhere() {
        GatewayConfig config = config("""
                auth: {mode: keys}
                console: {enabled: true, host: 0.0.0.0, publicUrl: "https://console.example.com/path"}
                """);
        assertEquals(ConsoleUse.ON, config.consoleUse());
    }
}
