import { type ChildProcess, spawn } from "node:child_process";
import { Buffer } from "node:buffer";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../log.ts";

/** The name of the socket that Knot sends to; the module has one channel. */
const SOCKET = "probe01.sock";
/** More bytes than any datagram has. */
const MAX_DATAGRAM = 1024;

/**
 * Datagrams of local sockets cannot be received by the runtimes of JavaScript; Perl is part of every Debian. This writes each
 * with its length in front, and ends when the agent does. As Knot demands, everybody who can enter the directory may
 * write.
 */
const PROGRAM = `
use strict; use Socket;
my $path = $ARGV[0];
socket(my $socket, PF_UNIX, SOCK_DGRAM, 0) or die "socket: $!\\n";
unlink $path; umask 0555;
bind($socket, pack_sockaddr_un($path)) or die "$path: $!\\n";
my $wanted = ""; vec($wanted, fileno($socket), 1) = 1; vec($wanted, fileno(STDIN), 1) = 1;
syswrite(STDOUT, pack("n", 0));
while (select(my $ready = $wanted, undef, undef, undef) >= 0) {
  last if vec($ready, fileno(STDIN), 1);
  defined(recv($socket, my $datagram, ${MAX_DATAGRAM}, 0)) or next;
  syswrite(STDOUT, pack("n/a*", $datagram)) or last;
}
`;

/** Receives the datagrams that Knot sends. */
export class ProbeReceiver {
  readonly #path: string;
  readonly #log: Log;
  readonly #take: (datagram: Buffer) => void;
  #child: ChildProcess | undefined;
  #rest: Buffer = Buffer.alloc(0);
  /** The last error, which is not logged again and again. */
  #error = "";

  /** @param directory the directory of the socket */
  constructor(directory: string, log: Log, take: (datagram: Buffer) => void) {
    this.#path = join(directory, SOCKET);
    this.#log = log;
    this.#take = take;
  }

  /** Listens, also again if the socket is no more: its directory may go away when Knot is stopped. */
  async listen(): Promise<void> {
    if (this.#child !== undefined && existsSync(this.#path)) return;
    this.close();
    const child = spawn("perl", ["-e", PROGRAM, this.#path], { stdio: ["pipe", "pipe", "pipe"] });
    this.#child = child;
    this.#rest = Buffer.alloc(0);
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
        if (this.#child === child) this.#push(chunk);
      });
      child.once("error", ({ message }) => (end(message), resolve()));
      child.once("close", () => (end(error), resolve()));
    });
  }

  close(): void {
    const child = this.#child;
    this.#child = undefined;
    child?.stdin?.end();
  }

  #push(chunk: Buffer): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (bytes.length >= 2 && bytes.length >= 2 + bytes.readUInt16BE(0)) {
      const end = 2 + bytes.readUInt16BE(0);
      if (end > 2) this.#take(bytes.subarray(2, end));
      bytes = bytes.subarray(end);
    }
    this.#rest = bytes;
  }
}
