"""Translates the SQL of DuckDB to that of Spark, so that both compute the same numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.support.errors import Stop
from statera.support.extras import how

if TYPE_CHECKING:
    from sqlglot import expressions

# A literal that is a double in every dialect needs an exponent.
_UNIT = f"{2**60}e0"
_WIDE = "DECIMAL(38, 0)"


def translate(query: str) -> str:
    """Translate a query.

    sqlglot translates names in double quotes to backquotes, lists to arrays, and ascending orders to orders with nulls
    last, as in DuckDB. This function translates quantiles, exact sums, and joins that count steps.
    """
    try:
        import sqlglot
        from sqlglot import ErrorLevel, expressions
    except ImportError:
        raise Stop("needs-extra", f"this needs Spark, which is not installed; {how('spark')}") from None
    tree = sqlglot.parse_one(query, read="duckdb")
    for quantile in list(tree.find_all(expressions.PercentileCont)):
        quantile.replace(_percentile(quantile))
    for total in list(tree.find_all(expressions.Sum)):
        if isinstance(total.this, expressions.Cast) and total.this.to.sql(dialect="duckdb") == _WIDE:
            total.replace(_exact_sum(total.this.this))
    for join in list(tree.find_all(expressions.Join)):
        if isinstance(join.this, expressions.Table) and join.this.name == "step_series":
            _explode(join)
    return tree.sql(dialect="spark", pretty=True, unsupported_level=ErrorLevel.RAISE)


def _percentile(quantile: expressions.PercentileCont) -> expressions.Expr:
    """Write the exact percentile, which interpolates like DuckDB's: type 7 (Hyndman & Fan)."""
    from sqlglot import expressions

    return expressions.Anonymous(this="PERCENTILE", expressions=[quantile.this, quantile.expression])


def _exact_sum(value: expressions.Expr) -> expressions.Expr:
    """Write the exact sum of doubles, each rounded to a whole number, half away from zero.

    Spark's own cast uses the shortest decimal text of a double, which is a different number beyond 17 digits, and is
    slow. Instead, the multiples of 2^60 are summed as integers, and the remainders, which are exact, as decimals of
    no more digits than integers have.
    """
    import sqlglot

    double = f"({value.sql(dialect='spark')})"
    return sqlglot.parse_one(
        f"(CAST(SUM(CAST({double} / {_UNIT} AS BIGINT)) AS {_WIDE}) * {2**60} + SUM(CAST("
        f"CAST({double} % {_UNIT} AS BIGINT) + CAST({double} % 1e0 * 2e0 AS BIGINT) AS {_WIDE})))",
        read="spark",
    )


def _explode(join: expressions.Join) -> None:
    """Generate the steps of each row separately: Spark would join every row with every step."""
    import sqlglot
    from sqlglot import expressions

    select, limit = join.parent_select, join.args["on"].expression.sql(dialect="spark")
    if select is None:
        raise ValueError("a join outside a query")
    name = join.this.alias
    view = sqlglot.parse_one(f"SELECT 1 LATERAL VIEW EXPLODE(SEQUENCE(0L, {limit})) {name} AS step", read="spark")
    join.pop()
    select.append("laterals", view.args["laterals"][0].pop())
    select.where(expressions.condition(f"{limit} >= 0", dialect="spark"), copy=False)
