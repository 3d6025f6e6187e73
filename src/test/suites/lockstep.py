#!/usr/bin/python3
"""Executes psql scripts on two servers, statement by statement, and compares what they answer.

  lockstep.py [--reasons FILE] [--table FILE] [--spread TABLE:COLUMN,...] PLAIN PROXY SCRIPT...

PLAIN and PROXY are libpq connection strings. Each statement goes to PROXY first. If the proxy refuses
it with 0A000 (55000: to fetch backward), PLAIN is not asked, so that both keep the same tables; inside a
transaction block PLAIN gets an error of its own instead, because its transaction must fail as well.
Everything else must be equal: command tags, rows (as a set, unless the statement orders them), notices,
and SQLSTATE and text of an error.

psql's own commands are executed as far as statements need them (variables, \\c, \\gset, \\gexec, \\copy
data); those that only show something are skipped. COPY from a file of the server is sent as COPY FROM
STDIN to both. A statement that is not answered within the limit counts as a hang.

The file of reasons has a line for each difference that is known, or for several of one kind:

  SCRIPT NUMBER : reason            the statement's place in the script, from 1; or FIRST-LAST
  SCRIPT OUTCOME /PATTERN/ : reason statements whose text, in one line, has a match of the pattern

SCRIPT may be * for all. OUTCOME limits what is explained: an SQLSTATE, with which the proxy fails;
rows, if both give rows; notices, if nothing else differs. Prints a line for each script and each
difference without a reason, and ends with 1 if there is one, or a reason that explains nothing any more.

--spread has the proxy make these tables hash-partitioned by the column, with three partitions. --table
writes the counts of all scripts as a table.
"""
import os
import re
import select
import sys
import time
from collections import Counter, namedtuple

from psycopg import pq

LIMIT_SECONDS = float(os.environ.get("STATEMENT_LIMIT", "60"))
SHOWN = re.compile(r"\\(d|l|z|pset|echo|qecho|warn|a|x|t|p|r|sf|sv|errverbose|timing|encoding|lo_list|du|dg|h|f|H)")
WORD = re.compile(r"[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*")
VARIABLE = re.compile(r":(?:'(\w+)'|\"(\w+)\"|(\w+))")

Item = namedtuple("Item", "kind text data")  # kind: sql or meta; data: of COPY FROM STDIN, or None
Answer = namedtuple("Answer", "results refused hung")


class Script:
    """The statements and commands of a script, read as psql reads them."""

    def __init__(self, text):
        self.text = text
        self.at = 0

    def items(self):
        """Yields each; a statement that reads CopyData has the lines up to the end mark."""
        while True:
            start = self.skip_space()
            if self.at >= len(self.text):
                return
            if self.text[self.at] == "\\":
                yield Item("meta", self.rest_of_line().strip(), None)
                continue
            ended_by = self.statement()
            statement = self.text[start : self.at].strip()
            if ended_by == "\\":
                yield Item("meta", statement + "\n" + self.rest_of_line().strip(), None)
                continue
            data = None
            if re.search(r"\bfrom\s+stdin\b", statement, re.I) and re.match(r"\s*copy\b", statement, re.I):
                self.rest_of_line()
                data = self.copy_data()
            if statement.strip(" ;\n\t"):
                yield Item("sql", statement, data)

    def skip_space(self):
        while self.at < len(self.text):
            if self.text[self.at].isspace():
                self.at += 1
            elif self.text.startswith("--", self.at):
                self.rest_of_line()
            else:
                break
        return self.at

    def rest_of_line(self):
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        line = self.text[self.at : end]
        self.at = min(end + 1, len(self.text))
        return line

    def copy_data(self):
        lines = []
        while self.at < len(self.text):
            line = self.rest_of_line()
            if line == "\\.":
                break
            lines.append(line + "\n")
        return "".join(lines)

    def statement(self):
        """Moves behind the statement's end; what ended it: ; or a backslash command."""
        depth = 0
        atomic = 0
        text = self.text
        while self.at < len(text):
            c = text[self.at]
            if c in "'\"":
                escapes = c == "'" and self.at > 0 and text[self.at - 1] in "eE" and (
                    self.at < 2 or not (text[self.at - 2].isalnum() or text[self.at - 2] == "_")
                )
                self.quoted(c, escapes)
            elif text.startswith("--", self.at):
                self.rest_of_line()
            elif text.startswith("/*", self.at):
                self.comment()
            elif c == "$" and (tag := re.compile(r"\$([A-Za-z_]\w*)?\$").match(text, self.at)):
                end = text.find(tag.group(0), tag.end())
                self.at = len(text) if end < 0 else end + len(tag.group(0))
            elif c == "\\" and text.startswith("\\;", self.at):
                self.at += 2
            elif c == "\\":
                return "\\"
            elif c in "([":
                depth += 1
                self.at += 1
            elif c in ")]":
                depth = max(0, depth - 1)
                self.at += 1
            elif c == ";" and depth == 0 and atomic == 0:
                self.at += 1
                return ";"
            elif word := WORD.match(text, self.at):
                lower = word.group(0).lower()
                if lower == "atomic" or (atomic and lower == "case"):
                    atomic += 1
                elif atomic and lower == "end":
                    atomic -= 1
                self.at = word.end()
            else:
                self.at += 1
        return ""

    def quoted(self, quote, escapes):
        self.at += 1
        while self.at < len(self.text):
            c = self.text[self.at]
            if c == "\\" and escapes:
                self.at += 2
            elif c == quote and self.text.startswith(quote * 2, self.at):
                self.at += 2
            elif c == quote:
                self.at += 1
                return
            else:
                self.at += 1

    def comment(self):
        depth = 0
        while self.at < len(self.text):
            if self.text.startswith("/*", self.at):
                depth += 1
                self.at += 2
            elif self.text.startswith("*/", self.at):
                depth -= 1
                self.at += 2
                if depth == 0:
                    return
            else:
                self.at += 1


class Server:
    """One connection, and the means to make it again."""

    def __init__(self, conninfo):
        self.conninfo = conninfo
        self.changes = ""
        self.connect()

    def connect(self):
        self.notices = []
        self.connection = pq.PGconn.connect(f"{self.conninfo} {self.changes}".encode())
        if self.connection.status != pq.ConnStatus.OK:
            raise ConnectionError(self.connection.error_message.decode())
        self.connection.notice_handler = lambda notice: self.notices.append(
            (notice.error_field(pq.DiagnosticField.SEVERITY_NONLOCALIZED) or b"").decode()
            + ": "
            + (notice.error_field(pq.DiagnosticField.MESSAGE_PRIMARY) or b"").decode("utf8", "replace")
        )

    def reconnect(self, changes):
        self.connection.finish()
        self.changes = changes
        self.connect()

    def is_in_transaction(self):
        return self.connection.transaction_status in (
            pq.TransactionStatus.INTRANS,
            pq.TransactionStatus.INERROR,
        )

    def execute(self, sql, data):
        self.notices.clear()
        connection = self.connection
        deadline = time.monotonic() + LIMIT_SECONDS
        results = []
        refused = False
        try:
            connection.send_query(sql.encode("utf8", "surrogateescape"))
            while True:
                while connection.is_busy():
                    left = deadline - time.monotonic()
                    if left <= 0 or not select.select([connection.socket], [], [], left)[0]:
                        return Answer([], False, True)
                    connection.consume_input()
                result = connection.get_result()
                if result is None:
                    break
                results.append(self.seen(result, data))
                refused |= self.is_refusal(result)
        except Exception as error:  # a closed connection is an answer too
            results.append(("lost", str(error).strip()))
            self.reconnect(self.changes)
        return Answer(results + [("notices", sorted(self.notices))] * bool(self.notices), refused, False)

    def seen(self, result, data):
        status = result.status
        if status == pq.ExecStatus.COPY_IN:
            self.connection.put_copy_data((data or "").encode("utf8", "surrogateescape"))
            self.connection.put_copy_end()
            return ("copy in",)
        if status == pq.ExecStatus.COPY_OUT:
            rows = []
            while True:
                size, row = self.connection.get_copy_data(0)
                if size < 0:
                    return ("copy out", sorted(rows))
                rows.append(bytes(row))
        if status == pq.ExecStatus.TUPLES_OK:
            rows = [
                tuple(result.get_value(row, column) for column in range(result.nfields))
                for row in range(result.ntuples)
            ]
            types = [(result.fname(i), result.ftype(i)) for i in range(result.nfields)]
            return ("rows", [name for name, _ in types], rows, result.command_status)
        if status == pq.ExecStatus.FATAL_ERROR:
            field = result.error_field
            return (
                "error",
                (field(pq.DiagnosticField.SQLSTATE) or b"").decode(),
                (field(pq.DiagnosticField.MESSAGE_PRIMARY) or b"").decode("utf8", "replace"),
            )
        return (pq.ExecStatus(status).name, result.command_status)

    @staticmethod
    def is_refusal(result):
        """Whether the proxy says 0A000, or 55000 as to a cursor without SCROLL: a server's own error names
        the routine that raised it."""
        field = result.error_field
        return (
            result.status == pq.ExecStatus.FATAL_ERROR
            and field(pq.DiagnosticField.SQLSTATE) in (b"0A000", b"55000")
            and not field(pq.DiagnosticField.SOURCE_FUNCTION)
        )


def is_ordered(sql):
    """Whether ORDER BY is that of the statement, not of something in parentheses."""
    outside, depth = "", 0
    for c in re.sub(r"'[^']*'", "", sql):
        depth += (c == "(") - (c == ")")
        outside += c if depth == 0 else " "
    return re.search(r"\border\s+by\b", outside, re.I) is not None


def comparable(answer, ordered):
    results = []
    for result in answer.results:
        if result[0] == "rows":
            rows = result[2] if ordered else sorted(result[2], key=repr)
            result = ("rows", result[1], rows, result[3])
        results.append(result)
    return results


class Run:
    """One script on both servers."""

    def __init__(self, name, plain, proxy, known, spread):
        self.name = name
        self.plain = plain
        self.proxy = proxy
        self.known = known
        self.spread = spread
        self.counts = Counter()
        self.differences = []
        given = {
            "abs_srcdir": os.environ.get("PG_ABS_SRCDIR", ""),
            "libdir": os.environ.get("PG_LIBDIR", ""),
            "dlsuffix": ".so",
        }
        plain.variables = dict(given)
        proxy.variables = dict(given)
        self.skipping = []
        self.number = 0

    def script(self, text):
        for item in Script(text).items():
            if item.kind == "meta":
                if not self.command(item.text):
                    return
            elif not any(self.skipping):
                self.statement(item.text, item.data)

    @staticmethod
    def interpolated(text, server):
        def value(match):
            name = match.group(1) or match.group(2) or match.group(3)
            if name not in server.variables or text[match.start() - 1 : match.start()] == ":":
                return match.group(0)
            found = server.variables[name]
            if match.group(1):
                return "'" + found.replace("'", "''") + "'"
            return '"' + found + '"' if match.group(2) else found

        return VARIABLE.sub(value, text).replace("\\;", ";")

    def statement(self, text, data=None):
        """Executes it on both; their answers, the plain server's is None if it was not asked."""
        sql = self.interpolated(text, self.plain)
        asked = self.interpolated(text, self.proxy)
        self.number += 1
        file = re.match(r"\s*copy\s+(?P<to>[^;]*?)\s+from\s+'(?P<file>[^']+)'(?P<rest>.*)$", sql, re.I | re.S)
        if file and os.path.exists(file.group("file")):
            sql = f"COPY {file.group('to')} FROM STDIN {file.group('rest')}"
            data = open(file.group("file"), encoding="utf8", errors="surrogateescape").read()
            asked = sql
        spread = self.spreading(asked)
        answer = self.proxy.execute(spread, data)
        if spread != asked and all(result[0] != "error" for result in answer.results):
            answer = Answer(answer.results[:1], False, False)
        if answer.hung:
            self.differ(sql, "hangs", answer, None)
            self.proxy.reconnect(self.proxy.changes)
            return answer, None
        if answer.refused:
            self.counts["refused"] += 1
            self.refusals = getattr(self, "refusals", Counter())
            self.refusals[next(r[2] for r in answer.results if r[0] == "error")] += 1
            if self.plain.is_in_transaction():
                self.plain.execute("do $$ begin raise exception 'refused'; end $$", None)
            return answer, None
        expected = self.plain.execute(sql, data)
        ordered = is_ordered(sql)
        if expected.hung:
            self.plain.reconnect(self.plain.changes)
            self.differ(sql, "hangs directly", answer, expected)
        elif comparable(answer, ordered) == comparable(expected, ordered):
            self.counts["equal"] += 1
        else:
            self.differ(sql, "differs", answer, expected)
        if self.plain.is_in_transaction() != self.proxy.is_in_transaction():
            for server in (self.plain, self.proxy):
                server.execute("rollback", None)
        return answer, expected

    def spreading(self, sql):
        """CREATE TABLE of one that is to be spread; its partitions are made with it."""
        made = re.match(r"\s*create\s+table\s+(\w+)\s*\([^;]*\)\s*;?$", sql, re.I)
        column = made and self.spread.get(made.group(1).lower())
        if not column:
            return sql
        name = made.group(1)
        partitions = "".join(
            f"; create table {name}_h{i} partition of {name} for values with (modulus 3, remainder {i})"
            for i in range(3)
        )
        return sql.rstrip("; \n") + f" partition by hash ({column})" + partitions

    def differ(self, sql, how, answer, expected):
        line = " ".join(sql.split())
        if any(reason.explains(self, line, answer, expected) for reason in self.known):
            self.counts["explained"] += 1
            return
        self.counts["different"] += 1
        self.differences.append((self.number, how, sql, answer, expected))

    def command(self, text):
        """Executes a command of psql; whether the script goes on."""
        before, _, line = text.rpartition("\n")
        words = line.split()
        name = words[0] if words else ""
        if name in ("\\if", "\\elif", "\\else", "\\endif"):
            self.conditional(name, words)
        elif any(self.skipping):
            pass
        elif before.strip():
            self.executed(before, words)
        elif name == "\\set" and len(words) > 1:
            for server in (self.plain, self.proxy):
                server.variables[words[1]] = "".join(
                    self.interpolated(word, server).strip("'") for word in words[2:]
                )
        elif name == "\\unset":
            for server in (self.plain, self.proxy):
                server.variables.pop(words[1], None)
        elif name in ("\\c", "\\connect"):
            self.reconnect(words[1:])
        elif name in ("\\q", "\\quit"):
            return False
        elif not SHOWN.match(line):
            self.counts["commands skipped"] += 1
        return True

    def conditional(self, name, words):
        if name == "\\if":
            value = self.interpolated(" ".join(words[1:]), self.plain).strip("'").lower()
            self.skipping.append(value not in ("t", "true", "1", "on", "yes"))
        elif name == "\\endif" and self.skipping:
            self.skipping.pop()
        elif self.skipping:
            self.skipping[-1] = not self.skipping[-1]

    def executed(self, sql, words):
        answer, expected = self.statement(sql)
        for server, given in ((self.proxy, answer), (self.plain, expected)):
            rows = next((r for r in (given.results if given else []) if r[0] == "rows"), None)
            if words[0] == "\\gset" and rows and len(rows[2]) == 1:
                for column, value in zip(rows[1], rows[2][0]):
                    server.variables[column.decode()] = "" if value is None else value.decode()
        if words[0] == "\\gexec" and rows:
            for row in rows[2]:
                for value in row:
                    if value is not None:
                        self.statement(value.decode())

    def reconnect(self, words):
        changes = []
        if len(words) > 0 and words[0] != "-":
            changes.append(f"dbname={self.interpolated(words[0], self.plain)}")
        if len(words) > 1 and words[1] != "-":
            changes.append(f"user={self.interpolated(words[1], self.plain)}")
        for server in (self.plain, self.proxy):
            try:
                server.reconnect(" ".join(changes))
            except ConnectionError:
                server.reconnect("")


def short(value, limit=400):
    text = repr(value)
    return text if len(text) <= limit else text[:limit] + " ..."


class Reason:
    """A line of the file of reasons."""

    FORM = re.compile(r"(\S+)\s+(?:(\d+)(?:-(\d+))?|(\w+)\s+/(.*)/)\s+:\s+(.*)")

    def __init__(self, line):
        self.line = line.strip()
        self.script, first, last, self.outcome, pattern, _ = self.FORM.fullmatch(self.line).groups()
        self.numbers = range(int(first), int(last or first) + 1) if first else None
        self.pattern = re.compile(pattern, re.I) if pattern is not None else None
        self.used = False

    def explains(self, run, line, answer, expected):
        if self.script not in ("*", run.name):
            return False
        if self.numbers is not None:
            fits = run.number in self.numbers
        else:
            fits = self.pattern.search(line) and self.is_outcome(answer, expected)
        self.used |= bool(fits)
        return fits

    def is_outcome(self, answer, expected):
        kinds = [[result[0] for result in results if result[0] != "notices"] for results in both(answer, expected)]
        if self.outcome == "rows":
            return "rows" in kinds[0] and kinds[0] == kinds[1]
        if self.outcome == "notices":
            said = [[result for result in results if result[0] != "notices"] for results in both(answer, expected)]
            return said[0] == said[1]
        return any(result[0] == "error" and result[1] == self.outcome for result in answer.results)


def both(answer, expected):
    return answer.results, expected.results if expected else []


def main(arguments):
    options = {"--reasons": None, "--table": None, "--spread": ""}
    while arguments[0] in options:
        options[arguments[0]] = arguments[1]
        arguments = arguments[2:]
    plain_info, proxy_info = arguments[:2]
    known = []
    if options["--reasons"]:
        lines = [line for line in open(options["--reasons"]) if line.strip() and not line.startswith("#")]
        known = [Reason(line) for line in lines]
    spread = dict(pair.split(":") for pair in options["--spread"].split(",") if pair)
    total = Counter()
    table = []
    for script in arguments[2:]:
        name = os.path.splitext(os.path.basename(script))[0]
        started = time.monotonic()
        run = Run(name, Server(plain_info), Server(proxy_info), known, spread)
        run.script(open(script, encoding="utf8", errors="surrogateescape").read())
        for server in (run.plain, run.proxy):
            server.connection.finish()
        total += run.counts
        table.append((name, run.counts))
        counts = ", ".join(f"{count} {what}" for what, count in sorted(run.counts.items()))
        print(f"{name}: {counts} ({time.monotonic() - started:.0f} s)", flush=True)
        if os.environ.get("REFUSALS"):
            for text, count in getattr(run, "refusals", Counter()).most_common(int(os.environ["REFUSALS"])):
                print(f"    refused {count}: {text}")
        for number, how, sql, answer, expected in run.differences:
            print(f"  {name} {number} {how}: {short(' '.join(sql.split()), 300)}")
            print(f"    proxy: {short(answer.results)}")
            if expected:
                print(f"    plain: {short(expected.results)}", flush=True)
        if options["--table"]:
            write_table(options["--table"], table + [("all", total)])
    scripts = {name for name, _ in table}
    gone = [reason for reason in known if not reason.used and (reason.script in scripts or len(table) > 100)]
    for reason in gone:
        print(f"explains nothing any more: {reason.line}")
    print("all: " + ", ".join(f"{count} {what}" for what, count in sorted(total.items())))
    return 1 if total["different"] or gone else 0


def write_table(path, rows):
    columns = ("equal", "refused", "explained", "different")
    with open(path, "w") as out:
        out.write("| file | " + " | ".join(columns) + " |\n|---|" + "---|" * len(columns) + "\n")
        for name, counts in rows:
            out.write(f"| {name} | " + " | ".join(str(counts[column]) for column in columns) + " |\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
