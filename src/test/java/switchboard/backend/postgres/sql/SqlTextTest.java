package switchboard.backend.postgres.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/** SQL as text: tokens, connection phrases, what may be sent. */
class SqlTextTest {
    private static List<String> kinds(String sql) {
        return SqlLexer.tokens(sql).stream()
                .map(token -> token.kind() + ":" + token.text())
                .toList();
    }

    @Test
    void stringsOfEveryFormAreOneToken() {
        for (String string : List.of(
                "'it''s'",
                "E'a\\'b'",
                "e'a'\n  'b\\''",
                "'a' -- note\n 'b'",
                "$$ ' \" ; -- $$",
                "$tag$ $$ $tagg$ $tag$",
                "B'101'",
                "x'ff'",
                "N'n'",
                "U&'d\\0061t\\'",
                "'a\\'",
                "''")) {
            List<SqlToken> tokens = SqlLexer.tokens(string + " x");
            assertEquals(2, tokens.size(), string);
            assertEquals(SqlToken.TokenType.STRING, tokens.getFirst().kind(), string);
        }
        assertEquals(2, SqlLexer.tokens("'a' 'b'").size());
    }

    @Test
    void wordsFoldAndNamesKeep() {
        assertEquals(
                List.of("WORD:select", "QUOTED:Mixed \" Case", "SYMBOL:.", "WORD:ÄöÜ", "SYMBOL:,", "WORD:a$1"),
                kinds("SELECT \"Mixed \"\" Case\".ÄöÜ, A$1"));
        assertEquals(
                List.of("NUMBER:1.5e-3", "SYMBOL:-", "NUMBER:0xFF", "SYMBOL:[", "NUMBER:1", "SYMBOL::", "NUMBER:2"),
                kinds("1.5e-3-0xFF[1:2").stream().limit(7).toList());
        assertEquals(List.of("SYMBOL:*", "NUMBER:1"), kinds("*--c\n/* a /* b */ ; */1"));
        assertEquals(List.of("PARAMETER:$1", "WORD:u", "SYMBOL:&", "WORD:b"), kinds("$1 u&b"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"'open", "\"open", "$$ open", "/* /* */", "E'open\\'", "U&\"x\"", "a\0b", "$a$ $b$"})
    void whatDoesNotEndIsRefused(String sql) {
        assertThrows(ToolException.class, () -> SqlLexer.tokens(sql));
    }

    @Property(tries = 2000)
    void anyTextIsReadOrRefused(@ForAll String text) {
        try {
            int end = 0;
            for (SqlToken token : SqlLexer.tokens(text)) {
                assertTrue(token.start() >= end && token.end() > token.start() && token.end() <= text.length());
                end = token.end();
            }
        } catch (ToolException refused) {
            assertEquals(FailureKind.INVALID_ARGUMENT, refused.failed().kind());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Show users at postgres://localhost/mydb|Show users|postgres://localhost/mydb",
                "Get all tables from postgres://host:5432/testdb|Get all tables|postgres://host:5432/testdb",
                "List databases on postgresql://server/postgres|List databases|postgresql://server/postgres",
                "Get statistics for postgres://h/d|Get statistics|postgres://h/d",
                "Count rows in postgres://h/d;|Count rows|postgres://h/d",
                "SHOW USERS FROM POSTGRES://h/d|SHOW USERS|POSTGRES://h/d",
                "database postgres://h/d show all tables|show all tables|postgres://h/d",
                "db postgresql://h/d get schema info|get schema info|postgresql://h/d",
                "SELECT 1 AT postgres://user:pass@h:1/d|SELECT 1|postgres://user:pass@h:1/d",
                "postgres://h/d|''|postgres://h/d",
                "SELECT 'x at postgres://a/b' AT postgres://c/d|SELECT 'x at postgres://a/b'|postgres://c/d"
            })
    void connectionPhrasesAtTheEnd(String text, String sql, String url) {
        assertEquals(new QueryText.OnDatabase(sql, url), QueryText.parse(text));
    }

    @ParameterizedTest
    @CsvSource({
        "set default database to postgres://h/d,postgres://h/d",
        "use database postgres://h/d,postgres://h/d",
        "switch to postgres://h/d,postgres://h/d",
        "'   SET DEFAULT DATABASE analytics;',analytics",
        "SET DEFAULT DATABASE,''",
        "SET DEFAULT DATABASE TO other-db,other-db"
    })
    void settingADefault(String text, String target) {
        assertEquals(new QueryText.SetDefault(target), QueryText.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SET DEFAULT DATABASE a; SELECT 1", "switch to a SELECT 1", "use database a;b"})
    void nothingFollowsASettingOfTheDefault(String text) {
        assertThrows(ToolException.class, () -> QueryText.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "get the dataset from table",
                "what can I use to query this",
                "SELECT 'copied from postgres://h/db'",
                "SELECT 1 -- at postgres://h/d",
                "SELECT $$at postgres://h/d$$",
                "SELECT * FROM t WHERE x LIKE '%switch to%'",
                "SELECT postgres FROM postgresql"
            })
    void plainTexts(String text) {
        assertInstanceOf(QueryText.Plain.class, QueryText.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1 at postgres://h/d WHERE true",
                "SELECT (1 at postgres://h/d)",
                "SELECT 1 at postgres://h/d at postgres://h/d",
                "SELECT 1 with postgres://h/d",
                "SELECT 1, postgres://h/d"
            })
    void urlsAnywhereElseAreRefused(String text) {
        assertThrows(ToolException.class, () -> QueryText.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select 1",
                "SELECT 1;",
                "select 1 ; ; -- end",
                "/* c */ with a as (select 1) select * from a",
                "with update as (select 1) select count(*) from update",
                "values (1), (2)",
                "table t",
                "((select 1) union (select 2)) order by 1",
                "select * from t where name = 'delete from t; drop table t'",
                "select \"insert\" from \"delete\"",
                "select pg_sleep(1), pg_notify from t",
                "select * from set_config",
                "explain select 1",
                "explain (analyze, format json) with a as (select 1) table a",
                "explain analyze verbose (select 1)",
                "show all"
            })
    void statementsThatRead(String sql) {
        assertFalse(CallerStatement.check(sql).sql().endsWith(";"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ";",
                "-- nothing",
                "select 1; select 2",
                "select $1",
                "insert into t values (1)",
                "explain delete from t",
                "explain analyze execute x",
                "with a as (select 1) delete from t",
                "with a as materialized (delete from t returning *) select * from a",
                "copy t to stdout",
                "/* x */ do $$ begin end $$",
                "begin",
                "select pg_catalog . \"pg_notify\" /* x */ ('a', 'b')",
                "select SET_CONFIG('a', 'b', false)",
                "select 1, set_config('a', 'b', false)",
                "select * from t, pg_read_file('/etc/passwd') as (a text)",
                "with a as (select 1), b as (select 2) select 1, pg_read_file('/etc/passwd')",
                "with a as (select pg_try_advisory_lock(1)) select * from a",
                "select 1 into t",
                "select * from (select 1 into t) as a",
                "select dblink_connect('x')",
                "selct 1"
            })
    void statementsThatDoNotJustRead(String sql) {
        assertThrows(ToolException.class, () -> CallerStatement.check(sql));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a = 1", "(a = 1) or (b in (1, 2))", "a = ')'", "a = 1 -- ) or (", "(((true)))"})
    void expressionsThatAreComplete(String sql) {
        assertEquals(sql, CallerStatement.checkExpression(sql));
    }

    /** What would end the parentheses that it stands in, or do more than compare. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-- nothing",
                "a = 1) or (b = 2",
                "a = 1) union (select 1",
                "a = 1) or ((b = 2)",
                ")(",
                "(a = 1",
                "a = 1;",
                "a = 1; select 1",
                "a = $1",
                "set_config('a', 'b', false) is null",
                "a = 1 or pg_read_file('/etc/passwd') is null"
            })
    void whatIsNotOneCompleteExpressionIsRefused(String sql) {
        assertThrows(ToolException.class, () -> CallerStatement.checkExpression(sql));
    }

    @Test
    void writesAreNamedWithTheirSqlstate() {
        ToolException refused = assertThrows(ToolException.class, () -> CallerStatement.check("Update t set a = 1"));
        assertEquals("25006", refused.failed().code());
        assertTrue(refused.getMessage().startsWith("cannot execute UPDATE in a read-only transaction"));
    }

    @Test
    void namesArePartedAndQuoted() {
        assertEquals(List.of("a", "b"), Identifiers.parts("a.b"));
        assertEquals(List.of("a.b", "c\"d"), Identifiers.parts("\"a.b\" . \"c\"\"d\""));
        assertEquals("\"a\"\"; drop\".\"b\"", Identifiers.quote("a\"; drop", "b"));
    }
}
