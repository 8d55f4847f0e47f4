# Calls R's procedures once per group. Argument: the folder of the data. Prints for each procedure its name, the seconds
# per call, and the first results.
suppressMessages({
  folder <- commandArgs(TRUE)[1]
  has <- function(package) requireNamespace(package, quietly = TRUE)
})
values <- as.matrix(read.csv(file.path(folder, "groups.csv"), header = FALSE))
x <- values[, 1:20]
y <- values[, 21:40]
z <- values[, 41:60]
report <- function(name, groups, call) {
  call(1)
  found <- NULL
  seconds <- system.time(found <- vapply(seq_len(groups), call, numeric(1)))[["elapsed"]] / groups
  cat(name, format(seconds, digits = 10), format(found, digits = 15, trim = TRUE), "\n")
}
few <- nrow(values)
report("mann_whitney", few, function(i) wilcox.test(y[i, ], x[i, ], exact = TRUE)$p.value)
report("signed_rank", few, function(i) wilcox.test(x[i, ], exact = TRUE)$p.value)
report("kruskal_wallis", few, function(i) kruskal.test(list(x[i, ], y[i, ], z[i, ]))$p.value)
report("friedman", few, function(i) friedman.test(cbind(x[i, ], y[i, ], z[i, ]))$p.value)
report("shapiro_wilk", few, function(i) shapiro.test(x[i, ])$p.value)
if (has("Hmisc")) {
  report("harrell_davis", few, function(i) Hmisc::hdquantile(x[i, ], seq(0.1, 0.9, 0.1))[[5]])
}
if (has("boot")) {
  set.seed(1)
  bca <- function(data, statistic, ...) {
    boot::boot.ci(boot::boot(data, statistic, R = 9999, ...), type = "bca")$bca[4]
  }
  groups <- min(few, 5)
  report("bca mean", groups, function(i) bca(x[i, ], function(d, k) mean(d[k])))
  report("bca median", groups, function(i) bca(x[i, ], function(d, k) median(d[k])))
  side <- rep(1:2, each = 20)
  both <- function(d, k) median(d[k[21:40]]) - median(d[k[1:20]])
  report("bca difference", groups, function(i) bca(c(x[i, ], y[i, ]), both, strata = side))
}
if (has("multtest")) {
  rows <- as.matrix(read.csv(file.path(folder, "rows.csv"), header = FALSE))
  label <- rep(0:1, each = 10)
  quiet <- capture.output(seconds <- system.time(
    found <- multtest::mt.maxT(rows, label, test = "t.equalvar", B = 10000)
  )[["elapsed"]])
  p <- found$adjp[order(found$index)]
  cat("westfall_young", format(seconds, digits = 10), format(p, digits = 15, trim = TRUE), "\n")
}
