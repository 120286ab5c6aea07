package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextLanguageTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "数据库的备份|zh",
                "数据库|zh",
                "如何用 kubectl 部署服务到 Kubernetes 集群里面|zh",
                "データベースのバックアップ|ja",
                "設定はこちらのページにあります|ja",
                "丰田的の字很多，但是这一段文字是中文写的|zh",
                "데이터베이스 백업|ko",
                "Αντίγραφα ασφαλείας|el",
                "Die Datenbank wird von dem Dienst jede Nacht gesichert, und das ist gut|de",
                "The database is saved by the service every night and that is good|en",
                "Это резервная копия базы данных, и она была сделана ночью, как и все другие|ru",
                "int x = foo(bar);|",
                "7 + 8|",
                "''|",
                "\uD800|"
            })
    void aTextsLanguageIsToldByItsScriptOrItsStopWords(String text, @Nullable String language) {
        assertEquals(Optional.ofNullable(language), TextLanguage.of(text));
    }

    /** Nine characters and a kana; ten and one are Chinese with a foreign sign. */
    @Test
    void aTextIsJapaneseIfOneCharacterInTenIsAKana() {
        String nine = "数据库的备份集群里";
        assertEquals(Optional.of("ja"), TextLanguage.of(nine + "务の"));
        assertEquals(Optional.of("zh"), TextLanguage.of(nine + "务服の"));
        assertEquals(Optional.of("ja"), TextLanguage.of(nine + "务ア"));
    }

    @Test
    void allLanguagesThatAreToldHaveCodes() {
        assertTrue(TextLanguage.codes().containsAll(java.util.List.of("de", "en", "ja", "ko", "zh")));
    }
}
