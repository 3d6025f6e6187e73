"""What an asyncpg program does, through the proxy: arguments are port, user, password, database.

asyncpg speaks the protocol itself, without libpq, in binary. Expects the sharded table item_of.
Prints "asyncpg ok" at the end; any failed expectation is an AssertionError.
"""
import asyncio
import io
import sys

import asyncpg

port, user, password, database = sys.argv[1:5]


async def connect():
    return await asyncpg.connect(
        host="127.0.0.1", port=int(port), user=user, password=password, database=database, ssl=False
    )


async def prepared_statements(conn):
    statement = await conn.prepare("select note from item_of where id = $1")
    for i in range(20):
        assert await statement.fetchval(i) == f"note {i}"


async def transactions(conn):
    async with conn.transaction():
        await conn.execute("update item_of set note = 'a' where id = 1")
        await conn.execute("update item_of set note = 'b' where id = 2")
        try:
            async with conn.transaction():  # a savepoint
                await conn.execute("update item_of set note = 'c' where id = 3")
                raise ValueError("on purpose")
        except ValueError:
            pass
    rows = await conn.fetch("select id, note from item_of where id = any($1::int[]) order by id", [1, 2, 3])
    assert [tuple(r) for r in rows] == [(1, "a"), (2, "b"), (3, "note 3")], rows
    await conn.executemany("update item_of set note = $2 where id = $1", [(1, "note 1"), (2, "note 2")])


async def cursor(conn):
    async with conn.transaction():
        notes = [r["note"] async for r in conn.cursor("select note from item_of where id = $1", 5, prefetch=1)]
    assert notes == ["note 5"], notes


async def copy_both_ways(conn):
    lines = "".join(f"{i}\tcopied {i}\n" for i in range(1000, 2000))
    await conn.copy_to_table("item_of", source=io.BytesIO(lines.encode()), columns=["id", "note"])
    assert await conn.fetchval("select count(*) from item_of where id >= 1000") == 1000
    await conn.execute("delete from item_of where id >= 1000")


async def cancel(conn):
    try:
        await asyncio.wait_for(conn.fetch("select pg_sleep(60) from item_of where id = 1"), timeout=0.5)
        raise AssertionError("slept to the end")
    except asyncio.TimeoutError:
        pass
    assert await conn.fetchval("select note from item_of where id = $1", 1) == "note 1"


async def error_recovery(conn):
    try:
        await conn.fetch("select 1 / 0 from item_of where id = $1", 1)
        raise AssertionError("the division went well")
    except asyncpg.DivisionByZeroError:
        pass
    assert await conn.fetchval("select 1") == 1


async def main():
    conn = await connect()
    for check in (prepared_statements, transactions, cursor, copy_both_ways, cancel, error_recovery):
        await check(conn)
        print(check.__name__, flush=True)
    await conn.close()
    print("asyncpg ok")


asyncio.run(main())
