"""The engine Apache Spark: the same SQL on a cluster. Only this package imports pyspark and sqlglot."""
