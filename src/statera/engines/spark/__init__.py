"""Apache Spark: the same SQL on a cluster. Nothing else imports pyspark and sqlglot."""
