"""Reads the tables and views that a file of SQL creates, such as a dump of a schema."""

import gzip
import zlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grapher_jax.corpus.database.reflect import (
    MATERIALIZED_VIEW,
    PARTITION,
    TABLE,
    VIEW,
    Choice,
    Key,
    Names,
    Reflected,
    choose,
)
from grapher_jax.corpus.database.script_text import (
    Odd,
    attached_partition,
    descriptions,
    likely_dialects,
    simpler_forms,
    wanted,
    without_rows,
)
from grapher_jax.corpus.database.sqlite_comments import comments_in
from grapher_jax.corpus.documents.decode import decode, sql_charset
from grapher_jax.corpus.documents.extract import UnreadableError
from grapher_jax.corpus.sql import dialect_of, parse
from grapher_jax.errors import InputError

if TYPE_CHECKING:
    from sqlglot import exp

_DEFAULT_SCHEMAS = {"mssql": "dbo", "postgresql": "public"}


@dataclass
class Script:
    """What a file of SQL creates, read as one dialect.

    Attributes:
        dialect: SQLAlchemy's name of the dialect.
        found: the tables and views, as those of a database.
        sql: the SQL of each view.
        statements: how many were read.
        failed: how many of them cannot be parsed as a whole.
    """

    dialect: str
    found: Reflected
    sql: dict[Key, str] = field(default_factory=dict)
    statements: int = 0
    failed: int = 0
    _known: Names = field(default_factory=lambda: Names(()))
    # By table and the name of the constraint, by which it may be dropped.
    _references: dict[tuple[Key, str], dict[str, Any]] = field(default_factory=dict)

    def read(self, statement: str) -> None:
        """Add what one statement creates, alters or describes."""
        self.statements += 1
        with suppress(InputError):  # of a name that cannot be parsed
            self._read(statement)

    def _read(self, statement: str) -> None:
        from sqlglot import exp

        if attached := attached_partition(statement):
            self.found.kinds[self._key(self._table(attached))] = PARTITION
            return
        try:
            parsed = parse(statement, self.dialect)
        except InputError as error:
            self.failed += 1
            if odd := Odd.read(statement, self.dialect):
                self._read_parts(odd, str(error))
            return
        table = parsed.find(exp.Table)
        if isinstance(parsed, exp.Comment):
            self._comment(parsed)
        elif table is None:
            return
        elif isinstance(parsed, exp.Create):
            self._create(parsed, table, statement)
        elif isinstance(parsed, exp.Drop):
            for dropped in parsed.find_all(exp.Table):
                for kept in (self.found.kinds, self.found.columns, self.found.unreadable, self.sql):
                    kept.pop(self._key(dropped), None)
        elif isinstance(parsed, exp.Alter):
            for action in parsed.args.get("actions") or ():
                parts = action.expressions if isinstance(action, exp.AddConstraint) else [action]
                for part in parts:
                    if isinstance(part, exp.Drop):
                        self._drop(self._key(table), part)
                    else:
                        self._define(self._key(table), part)

    def _read_parts(self, odd: Odd, cause: str) -> None:
        """Add what can be read of a statement that cannot be parsed as a whole."""
        table = self._table(odd.name)
        key = self._made(table, VIEW if odd.is_view else TABLE) if odd.creates else self._key(table)
        for text in odd.parts:
            for form in simpler_forms(text):
                with suppress(InputError):
                    made = parse(f"CREATE TABLE t ({form})", self.dialect).this
                    for part in made.expressions:
                        self._define(key, part)
                    break
        if odd.creates and not self.found.columns.get(key):
            self.found.columns.pop(key, None)
            self.found.unreadable[key] = cause

    def _table(self, name: str) -> "exp.Table":
        from sqlglot import exp

        found = parse(f"DROP TABLE {name}", self.dialect).find(exp.Table)
        if found is None:
            raise InputError(f"{name}: names no table")
        return found

    def _written(self, table: "exp.Table") -> Key:
        default = (self.found.default or "").casefold()
        return None if table.db.casefold() == default else table.db or None, table.name

    def _key(self, table: "exp.Table") -> Key:
        """The table that is meant, whatever the case of its name."""
        key = self._written(table)
        return self._known.find(key) or key

    def _made(self, table: "exp.Table", kind: str) -> Key:
        """A new table or view, in place of one with the same name."""
        key, found = self._written(table), self.found
        for kept in (found.references, found.comments, found.primary, found.unique):
            kept.pop(key, None)
        found.unreadable.pop(key, None)
        self._known.add(key)
        found.kinds[key], found.columns[key] = kind, []
        return key

    def _create(self, parsed: "exp.Create", table: "exp.Table", statement: str) -> None:
        from sqlglot import exp

        made, found = parsed.this, self.found
        properties = {type(one): one for one in parsed.find_all(exp.Property)}
        if isinstance(made, exp.Index):
            parameters = made.args.get("params")
            if parsed.args.get("unique") and parameters and not parameters.args.get("where"):
                self._identify(self._key(table), parameters.args.get("columns") or ())
            return
        again = parsed.args.get("exists") and self._key(table) in found.columns
        if again or exp.TemporaryProperty in properties or parsed.kind not in ("TABLE", "VIEW"):
            return
        kind = TABLE
        if parsed.kind == "VIEW":
            kind = MATERIALIZED_VIEW if exp.MaterializedProperty in properties else VIEW
        elif exp.PartitionedOfProperty in properties:
            kind = PARTITION
        key = self._made(table, kind)
        if parsed.kind == "VIEW":
            self.sql[key] = statement
        if comment := properties.get(exp.SchemaCommentProperty):
            found.comments[key] = {"text": comment.name}
        for like in parsed.find_all(exp.LikeProperty, exp.InheritsProperty):
            for other in like.find_all(exp.Table):
                found.columns[key] += map(dict, found.columns.get(self._key(other), ()))
        for part in made.expressions if isinstance(made, exp.Schema) else ():
            self._define(key, part)
        if not found.columns[key] and isinstance(parsed.expression, exp.Query):
            names = [name for name in parsed.expression.named_selects if name != "*"]
            found.columns[key] = [{"name": name, "type": "", "nullable": True} for name in names]
        if kind == TABLE:
            self._tell(key, statement)

    def _tell(self, key: Key, statement: str) -> None:
        """Add the comments beside the columns of a table, where none are declared."""
        told = comments_in(statement)
        if told.table:
            self.found.comments.setdefault(key, {"text": told.table})
        for column in self.found.columns[key]:
            if comment := told.columns.get(column["name"].casefold()):
                column.setdefault("comment", comment)

    def _drop(self, key: Key, dropped: "exp.Drop") -> None:
        """Remove columns with their keys, or foreign keys by their names, from a table."""
        from sqlglot import exp

        found = self.found
        for one in dropped.args.get("tables") or ():
            name = one.name.casefold()
            if isinstance(one, exp.Column):
                own = found.columns.get(key, [])
                own[:] = [column for column in own if column["name"].casefold() != name]
                gone = [
                    reference
                    for reference in found.references.get(key, ())
                    if name in map(str.casefold, reference["constrained_columns"])
                ]
                if name in map(str.casefold, found.primary.get(key, ())):
                    del found.primary[key]
                unique = found.unique.get(key, [])
                unique[:] = [names for names in unique if name not in map(str.casefold, names)]
            else:
                gone = [self._references.pop((key, name), None)]
            kept = found.references.get(key, [])
            kept[:] = [reference for reference in kept if reference not in gone]

    def _define(self, key: Key, part: "exp.Expression", name: str = "") -> None:
        """Add a column, or a constraint with this name, to a table."""
        from sqlglot import exp

        if isinstance(part, exp.ColumnDef | exp.Identifier | exp.Column):
            self._column(key, part)
        elif isinstance(part, exp.Constraint):
            first, *others = part.expressions
            # SQL Server's keys have their columns after CLUSTERED or NONCLUSTERED.
            columns = [one.this for one in others if isinstance(one.this, list)]
            if columns:
                self._identify(key, columns[0], primary="PrimaryKey" in type(first).__name__)
            else:
                self._define(key, first, part.name)
        elif isinstance(part, exp.PrimaryKey):
            self._identify(key, part.expressions, primary=True)
        elif isinstance(part, exp.UniqueColumnConstraint) and part.this:
            self._identify(key, part.this.expressions)
        elif isinstance(part, exp.ForeignKey) and part.args.get("reference"):
            self._refer(key, _names(part.expressions), part.args["reference"], name)

    def _column(self, key: Key, part: "exp.Expression") -> None:
        from sqlglot import exp

        # SQLite's own generator would write other types than those that are declared.
        written = None if self.dialect == "sqlite" else dialect_of(self.dialect)
        kind = part.args.get("kind")
        column: dict[str, Any] = {"name": part.name, "nullable": True}
        column["type"] = kind.sql(dialect=written) if kind else ""
        if key not in self.found.columns:  # of a table that the file does not create
            return
        self.found.columns[key].append(column)
        for constraint in part.args.get("constraints") or ():
            rule = constraint.args.get("kind")
            if isinstance(rule, exp.NotNullColumnConstraint):
                column["nullable"] = bool(rule.args.get("allow_null"))
            elif isinstance(rule, exp.PrimaryKeyColumnConstraint):
                self._identify(key, [part.this], primary=True)
            elif isinstance(rule, exp.UniqueColumnConstraint):
                self._identify(key, [part.this])
            elif isinstance(rule, exp.CommentColumnConstraint):
                column["comment"] = rule.name
            elif isinstance(rule, exp.Reference):
                self._refer(key, [part.name], rule)

    def _identify(
        self, key: Key, columns: "Iterable[exp.Expression]", *, primary: bool = False
    ) -> None:
        """Add a primary or unique key, unless it is over expressions."""
        columns = [*columns]
        names = _names(columns)
        if not names or len(names) < len(columns):
            return
        if primary:
            self.found.primary[key] = names
        elif names not in (known := self.found.unique.setdefault(key, [])):
            known.append(names)

    def _refer(
        self, key: Key, columns: Sequence[str], reference: "exp.Expression", constraint: str = ""
    ) -> None:
        from sqlglot import exp

        target = reference.find(exp.Table)
        if target is None:
            return
        schema, name = self._key(target)
        referred = reference.this.expressions if isinstance(reference.this, exp.Schema) else ()
        one = {
            "constrained_columns": columns,
            "referred_schema": schema,
            "referred_table": name,
            "referred_columns": _names(referred),
        }
        if one not in (known := self.found.references.setdefault(key, [])):
            known.append(one)
        # Without a name, PostgreSQL gives this one.
        constraint = constraint or "_".join((key[1], *columns, "fkey"))
        self._references[key, constraint.casefold()] = one

    def _comment(self, parsed: "exp.Comment") -> None:
        from sqlglot import exp

        about, text = parsed.this, parsed.expression.name if parsed.expression else ""
        if isinstance(about, exp.Table):
            self.describe(about.db, about.name, "", text)
        elif isinstance(about, exp.Column):
            self.describe(about.db, about.table, about.name, text)

    def describe(self, schema: str, table: str, name: str, text: str) -> None:
        """Add the comment of a column, or of a table if no column is named."""
        from sqlglot import exp

        key = self._key(exp.table_(table, schema))
        if not name:
            self.found.comments[key] = {"text": text}
        for column in self.found.columns.get(key, ()):
            if column["name"].casefold() == name.casefold():
                column["comment"] = text


def _names(parts: "Iterable[exp.Expression]") -> list[str]:
    """The columns among the parts of a key."""
    from sqlglot import exp

    inner = (one.this if isinstance(one, exp.Ordered | exp.ColumnPrefix) else one for one in parts)
    return [one.name for one in inner if isinstance(one, exp.Identifier | exp.Column)]


def is_script(source: str | Path) -> bool:
    """Whether a source is a file of SQL."""
    name = str(source)
    is_named_so = name.lower().endswith((".sql", ".sql.gz")) and "://" not in name
    return is_named_so and not Path(source).is_dir()


def read_script(path: Path, choice: Choice) -> Script:
    """The tables and views that a file of SQL creates, and those of them that are chosen.

    The dialect is the one whose typical words occur most often, or, if most of its statements do
    not parse as that or there are none, the one with the fewest that do not parse.

    Args:
        path: the file `*.sql` or `*.sql.gz`; only statements that create, alter, describe or drop
            tables and views are read.
        choice: which tables are read.

    Raises:
        InputError: if the file cannot be read, creates no table, or has none of the chosen ones.
    """
    try:
        data = path.read_bytes()
        data = gzip.decompress(data) if path.suffix.lower() == ".gz" else data
        text = decode(data, sql_charset(data))
    except UnreadableError as error:
        raise InputError(f"{path}: cannot be read ({error}); save it as UTF-8") from None
    except (OSError, EOFError, zlib.error) as error:
        told = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be read ({told})") from None
    text = without_rows(text)
    read = []
    for dialect, signs in likely_dialects(text).items():
        script = Script(dialect, Reflected(_DEFAULT_SCHEMAS.get(dialect), ()))
        for statement in wanted(text, dialect):
            script.read(statement)
        read.append(script)
        # A dialect whose words are there may have statements that are not understood.
        if 2 * script.failed <= (script.statements if signs else 0):
            break
    best = min(read, key=lambda script: script.failed)
    for schema, table, column, told in descriptions(text):
        best.describe(schema, table, column, told)
    if not best.found.kinds:
        raise InputError(
            f"{path}: no statement creates a table; give a dump of a schema, as of pg_dump "
            "--schema-only, mysqldump --no-data or sqlite3's .schema"
        )
    _finish(best.found)
    choose(str(path), best.found, choice)
    return best


def _finish(found: Reflected) -> None:
    """Resolve what references leave open, and write columns as their tables do."""
    names = Names([*found.kinds])

    def spelled(key: Key, columns: Sequence[str]) -> list[str]:
        own = {column["name"].casefold(): column["name"] for column in found.columns.get(key, ())}
        return [own.get(name.casefold(), name) for name in columns]

    for key, columns in found.primary.items():
        found.primary[key] = spelled(key, columns)
        for column in found.columns.get(key, ()):
            column["nullable"] &= column["name"] not in found.primary[key]
    for key, known in found.unique.items():
        found.unique[key] = [spelled(key, columns) for columns in known]
    for key, references in found.references.items():
        for one in references:
            schema, table = one["referred_schema"], one["referred_table"]
            meant = names.find((schema or key[0], table)) or names.find((schema, table))
            one["constrained_columns"] = spelled(key, one["constrained_columns"])
            if meant:
                one["referred_schema"], one["referred_table"] = meant
                columns = one["referred_columns"] or found.primary.get(meant, [])
                one["referred_columns"] = spelled(meant, columns)
