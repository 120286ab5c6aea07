package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerVersionTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PostgreSQL 15.4 on x86_64-pc-linux-gnu, compiled by gcc (GCC) 11.2.0, 64-bit|15.4|linux|x86_64-pc-linux-gnu|gcc (GCC) 11.2.0|64-bit",
                "PostgreSQL 16.1 on aarch64-apple-darwin23.0.0, compiled by Apple clang version 15.0.0, 64-bit|16.1|darwin23.0.0|aarch64-apple-darwin23.0.0|Apple clang version 15.0.0|64-bit",
                "PostgreSQL 14.2 (Debian 14.2-1) on x86_64-w64-mingw32, compiled by gcc, 64-bit|14.2|mingw32|x86_64-w64-mingw32|gcc|64-bit",
                "PostgreSQL 10.0|10.0|Unknown|Unknown|Unknown|Unknown",
                "something else|Unknown|Unknown|Unknown|Unknown|Unknown"
            })
    void readsWhatTheServerSays(
            String full, String version, String system, String architecture, String compiler, String bits) {
        assertEquals(
                new ServerVersion(version, "1", full, system, architecture, compiler, bits),
                ServerVersion.parse(full, "1"));
    }
}
