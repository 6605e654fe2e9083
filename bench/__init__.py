"""Side-by-side benchmarks. Never imported by the package."""
