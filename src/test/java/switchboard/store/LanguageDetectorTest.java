package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LanguageDetectorTest {
    private static final Set<Language> ALL = EnumSet.allOf(Language.class);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            de | Der Rat hat am Montag beschlossen, dass die Brücke nicht mehr für Lastwagen offen ist.
            fr | Le conseil a décidé lundi que le pont ne serait plus ouvert aux camions pour des raisons de sécurité.
            es | El consejo ha decidido que el puente no se abra más a los camiones por razones de seguridad.
            it | Il consiglio ha deciso che il ponte non è più aperto ai camion per motivi di sicurezza della città.
            pt | O conselho decidiu que a ponte não será mais aberta aos caminhões, para a segurança de todos.
            nl | De raad heeft besloten dat de brug niet meer open is voor vrachtwagens, omdat het te gevaarlijk is.
            sv | Rådet har beslutat att bron inte längre är öppen för lastbilar eftersom det är för farligt.
            da | Jeg kan ikke se, hvad der er sket ude af byen, og vi ved endnu ikke, hvem der har gjort det af os.
            fi | Neuvosto on päättänyt, että silta ei ole enää auki kuorma-autoille, koska se on liian vaarallinen.
            tr | Belediye bu köprünün artık kamyonlar için açık olmadığına karar verdi, çünkü çok tehlikeli ve eski.
            ru | Совет решил, что мост больше не будет открыт для грузовиков, потому что это слишком опасно.
            el | Το συμβούλιο αποφάσισε ότι η γέφυρα δεν θα είναι πια ανοικτή για τα φορτηγά.
            ar | قرر المجلس أن الجسر لم يعد مفتوحا أمام الشاحنات بعد الآن لأن ذلك خطير على الناس في هذه المدينة
            hu | A tanács úgy döntött, hogy a híd nem lesz többé nyitva a teherautók előtt, mert ez már túl veszélyes.
            """)
    void proseIsInTheLanguageOfItsStopWords(String code, String text) {
        assertEquals(Optional.of(code), LanguageDetector.of(text).map(Language::code));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Berlin Hamburg München Köln Frankfurt",
                "The council has decided that the bridge is no longer open for lorries, as it is too dangerous.",
                "for (int i = 0; i < die.length; i++) { if (der[i] == das) { return und(in, an); } }",
                "public static void main(String[] args) throws IOException { super.run(args); }",
                "議会は月曜日に橋を閉鎖することを決定した",
                "SELECT a, o, e FROM y WHERE i = 1",
                "match r { Ok(e) => a.push(e), Err(c) => { o += 1; s.i(c, e); l.u(a) } }",
                "for (e = c; i < l; e++) { a[i] = o[e] * s[z] + k[v]; u += d[t] - n[m]; y = j; }",
                "const c = (e, a) => e.i(o => o.c === a).l(s => [s, e, o]);"
            })
    void englishSourceCodeAndNamesHaveNone(String text) {
        assertEquals(Optional.empty(), LanguageDetector.of(text));
    }

    @Test
    void oneStopWordTellsTheLanguageOfAQueryAmongThoseThatAreSearched() {
        assertEquals(Optional.of(Language.GERMAN), LanguageDetector.ofQuery("wo ist der Schlüssel", ALL));
        assertEquals(Optional.empty(), LanguageDetector.ofQuery("where is the key", ALL));
        assertEquals(Optional.empty(), LanguageDetector.ofQuery("wo ist der Schlüssel", Set.of()));
        assertEquals(
                Optional.empty(),
                LanguageDetector.ofQuery("wo ist der Schlüssel", Set.of(Language.RUSSIAN)),
                "a language that no text is in does not matter");
    }

    /** Words that are stop words of no language. */
    private static String names(int count) {
        return "Xantippe ".repeat(count);
    }

    @Test
    void threeDifferentStopWordsAndOneWordInTenAreEnoughAndFewerAreNot() {
        assertEquals(Optional.of(Language.GERMAN), LanguageDetector.of("nicht sondern zwischen " + names(27)));
        assertEquals(Optional.empty(), LanguageDetector.of("nicht sondern zwischen " + names(28)));
        assertEquals(
                Optional.empty(), LanguageDetector.of("nicht sondern nicht sondern " + names(4)), "two different ones");
        assertEquals(
                Optional.of(Language.GERMAN),
                LanguageDetector.of("nicht sondern zwischen nicht " + names(36)),
                "four in all");
    }

    @Test
    void aTextIsEnglishWithAsMany() {
        assertTrue(LanguageDetector.english("because before between " + names(27)));
        assertFalse(LanguageDetector.english("because before between " + names(28)));
        assertFalse(LanguageDetector.english("because before because before " + names(4)));
    }

    @Test
    void aThousandWordsTell() {
        String german = "nicht sondern zwischen ".repeat(34);
        assertEquals(Optional.of(Language.GERMAN), LanguageDetector.of(names(898) + german));
        assertEquals(Optional.empty(), LanguageDetector.of(names(998) + german));
        assertEquals(
                Optional.of(Language.GERMAN),
                LanguageDetector.of("nicht sondern zwischen ".repeat(34) + names(20_000)));
    }
}
