CREATE TABLE IF NOT EXISTS llama_bench (
  build_commit TEXT,
  n_prompt INTEGER,
  n_gen INTEGER,
  avg_ts REAL,
  stddev_ts REAL
);

INSERT INTO llama_bench (build_commit, n_prompt, n_gen, avg_ts, stddev_ts) VALUES ('1a2b3c4d', '512', '0', '6400.250000', '21.500000');
