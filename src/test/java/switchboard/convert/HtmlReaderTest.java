package switchboard.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the flow of an HTML page is kept: line breaks, quotations, and pages with very many paragraphs. */
class HtmlReaderTest {
    private static String read(String html) throws ConvertException {
        byte[] bytes = html.getBytes(StandardCharsets.UTF_8);
        ConvertLimits limits = new ConvertLimits(8 << 20, 32L << 20, () -> false);
        return new DocumentConverter()
                .convert(new RawDocument(bytes, "page.html", null), limits)
                .text();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            quoteCharacter = '~',
            value = {
                "~a<br>b~ > ~a  |b~",
                "~a<br>b<br><br>c~ > ~a  |b||c~",
                "~<br><br>a<br>~ > a",
                "~<p>a<br></p><p>b</p>~ > ~a||b~",
                "~<ul><li>a<br>b<br><br>c</li></ul>~ > ~* a  |  b||  c~",
                "~<ol><li><p>a<br>b</p></ol>~ > ~1. a  |   b~",
                "~<blockquote>a<br>b</blockquote>~ > ~> a  |> b~",
                "~<dl><dt>a<dd>b<br>c</dl>~ > ~a|:   b  |    c~",
                "~<b>a<br>b</b>~ > ~**a  |b**~",
                "~<h2>a<br>b</h2>~ > ~## a b~",
                "~<pre>a<br>b</pre>~ > ~```text|a|b|```~",
                "~<table><tr><th>n<th>m<tr><td>a<br>b<td>c</table>~ > ~| n | m |~",
            })
    void lineBreaksStayInTheirItem(String html, String markdown) throws ConvertException {
        String expected =
                markdown.equals("| n | m |") ? "| n | m |\n| --- | --- |\n| a b | c |" : markdown.replace('|', '\n');
        assertEquals(expected, read(html));
    }

    @ParameterizedTest
    @CsvSource({
        "text<br><blockquote>q</blockquote>",
        "text <blockquote>q</blockquote>",
        "<b>text</b><blockquote>q</blockquote>",
    })
    void aQuotationAfterTextIsAQuotation(String html) throws ConvertException {
        assertEquals("> q", read(html).lines().toList().getLast());
    }

    @Test
    void aPageWithVeryManyParagraphsReadsLikeAShortOne() throws ConvertException {
        for (String tag : new String[] {"p", "div", "blockquote"}) {
            String page = IntStream.range(0, 1_000)
                    .mapToObj(i -> "<%1$s>a%2$d <i>b</i></%1$s>".formatted(tag, i))
                    .collect(Collectors.joining());
            String sign = tag.equals("blockquote") ? "> " : "";
            String end =
                    switch (tag) {
                        case "p" -> "\n\n";
                        case "div" -> "  \n";
                        default -> "\n";
                    };
            assertEquals(
                    IntStream.range(0, 1_000)
                            .mapToObj(i -> sign + "a" + i + " *b*")
                            .collect(Collectors.joining(end)),
                    read(page).replaceAll("\n{2,}", tag.equals("p") ? "\n\n" : "\n"));
        }
    }

    @Test
    void aVeryLongParagraphStaysOne() throws ConvertException {
        String words =
                IntStream.range(0, 1_000).mapToObj(i -> "w<i>" + i + "</i> ").collect(Collectors.joining());
        String expected =
                IntStream.range(0, 1_000).mapToObj(i -> "w*" + i + "*").collect(Collectors.joining(" "));
        assertEquals(expected, read("<p>" + words + "</p>"));
        assertEquals(
                "before\n" + expected + "\nafter",
                read("<p>before</p>" + words + "<p>after</p>").replaceAll("\n+", "\n"));
    }
}
