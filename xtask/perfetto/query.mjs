// Perfetto's trace processor, asked from a script. In: the folder of Perfetto's web interface (which holds the processor as
// WebAssembly with the worker that drives it), a trace, and a list of SQL queries as JSON on stdin. Out: the answers as JSON on
// stdout, each a list of rows.
//
// The worker's port speaks protos/perfetto/trace_processor/trace_processor.proto: a stream of TraceProcessorRpc messages. The
// few fields that are needed are written and read here by number.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";

const [APPEND, FINALIZE, QUERY] = [1, 2, 3];

function varint(value) {
  const bytes = [];
  for (let rest = BigInt(value); ; rest >>= 7n) {
    if (rest < 128n) return [...bytes, Number(rest)];
    bytes.push(Number(rest & 127n) | 128);
  }
}

const number = (field, value) => Buffer.from([...varint(field << 3), ...varint(value)]);
const bytes = (field, value) => Buffer.concat([Buffer.from([...varint((field << 3) | 2), ...varint(value.length)]), value]);

/** The fields of a message: `[number, value]`, a varint or eight bytes as a BigInt, anything longer as a Buffer. */
function fields(buffer) {
  const found = [];
  let at = 0;
  const next = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = buffer[at++];
      if (byte === undefined) throw new Error("a message ends within a number");
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < buffer.length) {
    const key = Number(next());
    if ((key & 7) === 0) found.push([key >> 3, next()]);
    else if ((key & 7) === 1) found.push([key >> 3, buffer.readBigUInt64LE((at += 8) - 8)]);
    else if ((key & 7) === 2) {
      const length = Number(next());
      found.push([key >> 3, buffer.subarray(at, (at += length))]);
    } else throw new Error(`wire type ${key & 7}`);
  }
  return found;
}

const all = (message, field) => message.filter(([number]) => number === field).map(([, value]) => value);

function packed(buffer) {
  return fields(Buffer.concat([...splitVarints(buffer)])).map(([, value]) => value);
}

/** Each packed varint as a field of its own, so that one reader serves for both. */
function* splitVarints(buffer) {
  for (let from = 0, at = 0; at < buffer.length; at++) {
    if (buffer[at] >= 128) continue;
    yield Buffer.concat([Buffer.from([8]), buffer.subarray(from, at + 1)]);
    from = at + 1;
  }
}

/** The rows of a query's answer, from the QueryResult messages that it came in. */
function rows(results) {
  let names = [];
  const cells = [];
  for (const result of results) {
    names = names.concat(all(result, 1).map(String));
    const [error] = all(result, 2);
    if (error?.length) throw new Error(String(error));
    for (const batch of all(result, 3).map(fields)) {
      const integers = all(batch, 2).flatMap(packed);
      const reals = all(batch, 3).flatMap((it) => Array.from({ length: it.length / 8 }, (_, i) => it.readDoubleLE(8 * i)));
      const texts = all(batch, 5).flatMap((it) => String(it).split("\0").slice(0, -1));
      for (const kind of all(batch, 1).flatMap(packed)) {
        if (kind === 1n) cells.push(null);
        else if (kind === 2n) cells.push(Number(BigInt.asIntN(64, integers.shift())));
        else if (kind === 3n) cells.push(reals.shift());
        else if (kind === 4n) cells.push(texts.shift());
        else throw new Error(`a cell of kind ${kind}`);
      }
    }
  }
  return Array.from({ length: cells.length / names.length }, (_, row) =>
    Object.fromEntries(names.map((name, column) => [name, cells[row * names.length + column]])),
  );
}

/** The processor's worker, in a world that holds no more than it asks for. */
function start(folder, onReply) {
  const warn = (...words) => process.stderr.write(`${words.join(" ")}\n`);
  const world = {
    console: { log: warn, warn, error: warn, info: () => {}, debug: () => {} },
    TextDecoder, TextEncoder, URL, performance, setTimeout, clearTimeout,
    crypto: globalThis.crypto,
    location: { href: "worker:///engine_bundle.js" },
    WorkerGlobalScope: class {},
    importScripts: () => {},
    // The module is asked for at once, as a worker may.
    XMLHttpRequest: class {
      open(_method, url) {
        this.file = join(folder, String(url).split("/").pop());
      }
      send() {
        const file = readFileSync(this.file);
        this.response = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
      }
    },
  };
  world.self = world;
  world.globalThis = world;
  vm.createContext(world);
  vm.runInContext(readFileSync(join(folder, "engine_bundle.js"), "utf8"), world);
  const port = { postMessage: (data) => onReply(Buffer.from(data)) };
  world.onmessage({ data: port });
  const view = vm.runInContext("(list) => new Uint8Array(list)", world);
  return (buffer) => port.onmessage({ data: view(buffer) });
}

process.on("uncaughtException", (fault) => {
  // Without the line of source, which is the whole worker.
  process.stderr.write(`${fault?.message ?? fault}\n`);
  process.exit(1);
});
const [folder, trace] = process.argv.slice(2);
const queries = JSON.parse(readFileSync(0, "utf8"));
let replies = [];
const send = start(folder, (reply) => {
  for (const message of all(fields(reply), 1).map(fields)) replies.push(message);
});
let sequence = 0;
const request = (kind, ...rest) => {
  const message = Buffer.concat([number(1, sequence++), number(2, kind), ...rest]);
  replies = [];
  send(bytes(1, message));
  for (const reply of replies) {
    // What ends everything; what was wrong with the data appended; what was wrong at its end.
    const within = (field, inner) => all(reply, field).flatMap((it) => all(fields(it), inner));
    for (const error of [...all(reply, 5), ...within(201, 2), ...within(212, 1)]) {
      if (error.length) throw new Error(String(error));
    }
  }
  return replies;
};
// The module is ready once its promises are.
await new Promise((done) => setImmediate(done));
request(APPEND, bytes(101, readFileSync(trace)));
request(FINALIZE);
const answers = queries.map((sql) => {
  const found = request(QUERY, bytes(103, bytes(1, Buffer.from(sql))));
  return rows(found.flatMap((it) => all(it, 203)).map(fields));
});
process.stdout.write(JSON.stringify(answers), () => process.exit(0));
