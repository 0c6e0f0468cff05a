"""The tables and views that the statements of a file of SQL make, one after the other."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from grapher_jax.corpus.database.reflect import (
    MATERIALIZED_VIEW,
    PARTITION,
    TABLE,
    VIEW,
    Key,
    Names,
    Reflected,
)
from grapher_jax.corpus.database.script_parts import (
    description,
    is_index,
    is_old_partition,
    names_of,
)
from grapher_jax.corpus.database.script_text import (
    OTHER_CHANGE,
    Odd,
    attached_partition,
    renames,
    schemas_set,
    simpler_forms,
)
from grapher_jax.corpus.database.sqlite_comments import comments_in
from grapher_jax.corpus.sql import dialect_of, parse
from grapher_jax.errors import InputError

if TYPE_CHECKING:
    from sqlglot import exp

# What PostgreSQL's LIKE says of keys that are copied too.
_KEPT_KEYS = {"ALL", "INDEXES"}
# A column or a reference, as SQLAlchemy returns them.
_Record = dict[str, Any]


@dataclass
class Script:
    """What a file of SQL creates, read as one dialect.

    Attributes:
        dialect: SQLAlchemy's name of the dialect.
        found: the tables and views, as those of a database.
        sql: the SQL of each view.
        statements: how many were read.
        failed: how many of them cannot be parsed as a whole.
        path: the schemas of names without one, None for the default one: new tables are in the
            first, and others in the first that has them.
    """

    dialect: str
    found: Reflected
    sql: dict[Key, str] = field(default_factory=dict)
    statements: int = 0
    failed: int = 0
    path: Sequence[str | None] = (None,)
    _known: Names = field(default_factory=lambda: Names(()))
    # By table and the name of the constraint, by which it may be dropped.
    _references: dict[tuple[Key, str], _Record] = field(default_factory=dict)

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
        if (schemas := schemas_set(statement, self.dialect)) is not None:
            self._set_path(schemas)
            return
        if renamed := renames(statement):
            for old, new in renamed:
                self._rename(self._key(self._table(old)), self._written(self._table(new)))
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
                self.forget(self._key(dropped))
        elif isinstance(parsed, exp.Alter):
            self._alter(table, parsed)

    def _set_path(self, schemas: Sequence[str]) -> None:
        """Set the schemas of names without one; the first ever is the default if there is none."""
        self.found.default = self.found.default or (schemas[0] if schemas else None)
        self.path = [*map(self.found.place, schemas)] or [None]

    def _alter(self, table: "exp.Table", parsed: "exp.Expression") -> None:
        """Make all changes of a statement to a table."""
        from sqlglot import exp

        for action in parsed.args.get("actions") or ():
            self._act(self._key(table), action)
        if comment := parsed.find(exp.SchemaCommentProperty):
            self.found.comments[self._key(table)] = {"text": comment.name}

    def _act(self, key: Key, action: "exp.Expression") -> None:
        from sqlglot import exp

        if isinstance(action, exp.AlterRename):
            new = action.this
            self._rename(key, self._written(new) if new.db else (key[0], new.name))
        elif isinstance(action, exp.RenameColumn):
            self._rename_column(key, action.this.name, action.args["to"].name)
        elif isinstance(action, exp.ModifyColumn):
            old = action.args.get("rename_from") or action.this
            self._rename_column(key, old.name, action.this.name)
            self._column(key, action.this)
        elif isinstance(action, exp.AlterColumn):
            self._change(key, action)
        elif isinstance(action, exp.DropPrimaryKey):
            self.found.primary.pop(key, None)
        else:
            several = isinstance(action, exp.AddConstraint | exp.Schema)
            parts = action.expressions if several else [action]
            for part in parts:
                if isinstance(part, exp.Drop):
                    self._drop(key, part)
                else:
                    self._define(key, part)

    def _change(self, key: Key, action: "exp.AlterColumn") -> None:
        """Give a column another type or comment, or allow or forbid it to be null."""
        for column in self._called(key, action.name):
            if kind := action.args.get("dtype"):
                column["type"] = self._type(kind)
            if (nullable := action.args.get("allow_null")) is not None:
                column["nullable"] = bool(nullable)
            if comment := action.args.get("comment"):
                column["comment"] = comment.name

    def _called(self, key: Key, name: str) -> list[_Record]:
        """The columns of a table with this name in any case."""
        own = self.found.columns.get(key, ())
        return [column for column in own if column["name"].casefold() == name.casefold()]

    def _type(self, kind: "exp.Expression | None") -> str:
        # SQLite's own generator would write other types than those that are declared.
        written = None if self.dialect == "sqlite" else dialect_of(self.dialect)
        return kind.sql(dialect=written) if kind else ""

    def _all(self) -> list[dict[Key, Any]]:
        """All that is known of tables, by table."""
        found = self.found
        of_tables = found.references, found.comments, found.primary, found.unique
        return [found.kinds, found.columns, found.unreadable, self.sql, *of_tables]

    def forget(self, key: Key) -> None:
        """Leave a table out."""
        for known in self._all():
            known.pop(key, None)

    def _rename(self, old: Key, new: Key) -> None:
        """Give a table another name, also in the keys that reference it."""
        if old == new or old not in self.found.kinds:
            return
        self.forget(new)
        for known in self._all():
            if old in known:
                known[new] = known.pop(old)
        for one in self._referencing(old):
            one["referred_schema"], one["referred_table"] = new
        self._references = {
            (new if key == old else key, name): one for (key, name), one in self._references.items()
        }
        self._known.add(new)

    def _referencing(self, key: Key) -> list[_Record]:
        """The references to a table."""
        every = (one for own in self.found.references.values() for one in own)
        return [
            one for one in every if (one["referred_schema"] or None, one["referred_table"]) == key
        ]

    def _rename_column(self, key: Key, old: str, new: str) -> None:
        """Give a column another name, also in the keys that it is part of."""

        def rename(names: list[str]) -> None:
            names[:] = [new if name.casefold() == old.casefold() else name for name in names]

        for column in self._called(key, old):
            column["name"] = new
        rename(self.found.primary.get(key, []))
        for names in self.found.unique.get(key, ()):
            rename(names)
        for one in self.found.references.get(key, ()):
            rename(one["constrained_columns"])
        for one in self._referencing(key):
            rename(one["referred_columns"])

    def _read_parts(self, odd: Odd, cause: str) -> None:
        """Add what can be read of a statement that cannot be parsed as a whole."""
        table = self._table(odd.name)
        key = self._made(table, VIEW if odd.is_view else TABLE) if odd.creates else self._key(table)
        if odd.comment:
            self.found.comments[key] = {"text": odd.comment}
        for text in odd.parts:
            if not odd.creates and OTHER_CHANGE.match(text):
                with suppress(InputError):
                    self._alter(table, parse(f"ALTER TABLE {odd.name} {text}", self.dialect))
                continue
            for form, kind in simpler_forms(text):
                with suppress(InputError):
                    made = parse(f"CREATE TABLE t ({form})", self.dialect).this
                    for part in made.expressions:
                        self._define(key, part)
                    if kind:
                        self.found.columns[key][-1]["type"] = kind.upper()
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
        return self.found.place(table.db) if table.db else self.path[0], table.name

    def _key(self, table: "exp.Table") -> Key:
        """The table that is meant, whatever the case of its name."""
        written = self._written(table)
        keys = [written] if table.db else [(schema, table.name) for schema in self.path]
        found = (key for each in keys if (key := self._known.find(each)) in self.found.kinds)
        return next(found, None) or self._known.find(written) or written

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
        elif exp.PartitionedOfProperty in properties or is_old_partition(
            made, table, properties.get(exp.InheritsProperty)
        ):
            kind = PARTITION
        key = self._made(table, kind)
        if parsed.kind == "VIEW":
            self.sql[key] = statement
        if comment := properties.get(exp.SchemaCommentProperty):
            found.comments[key] = {"text": comment.name}
        elif described := description(parsed.args.get("properties")):
            found.comments[key] = {"text": described}
        for like in parsed.find_all(exp.LikeProperty, exp.InheritsProperty):
            for other in map(self._key, like.find_all(exp.Table)):
                kept = {str(one.args.get("value")).upper() for one in like.expressions}
                # MySQL copies keys too, and PostgreSQL if it is told so.
                self._copy(key, other, keys=isinstance(made, exp.Table) or bool(kept & _KEPT_KEYS))
        clone = parsed.args.get("clone")
        for copied in (parsed.expression, clone.this if clone else None):
            if isinstance(copied, exp.Table):
                self._copy(key, self._key(copied), keys=True)
        parts = [*made.expressions] if isinstance(made, exp.Schema) else []
        # Hive's and Spark's columns that partitions are divided by stand there alone.
        parts += (
            one
            for by in parsed.find_all(exp.PartitionedByProperty)
            for one in by.find_all(exp.ColumnDef)
        )
        for part in parts:
            self._define(key, part)
        if not found.columns[key] and isinstance(parsed.expression, exp.Query):
            found.columns[key] = self._selected(parsed.expression)
        if kind == TABLE:
            self._add_comments(key, statement)

    def _copy(self, key: Key, other: Key, *, keys: bool) -> None:
        """Add the columns of another table, and on demand its primary and unique keys."""
        found = self.found
        found.columns[key] += map(dict, found.columns.get(other, ()))
        if keys:
            found.primary[key] = [*found.primary.get(other, ())]
            found.unique[key] = [[*names] for names in found.unique.get(other, ())]

    def _selected(self, query: "exp.Query") -> list[_Record]:
        """The columns of a query; those of a star are known where those of the tables are."""
        from sqlglot import exp

        while isinstance(query, exp.SetOperation | exp.Subquery):
            query = query.left if isinstance(query, exp.SetOperation) else query.this
        parts = query.args.get("from_"), *(query.args.get("joins") or ())
        within = {one.alias.casefold() for one in query.ctes}
        sources = {
            one.this.alias_or_name.casefold(): self.found.columns.get(self._key(one.this), [])
            for one in filter(None, parts)
            if isinstance(one.this, exp.Table) and one.this.name.casefold() not in within
        }
        columns: dict[str, _Record] = {}
        for selected in query.expressions:
            own = [{"name": selected.alias_or_name, "type": "", "nullable": True}]
            if selected.is_star:
                table = selected.table if isinstance(selected, exp.Column) else ""
                meant = [sources.get(table.casefold(), [])] if table else sources.values()
                star = selected.this if isinstance(selected, exp.Column) else selected
                left_out = {one.name.casefold() for one in star.args.get("except_") or ()}
                own = [dict(column) for of_table in meant for column in of_table]
                own = [column for column in own if column["name"].casefold() not in left_out]
            for column in own:
                columns.setdefault(column["name"], column)
        columns.pop("", None)
        return [*columns.values()]

    def _add_comments(self, key: Key, statement: str) -> None:
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
            if not is_index(part):
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
            self._refer(key, names_of(part.expressions), part.args["reference"], name)

    def _column(self, key: Key, part: "exp.Expression") -> None:
        from sqlglot import exp

        kind = self._type(part.args.get("kind"))
        column: _Record = {"name": part.name, "type": kind, "nullable": True}
        if (own := self.found.columns.get(key)) is None:  # of a table that is made elsewhere
            return
        places = [n for n, one in enumerate(own) if one["name"] == part.name]
        if places and part.args.get("exists"):
            return
        if places:  # changed, or copied from another table
            own[places[0]] = column
        else:
            own.append(column)
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
            elif described := description(rule):
                column["comment"] = described
            elif isinstance(rule, exp.Reference):
                self._refer(key, [part.name], rule)

    def _identify(
        self, key: Key, columns: "Iterable[exp.Expression]", *, primary: bool = False
    ) -> None:
        """Add a primary or unique key, unless it is over expressions."""
        columns = [*columns]
        names = names_of(columns)
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
        if target.db and schema is None:  # the default schema, even from a table of another
            schema = ""
        referred = reference.this.expressions if isinstance(reference.this, exp.Schema) else ()
        one = {
            "constrained_columns": columns,
            "referred_schema": schema,
            "referred_table": name,
            "referred_columns": names_of(referred),
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
        for column in self._called(key, name):
            column["comment"] = text
