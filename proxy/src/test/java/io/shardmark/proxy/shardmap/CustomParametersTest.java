package io.shardmark.proxy.shardmap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CustomParametersTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '~',
      value = {
        "begin set app.x = 1; set local \"App\".\"y\" to 2; set work_mem = 1; end ! NAMED ! app.x app.y",
        "select set_config('App.X', $1, true), pg_catalog.set_config ( 'role' , 'a', false) ! NAMED ! app.x",
        "perform set_config(setting_name => 'a.b', new_value => v, is_local => true) ! NAMED ! a.b",
        "execute 'set session a.b = 1' ! NAMED ! a.b",
        "execute 'select set_config(''a.b'', ''1'', false)' ! NAMED ! a.b",
        "execute format('set %I = %L', n, v) ! ANY !",
        "execute ' set ' || n || ' = 1' ! ANY !",
        "execute format('update %I set %I = 1', n, v) ! NAMED !",
        "perform set_config(n, v, false) ! ANY !",
        "perform set_config('app.' || n, v, false); set a.b = 1 ! ANY ! a.b",
        "update t set v = 1 ! NAMED !",
        "select 1 from reset_config ! NAMED !",
      })
  void readsTheNamesThatATextSets(String text, CustomParameters.Reach reach, String names) {
    CustomParameters made = CustomParameters.in(text);
    assertThat(made.reach()).isEqualTo(reach);
    assertThat(String.join(" ", new TreeSet<>(made.names()))).isEqualTo(names == null ? "" : names);
  }

  @Test
  void bothTogetherAreTheWiderOne() {
    CustomParameters named = CustomParameters.in("set a.b = 1");
    CustomParameters any = CustomParameters.in("select set_config($1, $2, true)");
    assertThat(CustomParameters.NONE.and(named)).isEqualTo(named);
    assertThat(named.and(CustomParameters.NONE)).isEqualTo(named);
    assertThat(named.and(any))
        .isEqualTo(new CustomParameters(CustomParameters.Reach.ANY, Set.of("a.b")));
    assertThat(any.and(named).reach()).isEqualTo(CustomParameters.Reach.ANY);
  }
}
