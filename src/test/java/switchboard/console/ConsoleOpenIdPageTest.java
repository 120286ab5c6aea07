package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import no.nav.security.mock.oauth2.MockOAuth2Server;
import no.nav.security.mock.oauth2.OAuth2Config;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import switchboard.call.Json;
import switchboard.testing.Browser;
import switchboard.testing.TestGateway;

/** A person signs in at the page of a real authorization server, in a real browser. */
@Tag("engines")
class ConsoleOpenIdPageTest {
    @TempDir
    static Path folder;

    private static MockOAuth2Server server;
    private static ConsolePages pages;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        // Its own page has a font of another server.
        Path login = Files.writeString(folder.resolve("login.html"), """
                <!doctype html><title>Login</title><form method="post">
                <input name="username"><input name="claims"><input type="submit"></form>
                """);
        server = new MockOAuth2Server(OAuth2Config.Companion.fromJson(Json.text(Json.object()
                .put("httpServer", "NettyWrapper")
                .put("interactiveLogin", true)
                .put("loginPagePath", login.toString()))));
        server.start();
        Files.writeString(folder.resolve("teams.yaml"), "teams: {red: {grants: [\"*:*\"]}}\n");
        String issuer = server.issuerUrl("corporate").toString();
        TestGateway gateway = TestGateway.start("""
                server: {publicUrl: "https://tools.example.com"}
                auth:
                  mode: keys
                  tokens: {issuers: {corporate: {issuer: "%s", jwks: "%s", teamClaim: groups}}}
                console: {enabled: true, openid: {issuer: corporate, clientId: console}}
                backends: {vectordb: {type: vectordb}}
                """.formatted(issuer, server.jwksUrl("corporate")), folder);
        pages = new ConsolePages(gateway, Browser.start());
        browser = pages.browser();
    }

    @AfterAll
    static void stop() {
        pages.close();
        server.shutdown();
    }

    @BeforeEach
    void asAtAFirstVisit() {
        pages.asAtAFirstVisit();
    }

    private static void signInAtTheIssuer(String person, String claims) {
        browser.waitUntil("the way to the issuer", page -> !page.findElements(By.linkText("Sign in with corporate"))
                .isEmpty());
        pages.find("a.button.primary").click();
        browser.waitUntil("the issuer's page", page -> !page.findElements(By.name("username"))
                .isEmpty());
        browser.driver().findElement(By.name("username")).sendKeys(person);
        WebElement more = browser.driver().findElement(By.name("claims"));
        more.clear();
        more.sendKeys(claims);
        browser.driver().findElement(By.cssSelector("[type=submit]")).click();
    }

    /** Who is not signed in is told by 401, which the browser itself reports. */
    private static void assertNoErrors() {
        List<String> errors = browser.errors();
        assertEquals(
                List.of(),
                errors.stream().filter(error -> !error.contains("401")).toList());
    }

    @Test
    void aPersonComesBackToWhatThePageShowed() {
        browser.open(pages.page("search?q=lantern"));
        signInAtTheIssuer("ada", "{\"groups\": [\"red\"]}");
        browser.waitUntil("the search page", page -> !pages.all("search-page").isEmpty());
        assertEquals(pages.page("search?q=lantern").toString(), browser.driver().getCurrentUrl());
        assertTrue(pages.text().contains("red"), pages.text());
        assertNoErrors();
        browser.driver()
                .findElement(By.xpath("//button[normalize-space()='Sign out']"))
                .click();
        browser.waitUntil("signed out", page -> pages.text().contains("You are signed out."));
    }

    @Test
    void whoMayNotComeInLearnsWhy() {
        browser.open(pages.page("sources"));
        signInAtTheIssuer("bob", "{\"groups\": [\"green\"]}");
        browser.waitUntil(
                "why not", page -> pages.text().contains("You are known, but belong to no team here, or to several."));
        assertNoErrors();
        assertEquals(
                List.of(),
                pages.findings(Map.of("sign-in-issuer", () -> browser.open(pages.page("sources?sign_in=token_team")))));
    }
}
