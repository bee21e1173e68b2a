"""DataFrames that tests make of rows."""

from __future__ import annotations

from typing import Any, Iterable, Mapping

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import _parse_datatype_string


def local_frame(spark: SparkSession, rows: Iterable[Any], schema: str) -> DataFrame:
    """Returns a DataFrame of rows that the JVM holds: ``createDataFrame`` of a list starts a process of Python for each query."""
    named = to_arrow_schema(_parse_datatype_string(schema))  # type: ignore[arg-type]
    columns = zip(*(tuple(row.get(name) for name in named.names) if isinstance(row, Mapping) else tuple(row) for row in rows))
    arrays = [pa.array(values, type=field.type) for values, field in zip(columns, named)]
    return spark.createDataFrame(pa.Table.from_arrays(arrays, schema=named) if arrays else [], schema)
