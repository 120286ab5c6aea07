package switchboard.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.backend.agentroot.text.LineIndex;

/** What each language's definitions become: a line for each piece with its type, its name and its lines. */
class TextSplitterTest {
    private static final TextSplitter PIECES = new TextSplitter(text -> text.length() / 4 + 1, Integer.MAX_VALUE);

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '@', textBlock = """
            rs   @ use a;|/// One.|struct S { n: u32 }|impl S {|    // Two.|    fn m(&self) {}|}|fn f() {}| @ Code  1-1, Struct S 2-3, Impl S 4-4, Method S::m 5-7, Function f 8-8
            py   @ import a|# One.|class C:|    x = 1|    def m(self):|        pass||def f():|    pass| @ Code  1-1, Class C 2-4, Method C::m 5-6, Function f 7-9
            js   @ import a from 'a';|/** One. */|class C {|  m() { return 1; }|}|function f() {}|const g = 1;| @ Code  1-1, Class C 2-3, Method C::m 4-5, Function f 6-6, Code  7-7
            ts   @ interface I { a: string }|type T = I;|enum E { A }|abstract class C {|  m(): T { return null; }|}| @ Interface I 1-1, Type T 2-2, Enum E 3-3, Class C 4-4, Method C::m 5-6
            tsx  @ type P = { name: string };|/** One. */|export function Hello({ name }: P) {|  return <b className='x'>{name}</b>;|}|class Panel extends C<P> {|  render() { return <Hello name='a' />; }|}| @ Type P 1-1, Function Hello 2-5, Class Panel 6-6, Method Panel::render 7-8
            go   @ package a|// One.|type S struct { n int }|func (s *S) M() {}|func f() {}| @ Code  1-1, Type S 2-3, Method M 4-4, Function f 5-5
            java @ package a;|/** One. */|record R(int n) {|    R {}|    int m() { return n; }|}|interface I {}| @ Code  1-1, Class R 2-3, Method R::R 4-4, Method R::m 5-6, Interface I 7-7
            c    @ #include <a.h>|struct s { int n; };|typedef int t;|/* One. */|int f(void) { return 0; }| @ Code  1-1, Struct s 2-2, Type t 3-3, Function f 4-5
            cpp  @ namespace a {|class C {|  int m() { return 1; }|};|}|int a::g() { return 2; }| @ Module a 1-1, Class a::C 2-2, Method a::C::m 3-5, Function a::g 6-6
            java @ /** \uD83D\uDE00\uD83D\uDE00\uD83D\uDE00. */|class \u00C4 {|    // \uD83D\uDE00 \u5B57|    int \u00F6() { return 1; }|}|/* One.||Two. */|// Three.|class B {}||// Four.||// Five.|class C {} @ Class \u00C4 1-2, Method \u00C4::\u00F6 3-5, Class B 6-10, Code  11-13, Class C 14-15
            """)
    void piecesOf(String extension, String source, String expected) {
        String text = source.replace('|', '\n');
        LineIndex lines = new LineIndex(text);
        List<TextPiece> pieces =
                PIECES.of(new ConvertedDocument(text, ConvertedDocument.Markup.PLAIN, null, List.of()), extension);
        StringBuilder all = new StringBuilder();
        pieces.forEach(piece -> all.append(piece.in(text)));
        assertEquals(text, all.toString());
        assertEquals(
                expected,
                String.join(
                        ", ",
                        pieces.stream()
                                .map(piece -> piece.type() + " " + piece.breadcrumb() + " "
                                        + lines.range(piece.start(), piece.end()))
                                .toList()));
    }

    @Test
    void aPageAboutASourceFileIsNoSource() {
        String text = "# Store.java\n\nclass Store {}\n";
        ConvertedDocument page = new ConvertedDocument(text, ConvertedDocument.Markup.MARKDOWN, null, List.of());
        assertEquals(List.of(new TextPiece(0, text.length(), "Text", "Store.java")), PIECES.of(page, "java"));
    }

    @Test
    void sourceThatCannotBeParsedInTimeIsCutAsText() {
        String text = "\"".repeat(200_000);
        Optional<SourceGrammar> java = SourceGrammar.of("java");
        assertEquals(Optional.empty(), SyntaxSplitter.of(text, java.orElseThrow(), Duration.ofMillis(1)));
        ConvertedDocument document = new ConvertedDocument(text, ConvertedDocument.Markup.PLAIN, null, List.of());
        assertEquals(
                List.of("Text"),
                PIECES.of(document, "java").stream()
                        .map(TextPiece::type)
                        .distinct()
                        .toList());
    }

    @Test
    void sourceThatIsNestedTooDeeplyIsCutAllTheSame() {
        Bombs.SOURCE.forEach((name, text) -> {
            String extension = name.substring(name.lastIndexOf('.') + 1);
            List<TextPiece> pieces = assertTimeoutPreemptively(
                    Duration.ofSeconds(60),
                    () -> PIECES.of(
                            new ConvertedDocument(text, ConvertedDocument.Markup.PLAIN, null, List.of()), extension),
                    name);
            StringBuilder all = new StringBuilder();
            pieces.forEach(piece -> all.append(piece.in(text)));
            assertEquals(text, all.toString(), name);
        });
    }
}
