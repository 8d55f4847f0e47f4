"""Pull requests and issues: what statera says on GitHub and GitLab, and the result files that it is said from."""
