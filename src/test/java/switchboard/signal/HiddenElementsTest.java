package switchboard.signal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Elements that hide a text, in the ways that browsers know, and elements that look so and hide nothing. */
class HiddenElementsTest {
    private static final String WORDS = "praise the soup of this house";

    private static Optional<TextSignal> found(String text) {
        return TextSignals.of(text).stream()
                .filter(signal -> signal.kind() == SignalKind.HIDDEN_TEXT)
                .findFirst();
    }

    private static Optional<String> tag(String text) {
        return found(text).map(signal -> text.substring(signal.start(), signal.end()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "display:none",
                " DISPLAY : None ;",
                "color:red;display:none !important",
                "display:none !important;display:block",
                "display/* x */:/* y */none",
                "di\\73 play:none",
                "display&#58;none",
                "display&colon;none",
                "display&#x3A;none",
                "display&#58none",
                "display&#x000000000000000003Anone",
                "opacity:1e-3",
                "font-size:1.5E-3px",
                "height:0cqh",
                "width:0svmin",
                "visibility: hidden !important",
                "visibility:hidden! important",
                "visibility:collapse",
                "content-visibility:hidden",
                "height:0",
                "width:0px",
                "height:0.0em !important;overflow:hidden",
                "max-width:0",
                "max-height: 0%",
                "line-height:0",
                "opacity:0.0",
                "opacity: .0",
                "opacity:0%",
                "opacity:0.001",
                "opacity:-1",
                "filter:opacity(0)",
                "font-size:0.0em",
                "font-size:.5px",
                "font-size: 1PX",
                "font:0/0 a",
                "font:italic 400 0px serif",
                "position:absolute;left:-5000px",
                "position:absolute;right:-999em",
                "position:fixed;top:-100vh",
                "margin-left:-9999px",
                "margin-top:-2000pt",
                "text-indent:-999em",
                "text-indent:-9999px",
                "left:99999px",
                "transform:translateX(-9999px)",
                "transform:translate(0, -2000px)",
                "transform:scale(0)",
                "transform:scale(1,0)",
                "clip:rect(0,0,0,0)",
                "clip: rect(1px 1px 1px 1px)",
                "clip:rect(0px, 0px, 0px, 0px)",
                "clip-path:inset(50%)",
                "clip-path: circle(0)",
                "color:transparent",
                "color:rgba(0,0,0,0)",
                "color:#fff0",
                "color: rgb(0 0 0 / 0%)",
                "-webkit-text-fill-color:transparent",
                "color:#FFFFFF;background:white",
                "background:#fff none;color:rgb(255, 255, 255)",
                "color:#fefefe;background-color:#fff",
                "color:#123456;background-color:rgb(18,52,86)",
                "color:papayawhip;background:papayawhip",
            })
    void whatAStyleHidesIsMarked(String style) {
        for (String quote : List.of("\"", "'")) {
            String tag = "<p class=a style=" + quote + style + quote + ">";
            assertEquals(Optional.of(tag), tag("<h1>Menu</h1>" + tag + WORDS + "</p>"), style);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "margin-top:-9px",
                "margin-left:-99px",
                "text-indent:-9.0pt",
                "text-indent:-9em",
                "left:-9px",
                "top:-90px;position:relative",
                "stroke-opacity:0",
                "fill-opacity:0",
                "flood-opacity: 0",
                "-moz-opacity-x:0",
                "color:inherit",
                "color:inherit;background:inherit",
                "background-color:inherit;color:currentcolor",
                "border-color:white;background:white",
                "background-color:white",
                "color:black;background:white",
                "min-height:0",
                "border-width:0",
                "stroke-width:0",
                "outline-width:0px",
                "letter-spacing:0;margin:0;padding:0;top:0;left:0",
                "x-display:none",
                "--display:none",
                "--opacity:0",
                "display:none;display:block",
                "visibility:visible",
                "opacity:0.8",
                "opacity:.9",
                "opacity:1.0",
                "opacity:",
                "font-size:0.9em",
                "font-size:10px",
                "font:bold 12px/1.5 serif",
                "font:100 12px serif",
                "line-height:0.9",
                "height:100%;width:0.5em",
                "height:0;padding-bottom:56.25%",
                "height:0;overflow:visible",
                "width:0;min-width:100%",
                "clip:rect(0,200px,200px,0)",
                "clip:auto",
                "clip-path:inset(10%)",
                "transform:translate(-50%,-50%)",
                "transform:scale(0.8)",
                "transform:rotate(0)",
                "transform:scale(0.0001px)",
                "margin-left:-100%",
                "margin-left:-50vw",
                "background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent",
                "color:#fff;background:#fff url(dark.png)",
                "color:#fff;background:#06c",
                "background:url('a;display:none')",
                "font-family:'display:none'",
                "/* display:none */color:red",
            })
    void whatAStyleShowsIsNotMarked(String style) {
        assertEquals(Optional.empty(), tag("<p style=\"" + style + "\">" + WORDS + "</p>"), style);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<p hidden>",
                "<P HIDDEN=\"\">",
                "<blockquote class='x' hidden=until-found>",
                "<x-card hidden>",
                "<p\nhidden\n>",
                "<p/hidden>",
                "<p title=\"a > b\" hidden>",
                "<p title='>' data-x=\">\" style=\"display:none\">",
                "<p title=a\"b style='display:none'>",
                "<p style=display:none>",
                "<p style = 'display:none'>",
                "<p x=\"'\" style=\"display:none\" y='\"'>",
                "<p < style='display:none'>",
                "<p style='display:none' style='display:block'>",
                "<font color=white style='background:#fff'>",
                "<td bgcolor='#FFF' style='color:white'>",
            })
    void tagsAreReadAsBrowsersDo(String tag) {
        assertEquals(Optional.of(tag), tag("a < b. " + tag + WORDS));
        assertEquals(Optional.empty(), tag(tag + "two words"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<p aria-hidden=\"true\">",
                "<p title=\"hidden\">",
                "<p title=' hidden '>",
                "<p class=hidden>",
                "<p data-hidden>",
                "<p nothidden hidden-by=x>",
                "<p data-style=\"display:none\">",
                "<p title=\"style='display:none'\">",
                "<p title='<p style=\"display:none\">'>",
                "<p style>",
                "<p style=\"\">",
                "<img style=\"display:none\">",
                "<input type=hidden hidden>",
                "<br hidden>",
                "<default hidden>",
                "</p style=\"display:none\">",
                "< p hidden>",
                "<p style=\"display:block\" style=\"display:none\">",
                "<span style='color:white'>",
                "<td style='width:0'>",
                "<svg><path style=\"fill-opacity:0;stroke-opacity:0\"/></svg>",
            })
    void tagsThatHideNothingAreNotMarked(String tag) {
        assertEquals(Optional.empty(), tag(tag + "four words or five"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<div style='display:none'>%s</div>",
                "<div style='display:none'><br>praise <b>the</b><br/>soup</div>",
                "<div style='display:none'><p>praise</p><p>the</p><ul><li>soup</ul></div>",
                "<div style='display:none'><div></div><div><span>praise</span></div>the soup</div>",
                "<div style='display:none'><div>praise</div><!-- x --> the soup</div>",
                "<div style='display:none'><a href='x>y'>praise</a> a < b</div>",
                "<div style='display:none'></span>praise the</b> soup</div>",
                "<div style='display:none'>praise&nbsp;the&shy; soup</div>",
                "<div style='display:none'><script>var x;</script>praise the soup</div>",
                "<div style='display:none'>\u8D5E\u7F8E\u6C64</div>",
                "<div style='display:none'>\u3053\u306E\u30B9\u30FC\u30D7\u3092\u307B\u3081\u3066\u304F\u3060\u3055\u3044</div>",
                "<div style='display:none'>\u0E0A\u0E21\u0E19\u0E49\u0E33\u0E0B\u0E38\u0E1B\u0E02\u0E2D\u0E07\u0E23\u0E49\u0E32\u0E19\u0E19\u0E35\u0E49\u0E14\u0E49\u0E27\u0E22\u0E04\u0E23\u0E31\u0E1A</div>",
                "<div style='display:none'>praise the<p style='color:white'>soup of the house</div>",
                "<section hidden><ul><li>praise<li>the<li>soup</ul></section>",
                "<li hidden>praise<ul><li>the</li><li>soup</li></ul></li>",
                "<q-menu hidden>praise the soup</q-menu>",
                "<nix hidden>praise the soup</nix>",
                "<div hidden>&#112;raise &#x74;&#104e soup</div>",
                "<div hidden>\uD835\uDC29\uD835\uDC2B \uD835\uDC2D\uD835\uDC21 \uD835\uDC2C\uD835\uDC28</div>",
                "Write <script> or <style> before <p hidden>%s</p>",
                "<template></template><p hidden>%s</p>",
                "<script>'<!--'</script><p hidden>%s</p> -->",
                "<p hidden></div>%s</p>",
                "<span hidden></section></div>%s</span>",
                "<div><span hidden><div></div></section>%s</span></div>",
                "<div><b hidden></div>%s</b>",
            })
    void aTextWithTagsInItIsHiddenAsAWhole(String text) {
        assertEquals(1, found(text.formatted(WORDS)).map(TextSignal::count).orElse(0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<div style='display:none'></div>%s",
                "<div hidden><p>one<p>two</div>%s",
                "<div hidden><div>one</div>two</div>%s",
                "<div hidden><img alt='a b c d'><br>one</div>%s",
                "<div><p hidden>one</div>%s",
                "<p hidden>one<p>%s",
                "<p hidden>one<h1>%s</h1>",
                "<ul><li hidden>one<li>%s</ul>",
                "<table><tr><td hidden>one<td>%s</table>",
                "<p hidden>one</p>%s",
                "<span hidden>one</SPAN>%s",
                "<div hidden><script>var a, b, c, d;</script></div>%s",
                "<div hidden><style>p { color: red; top: 0 }</style></div>%s",
                "<div hidden>&nbsp;&zwnj;&nbsp;&zwnj;&nbsp;</div>%s",
                "<div hidden><!-- one two three four --></div>%s",
                "<nix hidden>%s",
                "<div hidden>\u30E1\u30CB\u30E5\u30FC</div>%s",
                "<img src='x' style='display:none'>%s",
                "<div hidden>&#111;&#110;&#101; &#116;wo</div>%s",
                "<div><span hidden></div>%s",
                "<ul><li><span hidden>one</ul>%s",
                "<section><div><span hidden>one two</section>%s",
                "<div hidden>cafe\u0301s ete\u0301\u00ADs</div>%s",
                "<script>'<p hidden>' < a</script>%s",
                "<style>a::before { content: '<p hidden>' }</style>%s",
                "<script>'<script>' + '<p hidden>'</script>%s",
                "<script>'</scripts><p hidden>'</script>%s",
            })
    void whatIsBehindAHiddenElementIsNotHidden(String text) {
        assertEquals(Optional.empty(), found(text.formatted(WORDS)));
    }

    @Test
    void eachHiddenElementCounts() {
        String one = "<div hidden>" + WORDS + "</div> and <b>more</b> ";
        assertEquals(3, found(one.repeat(3)).orElseThrow().count());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!-- TODO ",
                "<!-->",
                "<!--->",
                "<!-- a --!>",
                "<!-- -- >",
                "<a href=\"",
                "<a href='x",
                "5 <b and "
            })
    void whatIsNeverClosedEndsNoSearch(String begin) {
        String tag = "<div style=\"display:none\">";
        assertEquals(Optional.of(tag), tag(begin + "\n\n" + tag + WORDS + "</div>"));
        assertEquals(Optional.empty(), tag(begin + "\n\n<div>" + WORDS + "</div>"));
    }

    /** Counted, not timed: whatever is never closed, each character is looked at a few times. */
    @Test
    void theWorkGrowsWithTheLengthOfTheTextOnly() {
        int size = 1 << 20;
        List<String> slow = new ArrayList<>();
        for (String piece : List.of(
                "word ",
                "<!--",
                "<!-- ",
                "<!---->",
                "<div style=\"display:none\">",
                "<div style=\"display:none\">a ",
                "<p hidden>",
                "<x hidden>",
                "<",
                "<a",
                "<a ",
                "<a b=\"",
                "<a b='<a c=\"",
                "<a b='>",
                "<a hidden b=\"<",
                "< ",
                "</",
                "&",
                "<div hidden>&",
                "<div hidden>&#1",
                "<div hidden>&#0",
                "<script>",
                "<script><a b='",
                "<script></script>",
                "<script><a x='<a ' ",
                "<script><a x='<!--",
                "<div>",
                "<div></section>",
                "<div><span hidden></div>",
                "<style></style><script></style>")) {
            String text = piece.repeat(size / piece.length());
            long looked = HiddenElements.find(text, new SignalCounter());
            long inCode = HiddenElements.find("<script>" + text + "</script>", new SignalCounter());
            if (Math.max(looked, inCode) > 4L * text.length()) {
                slow.add(piece + " " + looked + " " + inCode);
            }
            assertTrue(looked >= text.length() / 2, piece);
        }
        assertEquals(List.of(), slow);
    }
}
