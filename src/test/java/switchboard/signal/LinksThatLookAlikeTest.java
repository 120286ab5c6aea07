package switchboard.signal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links whose text or beginning is the host of somebody else, in the ways that Markdown, HTML and browsers read them. */
class LinksThatLookAlikeTest {
    private static Optional<String> found(String text) {
        return TextSignals.of(text).stream()
                .filter(signal -> signal.kind() == SignalKind.LOOKALIKE_LINK)
                .map(signal -> text.substring(signal.start(), signal.end()))
                .findFirst();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[https://Bank.com](https://evil.example)",
                "[HTTPS://BANK.COM/login](https://evil.example)",
                "[WWW.Bank.com](https://evil.example)",
                "[PayPal.com](https://evil.example)",
                "[PAYPAL.COM](https://evil.example)",
                "[bank.com](HTTPS://Evil.Example)",
                "[bank.com](HtTp://evil.example)",
                "[bank.com](https://evil.example/a[0]/b)",
                "[bank.com](https://evil.example/[)",
                "[bank.com](https://evil.example/a_(b))",
                "[bank.com](<https://evil.example/a b>)",
                "[bank.com]( https://evil.example \"Bank\")",
                "[bank.com](\nhttps://evil.example)",
                "[https://bank.com [secure]](https://evil.example)",
                "[[bank.com]](https://evil.example)",
                "[bank.com\\]](https://evil.example)",
                "[bank.com.](https://evil.example)",
                "[www.bank.com.](https://evil.example)",
                "[bank.com!](https://evil.example)",
                "[\u201Cbank.com\u201D](https://evil.example)",
                "[bank.com:443](https://evil.example)",
                "[bank.com/](https://evil.example)",
                "[bank\\.com](https://evil.example)",
                "[ba\u200Bnk.com](https://evil.example)",
                "[![](https://img.other.org/logo.png) bank.com](https://evil.example)",
                "[<b title='x'>bank</b>.com](https://evil.example)",
                "[bank&#46;com](https://evil.example)",
                "[bank.com](//evil.example)",
                "[bank.com](https:/evil.example)",
                "[bank.com](https:\\\\evil.example)",
                "[bank.com](https:evil.example)",
                "[bank.com](https://bank.com.evil.example)",
                "[bank.com](https://evil.example?bank.com)",
                "[bank.example](https://evil.example)",
                "[sbb.ch](https://evil.example)",
                "[telia.se](https://evil.example)",
                "<a href=\"https://evil.example\">https://Bank.com</a>",
            })
    void linksOfMarkdownThatLeadElsewhereAreMarked(String link) {
        String expected = link.startsWith("<") ? link.substring(0, link.length() - 4) : link;
        assertEquals(Optional.of(expected), found("See " + link + " and [x](https://a.example)."));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<a\nhref='https://evil.example'>bank.com</a>",
                "<A class=\"x\" HREF = https://evil.example>bank.com</A>",
                "<a title=\">\" href=\"https://evil.example\">bank.com</a>",
                "<a title=\"href=https://bank.com\" href=\"https://evil.example\">bank.com</a>",
                "<a href=\"https://evil.example\"><b>bank</b>.com</a>",
                "<a href=\"https://evil.example\"><span class='>'>https://bank.com</span></a>",
                "<a href=\"&#104;ttps://evil.example\">bank&#46;com</a>",
                "<a href=\"ht\ntps://evil.example\">bank.com</a>",
            })
    void linksOfHtmlThatLeadElsewhereAreMarked(String link) {
        assertEquals(Optional.of(link.substring(0, link.length() - 4)), found("See " + link + "."));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bank.example@evil.example",
                "bank.com@evil.example",
                "BANK.COM@evil.example",
                "bank.com.@evil.example",
                "www.bank.zz@evil.example",
                "bank.io@evil.example",
                "bank.com:443@evil.example",
                "bank.com:443:x@evil.example:80",
                "bank.com%2Flogin@evil.example",
                "bank%2Ecom@evil.example",
                "bank.com&x=1@evil.example",
                "a@bank.example@evil.example.",
                "p\u0430ypal.com.",
                "P\u0430ypal.COM:443",
                "xn--pypal-4ve.com.",
                "pay\u3164pal.com",
            })
    void addressesThatBeginWithAnotherHostAreMarked(String authority) {
        // With two of them, the first one is part of a name.
        Optional<String> expected = authority.startsWith("a@") ? Optional.empty() : Optional.of(authority);
        assertEquals(expected, found("<https://" + authority + ">"));
        assertEquals(expected, found("[here](<HTTPS://" + authority + ">)"));
        assertEquals(expected, found("[here](hTTp://" + authority + "/a[b]c)"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[https://Bank.com](https://www.bank.COM/login)",
                "[bank.com.](https://bank.com./)",
                "[bank.com](https://bank.com:8443/a[0])",
                "[BANK.com](<https://login.bank.com>)",
                "[m\u00FCnchen.de](https://xn--mnchen-3ya.de)",
                "[\uFF42ank.com](https://bank.com)",
                "[ASP.NET](https://learn.microsoft.com/aspnet)",
                "[VB.Net](https://learn.microsoft.com)",
                "[Array.at](https://developer.mozilla.org/a)",
                "[Node.js](https://en.wikipedia.org/wiki/Node.js)",
                "[Booking.com](https://en.wikipedia.org/wiki/Booking.com)",
                "[socket.io](https://github.com/socketio/socket.io)",
                "[script.pl](https://ci.other.org/script.pl)",
                "[model.pt](https://files.other.org/model.pt)",
                "[me@bank.com](https://mail.other.org)",
                "[github.com/a/b.go](https://ci.other.org)",
                "[![build](https://img.badges.org/x.svg)](https://ci.other.org/x)",
                "[![build](https://img.badges.org/x.svg) ![](https://a.org/b)](https://ci.other.org/x) [a](https://b.org)",
                "[<img src=\"https://raw.files.org/x.png\" alt=\"x\">](https://other.org)",
                "![bank.com](https://img.other.org/logo.png)",
                "<a href=\"https://other.org\"><!-- icon of https://fonts.org --><svg a='https://www.w3.org'/></a>",
                "<a href=\"https://other.org\"><!-- icon of https://fonts.org",
                "[bank.com](/local/path)",
                "[bank.com](mailto:me@other.org)",
                "[bank.com] (https://evil.example)",
                "[bank.com]\n\n(https://evil.example)",
                "[bank.com\n\n](https://evil.example)",
                "\\[bank.com](https://evil.example)",
                "a[i](x) [b](https://a.org)",
                "<a href=\"https://a.org\">the guide</a>",
                "<a name=\"x\">bank.com</a>",
                "<abbr href=\"https://a.org\">bank.com</abbr>",
                "https://first.last@git.company.com/a/b.git",
                "https://first.last%40company.com:token@git.other.org/a",
                "https://user:pass.com@git.company.com/a",
                "ssh://git@github.com:22/a/b.git",
                "https://bank.com@bank.com/",
                "https://medium.com/@writer/a@b.com",
            })
    void linksThatLeadWhereTheySayAreNotMarked(String text) {
        assertEquals(Optional.empty(), found("See " + text + " please."));
    }

    @Test
    void manyBracketsAreNoMoreWorkAndNoErrors() {
        assertEquals(Optional.empty(), found("[".repeat(100_000) + "]".repeat(100_000)));
        assertEquals(Optional.empty(), found("[a](".repeat(100_000)));
        assertEquals(Optional.empty(), found("](x".repeat(100_000) + "[" + "\\".repeat(3)));
        String link = "[bank.com](https://evil.example)";
        assertTrue(found("[".repeat(1_000) + link).isPresent());
        assertEquals(Optional.of(link), found("[ ".repeat(31) + link));
    }
}
