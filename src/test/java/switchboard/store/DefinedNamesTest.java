package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which names source code is said to define. */
class DefinedNamesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "def read_header(self, file):|read_header",
                "    async def close(self) -> None:|close",
                "class HeaderReader(Reader):|HeaderReader",
                "func ReadHeader(r io.Reader) (*Header, error) {|ReadHeader",
                "func (s *Set) Has(key string) bool {|Has",
                "pub fn read_header<R: Read>(reader: R) -> Result<Header> {|read_header",
                "impl<T, U> Reader<T, U> {|Reader",
                "public static <T> List<T> sorted(List<T> all) {|sorted",
                "@Override public int hashCode() {|hashCode",
                "HeaderReader(Path file) {|HeaderReader",
                "int count(String name)|count",
                "static char *next_line(FILE *in)|next_line",
                "export async function readHeader(file) {|readHeader",
                "constructor(file) {|constructor",
                "record Header(int length, String name) {}|Header",
                "interface Reader<T> {|Reader"
            })
    void definitionsOfManyLanguagesAreFound(String line, String name) {
        assertEquals(List.of(name), DefinedNames.of(line));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "(",
                "func (",
                "return read_header(file)",
                "read_header(file);",
                "header = read_header(file)",
                "if (header.isEmpty()) {",
                "} else if (header.isEmpty()) {",
                "while (true) {",
                "throw new IllegalStateException(name)",
                "// def read_header(file)",
                "# class HeaderReader",
                " * function readHeader(file) {",
                "print(\"class HeaderReader\")",
                "list.stream().map(x -> x.name())",
                "const sum = (a, b) => a + b"
            })
    void otherLinesDefineNothing(String line) {
        assertEquals(List.of(), DefinedNames.of(line));
    }

    @Test
    void namesAreInTheirOrder() {
        assertEquals(
                List.of("Set", "has", "add", "has"),
                DefinedNames.of(
                        "class Set {\n  boolean has(int x) {\n    return false;\n  }\n  void add(int x) {\n  }\n"
                                + "  boolean has(long x) {\n  }\n}\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"class ", "func (", "func(", "impl<", "a b(", "*", "def\t", "(((((", "x "})
    void longTextsTakeLinearTime(String part) {
        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> DefinedNames.of(part.repeat(200_000) + "\n"));
        String line = part.repeat(900 / part.length()) + "\n";
        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> DefinedNames.of(line.repeat(1_000)));
    }
}
