"""How fast a large log is read, against polars, on one file and machine, in turns.

    cargo xtask log 1073741824 /tmp/log.csv
    cargo build --release -p framecost-cli
    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install 'polars==2.*'
    /tmp/peers/bin/python crates/framecost-cli/benches/reading_against_polars.py target/release/framecost /tmp/log.csv

Each case is a process of its own, so that none has what another left in memory. The file is read once before, so that it lies in
the page cache. framecost reads, types and checks every column and prints median, p95, p99 and 1 % low of each stream; polars
reads every column and prints nothing, or scans one column and prints its median. Prints the median of five rounds, the rate, the
most memory that a round took, and what framecost takes of each of polars' times.
"""

import os
import statistics
import subprocess
import sys
import time

ROUNDS = 5
READ = "import polars, sys; polars.read_csv(sys.argv[1], null_values='NA', infer_schema_length=10000)"
SCAN = (
    "import polars, sys;"
    "polars.scan_csv(sys.argv[1], null_values='NA', infer_schema_length=10000).select(polars.col('FrameTime').median()).collect()"
)


def run(command):
    """Seconds and the most memory in bytes of one call."""
    before = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - before
    if status != 0:
        sys.exit(f"{command[0]} ended with {status}")
    return seconds, usage.ru_maxrss * 1024


def main():
    framecost, log = sys.argv[1:3]
    cases = {
        "framecost, every column, summarised": [framecost, "import", log, "--list-streams", "--json"],
        "polars read_csv, every column": [sys.executable, "-c", READ, log],
        "polars scan_csv, one column, its median": [sys.executable, "-c", SCAN, log],
        "polars, importing it alone": [sys.executable, "-c", "import polars"],
    }
    with open(log, "rb") as file:
        size = sum(len(block) for block in iter(lambda: file.read(1 << 24), b""))
    times = {name: [] for name in cases}
    most = dict.fromkeys(cases, 0)
    for _ in range(ROUNDS):
        for name, command in cases.items():
            seconds, memory = run(command)
            times[name].append(seconds)
            most[name] = max(most[name], memory)
    ours = statistics.median(times["framecost, every column, summarised"])
    print(f"{'':42} {'s':>7} {'MB/s':>7} {'MiB':>6}  framecost takes of it")
    for name, all_of in times.items():
        middle = statistics.median(all_of)
        print(f"{name:42} {middle:7.2f} {size / middle / 1e6:7.0f} {most[name] / 2**20:6.0f}  {ours / middle:.2f}")


main()
