package io.shardmark.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which texts of triggers may store another value in the column w_id. */
final class RowTriggerTest {
  private static boolean mayChange(String source) {
    return new RowTrigger("t", "plpgsql", source, "").mayChange("w_id");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "begin new.w_id := 1; return new; end",
        "begin NEW . \"w_id\" := 1; return new; end",
        "begin if true then new.w_id = 1; end if; return new; end",
        "begin select 1 into new.w_id; return new; end",
        "begin select 1, 2 into strict new.a, new.w_id; return new; end",
        "begin get diagnostics a = row_count, new.w_id = row_count; return new; end",
        "begin for new.w_id in 1..2 loop null; end loop; return new; end",
        "begin call other(new.w_id); return new; end",
        "begin new := row(1, 2); return new; end",
        "begin select * into new from s limit 1; return new; end",
        "declare r record; begin r := new; r.w_id := 1; return r; end",
        "declare r alias for new; begin r.w_id := 1; return new; end",
        "begin return jsonb_populate_record(new, '{}'); end",
        "begin x := '--'; new.w_id := 1; return new; end",
        "begin <<l>> new.w_id = 1; return new; end",
      })
  void anotherValue(String source) {
    assertThat(mayChange(source)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "begin new.changed := now(); return new; end",
        "begin -- sets new.w_id := 1\n new.a = 1; /* new := old; */ return new; end",
        "begin if new.w_id = 1 then raise exception 'new.w_id := %', new.w_id; end if; return new; end",
        "begin insert into log values (new.w_id, new.a, 'x'); return new; end",
        "begin insert into log select a, new.w_id from s; return new; end",
        "begin insert into log select to_jsonb(new), new.*; return new; end",
        "begin if new is distinct from old then return null; end if; return new; end",
        "begin select max(n) + 1 into new.n from s where s.w_id = new.w_id; return new; end",
        "begin new.a := new.w_id; return old; end",
      })
  void theSameValue(String source) {
    assertThat(mayChange(source)).isFalse();
  }
}
