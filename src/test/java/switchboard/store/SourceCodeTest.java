package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken for source code and what for prose. */
class SourceCodeTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "int add(int a, int b) {\n    return a + b;\n}\n",
                "def add(a, b):\n    \"\"\"Adds.\"\"\"\n    return a + b\n\nprint(add(1, 2))\n",
                "func (s *Set) Has(key string) bool {\n\t_, ok := s.keys[key]\n\treturn ok\n}\n",
                "SELECT name FROM users WHERE (age >= 18 AND country_code = 'AT') ORDER BY last_login;",
                "const sum = (...all) => all.reduce((a, b) => a + b, 0);",
                "{\"name\": [1, 2, 3], \"of\": {}}",
                "(defun add (a b) (+ a b))"
            })
    void codeIsToldByItsSigns(String text) {
        assertTrue(SourceCode.is(List.of(text)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " \n\t",
                "A heron is a bird of quiet water.",
                "The effect was significant (p = 0.03; n = 120), as in earlier studies of the same group, and it did not depend on the age of those who took part in them, nor on where they lived.",
                "Der Reiher (Ardea cinerea) wartet am Ufer und bewegt sich nicht, bis ein Fisch in seine Reichweite kommt.",
                "鷺は静かな水辺の鳥である。",
                "Set `max_open` in the file `conf/app.yaml` to a larger number if many libraries are searched at once, and start it again."
            })
    void proseHasFewOfThem(String text) {
        assertFalse(SourceCode.is(List.of(text)));
    }

    @Test
    void textsAreTakenTogether() {
        String comment = "Adds two numbers and returns their sum. ".repeat(2);
        assertFalse(SourceCode.is(List.of(comment)));
        assertTrue(SourceCode.is(
                List.of(comment, "int add(int a, int b) { return a + b; }", "sum(add(1, 2), add(3, 4));")));
        assertFalse(SourceCode.is(List.of()));
    }
}
