"""What a psycopg program does, through the proxy: argument 1 is the connection string.

Expects the sharded table item_of (id int, note text) with both shards holding some of its ids.
Prints "psycopg ok" at the end; any failed expectation is an AssertionError.
"""
import sys
import threading
import time

import psycopg
from psycopg import errors

conninfo = sys.argv[1]


def prepared_statements(conn):
    for i in range(20):
        row = conn.execute(
            "select note from item_of where id = %s", (i,), prepare=True
        ).fetchone()
        assert row == (f"note {i}",), row


def binary(conn):
    cur = conn.cursor(binary=True)
    assert cur.execute("select id, note from item_of where id = %s", (7,)).fetchone() == (7, "note 7")


def pipeline(conn):
    with conn.pipeline() as pipe:
        cursors = [conn.execute("select note from item_of where id = %s", (i,)) for i in range(30)]
        pipe.sync()
        assert [c.fetchone()[0] for c in cursors] == [f"note {i}" for i in range(30)]
    conn.rollback()


def pipeline_error(conn):
    try:
        with conn.pipeline():
            conn.execute("update item_of set note = 'lost' where id = 1")
            conn.execute("select 1 / 0 from item_of where id = 2")
            conn.execute("update item_of set note = 'lost' where id = 3")
        raise AssertionError("the division went well")
    except errors.DivisionByZero:
        conn.rollback()
    assert conn.execute("select count(*) from item_of where note = 'lost'").fetchone() == (0,)
    conn.rollback()


def copy_both_ways(conn):
    with conn.cursor().copy("copy item_of (id, note) from stdin") as copy:
        for i in range(1000, 2000):
            copy.write_row((i, f"copied {i}"))
    conn.commit()
    assert conn.execute("select count(*) from item_of where id >= 1000").fetchone() == (1000,)
    with conn.cursor().copy("copy (select id, note from item_of where id = 1234) to stdout") as copy:
        rows = [tuple(row) for row in copy.rows()]
    assert rows == [("1234", "copied 1234")], rows
    conn.execute("delete from item_of where id >= 1000")
    conn.commit()


def cancel_when_it_has_begun(conn):
    # A cancel that comes before the statement is lost. The lock shows from another connection that it is under way.
    with psycopg.connect(conninfo, autocommit=True) as other:
        while other.execute("select pg_try_advisory_xact_lock(42) from item_of where id = 1").fetchone() == (True,):
            time.sleep(0.05)
    conn.cancel()


def cancel(conn):
    canceller = threading.Thread(target=cancel_when_it_has_begun, args=(conn,), daemon=True)
    canceller.start()
    try:
        conn.execute("select pg_advisory_xact_lock(42), pg_sleep(240) from item_of where id = 1")
        raise AssertionError("slept to the end")
    except errors.QueryCanceled:
        canceller.join()
        conn.rollback()
    prepared_statements(conn)
    conn.rollback()


def error_recovery(conn):
    try:
        conn.execute("select no_such_column from item_of where id = 1")
        raise AssertionError("an unknown column went well")
    except errors.UndefinedColumn:
        pass
    try:
        conn.execute("select 1")
        raise AssertionError("a failed transaction went on")
    except errors.InFailedSqlTransaction:
        conn.rollback()
    assert conn.execute("select 1").fetchone() == (1,)
    conn.rollback()


def transfer_over_shards(conn):
    for ids in ((1, 2), (3, 4), (5, 6)):
        for i in ids:
            conn.execute("update item_of set note = note || '!' where id = %s", (i,))
        conn.commit()
    assert conn.execute("select count(*) from item_of where note like '%%!'", ()).fetchone() == (6,)
    conn.execute("update item_of set note = rtrim(note, '!')")
    conn.commit()


with psycopg.connect(conninfo) as connection:
    for check in (
        prepared_statements,
        binary,
        pipeline,
        pipeline_error,
        copy_both_ways,
        cancel,
        error_recovery,
        transfer_over_shards,
    ):
        check(connection)
        connection.rollback()
        print(check.__name__, flush=True)
print("psycopg ok")
