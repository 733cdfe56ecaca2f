import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { Transform, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { FileLine, TextFile } from "../log_files.ts";

/** The maximum number of characters of a line; the rest is dropped. */
const MAX_LINE = 1024 * 1024;

/** Reads the lines of a text file, which is gzip if its name ends in .gz. */
export async function* readLines(path: string): AsyncGenerator<FileLine> {
  const { size } = await stat(path);
  let read = 0;
  const file = createReadStream(path);
  const count = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      read += chunk.length;
      done(undefined, chunk);
    },
  });
  const text = path.endsWith(".gz") ? file.pipe(count).pipe(createGunzip()) : file.pipe(count);
  file.on("error", (error) => text.destroy(error));
  const percent = () => size === 0 ? 100 : Math.floor(read * 100 / size);
  const decoder = new TextDecoder();
  let rest = "";
  let isTooLong = false;
  for await (const chunk of text) {
    const pieces = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split("\n");
    rest = pieces.pop()!;
    for (const piece of pieces) {
      if (!isTooLong) yield { text: withoutReturn(piece), percent: percent() };
      isTooLong = false;
    }
    if (rest.length <= MAX_LINE) continue;
    if (!isTooLong) yield { text: rest, percent: percent() };
    isTooLong = true;
    rest = "";
  }
  rest += decoder.decode();
  if (rest !== "" && !isTooLong) yield { text: withoutReturn(rest), percent: 100 };
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** Creates a text file, with gzip if its name ends in .gz. It appears under its name when it is closed. */
export async function createTextFile(path: string): Promise<TextFile> {
  const target = resolve(path);
  const partial = `${target}.part`;
  const file = createWriteStream(partial, { mode: 0o600 });
  let sink: Writable = file;
  if (target.endsWith(".gz")) {
    const gzip = createGzip();
    gzip.pipe(file);
    sink = gzip;
  }
  const written = finished(file);
  written.catch(() => {});
  await new Promise<void>((resolve, reject) => {
    file.once("open", () => resolve());
    file.once("error", reject);
  });
  return {
    write: (text) => new Promise((resolve, reject) => sink.write(text, (error) => error ? reject(error) : resolve())),
    async close() {
      sink.end();
      await written;
      await rename(partial, target);
    },
    async discard() {
      sink.destroy();
      file.destroy();
      await rm(partial, { force: true });
    },
  };
}
