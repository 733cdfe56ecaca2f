import { type ChildProcess, spawn } from "node:child_process";
import { Buffer } from "node:buffer";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../log.ts";

/** The name of the socket that Knot sends to; the module has one channel. */
const SOCKET = "probe01.sock";
const QUEUE = "/proc/sys/net/unix/max_dgram_qlen";
/** With a queue of this length, a machine that is busy counts every query at 2000 a second. */
const MIN_QUEUE = 512;
/** More bytes than any datagram has. */
const MAX_DATAGRAM = 1024;
/** The datagrams that are read before another look at whether to end. */
const MAX_AT_ONCE = 5000;

/**
 * Datagrams of local sockets cannot be received by the runtimes of JavaScript; Perl is part of every Debian. This writes each
 * with its length in front, and ends when the agent does. As with the receivers of Knot, each process that may enter the
 * directory may write.
 */
const PROGRAM = `
use strict; use Socket;
my $path = $ARGV[0];
socket(my $socket, PF_UNIX, SOCK_DGRAM, 0) or die "socket: $!\\n";
unlink $path; umask 0555;
bind($socket, pack_sockaddr_un($path)) or die "$path: $!\\n";
my $wanted = ""; vec($wanted, fileno($socket), 1) = 1; vec($wanted, fileno(STDIN), 1) = 1;
syswrite(STDOUT, pack("n", 0));
my $ended = 0;
until ($ended) {
  select(my $ready = $wanted, undef, undef, undef);
  $ended = vec($ready, fileno(STDIN), 1);
  # at the end also what still waits; Knot may go on sending
  for (1 .. ${MAX_AT_ONCE}) {
    defined(recv($socket, my $datagram, ${MAX_DATAGRAM}, MSG_DONTWAIT)) or last;
    syswrite(STDOUT, pack("n/a*", $datagram)) or exit;
  }
}
`;

/** Receives the datagrams that Knot sends. */
export class ProbeReceiver {
  readonly #path: string;
  readonly #log: Log;
  readonly #take: (datagram: Buffer) => void;
  #child: ChildProcess | undefined;
  /** The last error, which is not logged again and again. */
  #error = "";
  #isChecked = false;

  /** @param directory the directory of the socket */
  constructor(directory: string, log: Log, take: (datagram: Buffer) => void) {
    this.#path = join(directory, SOCKET);
    this.#log = log;
    this.#take = take;
  }

  /** Listens, also again if the socket is no more: its directory may go away when Knot is stopped. */
  async listen(): Promise<void> {
    if (this.#child !== undefined && existsSync(this.#path)) return;
    await this.close();
    this.#checkQueue();
    const child = spawn("perl", ["-e", PROGRAM, this.#path], { stdio: ["pipe", "pipe", "pipe"] });
    this.#child = child;
    const split = splitter(this.#take);
    let error = "";
    child.stdin.on("error", () => {});
    child.stderr.on("data", (chunk) => error = `${error}${chunk}`.slice(0, 1000));
    const end = (text: string) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      if (text !== this.#error) this.#log.warn("no queries are received", { error: text.trim() });
      this.#error = text;
    };
    await new Promise<void>((resolve) => {
      child.stdout.on("data", (chunk: Buffer) => {
        // the first bytes say that the socket is there
        resolve();
        split(chunk);
      });
      child.once("error", ({ message }) => (end(message), resolve()));
      child.once("close", () => (end(error), resolve()));
    });
  }

  /** Warns if the system gives sockets a queue so short that Knot drops what it would report. */
  #checkQueue(): void {
    if (this.#isChecked || !existsSync(QUEUE)) return;
    this.#isChecked = true;
    const length = Number(readFileSync(QUEUE, "utf8"));
    if (length >= MIN_QUEUE) return;
    const advice = `set net.unix.max_dgram_qlen to ${MIN_QUEUE} or more`;
    this.#log.warn("queries may be lost while there are many at once", { queue: length, advice });
  }

  /** Ends when what Knot sent before was received. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    const closed = new Promise<unknown>((resolve) => child.once("close", resolve));
    child.stdin?.end();
    await closed;
  }
}

/** Returns a function that takes a stream apart into datagrams, each of which has its length in front. */
function splitter(take: (datagram: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (bytes.length >= 2 && bytes.length >= 2 + bytes.readUInt16BE(0)) {
      const end = 2 + bytes.readUInt16BE(0);
      if (end > 2) take(bytes.subarray(2, end));
      bytes = bytes.subarray(end);
    }
    rest = bytes;
  };
}
