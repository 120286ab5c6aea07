package switchboard.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {
    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "abc123",
                "s3cret-token",
                "pass/word+with=signs",
                "quote\"and\\backslash",
                "zwei Wörter und €",
                "tabs\tand\nlines\r\n-----",
                "smile \uD83D\uDE00 smile",
                "aaaaaaaaaaaaaaaaaaaa"
            })
    void aSecretIsFoundInEachEncoding(String secret) {
        Secrets secrets = Secrets.of(List.of(secret));
        String url = URLEncoder.encode(secret, StandardCharsets.UTF_8);
        String everyByte = HexFormat.ofDelimiter("%").withPrefix("").formatHex(utf8(secret));
        String unicode = secret.chars().mapToObj(c -> "\\u%04X".formatted(c)).collect(Collectors.joining());
        String json = Json.text(Json.object().put("a", secret));
        for (String said : List.of(
                secret,
                json,
                Json.text(Json.object().put("a", json)),
                unicode,
                unicode.toLowerCase(java.util.Locale.ROOT),
                url,
                url.replace("+", "%20"),
                url.toLowerCase(java.util.Locale.ROOT).equals(url) ? url : url.replace("%C3", "%c3"),
                "%" + everyByte,
                "%" + everyByte.toUpperCase(java.util.Locale.ROOT),
                URLEncoder.encode(url, StandardCharsets.UTF_8),
                URLEncoder.encode(json, StandardCharsets.UTF_8),
                HexFormat.of().formatHex(utf8(secret)))) {
            String clean = secrets.scrub("key: " + said + " end");
            assertTrue(clean.contains("***"), clean);
            assertTrue(clean.startsWith("key: ") && clean.endsWith(" end"), clean);
            assertFalse(clean.contains(said), clean);
        }
    }

    @Property(tries = 500)
    void noneIsLeftInBase64WhateverIsAroundIt(
            @ForAll @StringLength(min = 6, max = 40) String secret,
            @ForAll @IntRange(max = 7) int before,
            @ForAll @IntRange(max = 7) int after) {
        Secrets secrets = Secrets.of(List.of(secret));
        byte[] whole = utf8("u".repeat(before) + secret + "v".repeat(after));
        for (Base64.Encoder encoder : List.of(
                Base64.getEncoder(),
                Base64.getUrlEncoder(),
                Base64.getUrlEncoder().withoutPadding())) {
            String said = encoder.encodeToString(whole);
            String clean = secrets.scrub("Basic " + said);
            assertEquals(said.length() + "Basic ".length(), clean.length(), "it is still base64");
            Base64.Decoder decoder = said.equals(clean.substring("Basic ".length()))
                    ? null
                    : said.contains("-") || said.contains("_") ? Base64.getUrlDecoder() : Base64.getDecoder();
            assertTrue(decoder != null, () -> "it is as it was: " + said);
            String rest = new String(decoder.decode(clean.substring("Basic ".length())), StandardCharsets.UTF_8);
            assertFalse(rest.contains(secret), rest);
        }
    }

    @Test
    void whatIsNoSecretStays() {
        Secrets secrets = Secrets.of(List.of("s3cret-token", "short"));
        for (String said : List.of(
                "",
                "short",
                "https://example.com/a%20b?x=1#y",
                "s3cret-toke",
                "\\",
                "%",
                "%4",
                "\\u00",
                "\\u12",
                "%%%")) {
            assertEquals(said, secrets.scrub(said));
        }
        assertSame(Secrets.NONE, Secrets.of(List.of("short", "")));
    }

    @Test
    void theCredentialOfAHeaderIsSecretByItselfAndSoIsItsPassword() {
        String basic = Base64.getEncoder().encodeToString(utf8("operator:open sesame"));
        Secrets secrets = Secrets.of(List.of("Bearer abcdefgh", "Basic " + basic));
        assertEquals("it is ***.", secrets.scrub("it is abcdefgh."));
        assertEquals("it is ***.", secrets.scrub("it is open sesame."));
        assertFalse(secrets.scrub(basic).contains(basic));
    }

    @Test
    void blanksAroundASecretAreNotPartOfIt() {
        Secrets secrets = Secrets.of(List.of(" three plain words\n"));
        assertEquals("key: *** end", secrets.scrub("key: three plain words end"));
    }

    @Test
    void namesAndNumbersAreSearchedToo() throws JsonProcessingException {
        Secrets secrets = Secrets.of(List.of("1234567890", "s3cret-token"));
        assertEquals(
                "{\"a ***\":[{\"n\":\"***\",\"m\":12345,\"t\":true,\"z\":null}]}",
                secrets.scrub(Json.parse("{\"a s3cret-token\":[{\"n\":1234567890,\"m\":12345,\"t\":true,\"z\":null}]}"))
                        .toString());
    }

    @Test
    void longTextsTakeTimeInProportion() {
        Secrets secrets = Secrets.of(List.of("a".repeat(5_000) + "b", "a".repeat(40) + "c", "%41".repeat(100) + "d"));
        char[] text = new char[8 << 20];
        Arrays.fill(text, 'a');
        for (String said : List.of(new String(text), "\\\\".repeat(2 << 20), "%25".repeat(2 << 20))) {
            assertTimeoutPreemptively(Duration.ofMinutes(1), () -> secrets.scrub(said));
        }
    }
}
