import { kernelErrors } from "edgehelm";
import type { Client, ClientChannel } from "ssh2";
import type { CommandResult, Machine, UploadSource } from "../machine.ts";
import { quoted } from "../shell.ts";
import { openSftp, sendBySftp } from "./sftp.ts";

const MAX_TEXT_BYTES = 16_384;
const CHUNK_BYTES = 512 * 1024;

/** A machine over an open SSH connection. */
export class SSHMachine implements Machine {
  readonly #client: Client;
  readonly #signal: AbortSignal;
  readonly #closeConnection: () => void;

  constructor(client: Client, signal: AbortSignal, closeConnection: () => void) {
    this.#client = client;
    this.#signal = signal;
    this.#closeConnection = closeConnection;
  }

  async run(command: string, input: string, timeoutMilliseconds: number): Promise<CommandResult> {
    return await this.#within(timeoutMilliseconds, async () => {
      const { channel, result } = await this.#exec(command);
      channel.end(input);
      return await result;
    });
  }

  async upload(path: string, source: UploadSource, offset: number): Promise<void> {
    const sftp = await openSftp(this.#client);
    if (sftp !== undefined) return await this.#orAborted(sendBySftp(sftp, path, source, offset));
    await this.#orAborted(this.#sendByShell(path, source, offset));
  }

  close(): void {
    this.#client.end();
    this.#closeConnection();
  }

  async #sendByShell(path: string, source: UploadSource, offset: number): Promise<void> {
    const { channel, result } = await this.#exec(`umask 077; cat >> ${quoted(path)}`);
    let isClosed = false;
    void result.finally(() => isClosed = true).catch(() => {});
    for (let at = offset; at < source.size && !isClosed;) {
      const bytes = await source.read(at, CHUNK_BYTES);
      await new Promise<void>((resolve, reject) => {
        const closed = () => resolve();
        channel.once("close", closed);
        channel.write(bytes, (error?: Error | null) => {
          channel.removeListener("close", closed);
          if (error) reject(error);
          else resolve();
        });
      });
      at += bytes.length;
    }
    if (!isClosed) channel.end();
    const { status, stderr } = await result;
    if (status !== 0) throw kernelErrors.unavailable(`cannot write ${path}: ${stderr.trim()}`);
  }

  /** Begins a command. Its end may come with the same packet as its beginning, so listeners are attached at once. */
  #exec(command: string): Promise<{ readonly channel: ClientChannel; readonly result: Promise<CommandResult> }> {
    return new Promise((resolve, reject) => {
      this.#client.exec(command, (error, channel) => {
        if (error !== undefined) return reject(error);
        const result = resultOf(channel);
        result.catch(() => {});
        resolve({ channel, result });
      });
    });
  }

  async #within<Result>(milliseconds: number, work: () => Promise<Result>): Promise<Result> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const expired = new Promise<never>((_resolve, reject) => {
      const text = `a command took longer than ${milliseconds / 1000} s`;
      timer = setTimeout(() => reject(kernelErrors.unavailable(text)), milliseconds);
    });
    try {
      return await Promise.race([this.#orAborted(work()), expired]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Waits for work until the installation is aborted or the connection has ended. */
  async #orAborted<Result>(work: Promise<Result>): Promise<Result> {
    const ended = Promise.withResolvers<never>();
    const abort = () => ended.reject(this.#signal.reason);
    const close = () => ended.reject(kernelErrors.unavailable("the connection to the machine ended"));
    this.#signal.addEventListener("abort", abort, { once: true });
    this.#client.once("close", close);
    if (this.#signal.aborted) abort();
    try {
      return await Promise.race([work, ended.promise]);
    } finally {
      this.#signal.removeEventListener("abort", abort);
      this.#client.removeListener("close", close);
    }
  }
}

/** Collects what a command prints until it has ended. */
function resultOf(channel: ClientChannel): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    let status = -1;
    const [stdout, stderr] = [new BoundedText(), new BoundedText()];
    channel.on("data", (bytes: Uint8Array) => stdout.add(bytes));
    channel.stderr.on("data", (bytes: Uint8Array) => stderr.add(bytes));
    channel.on("error", reject);
    channel.on("exit", (code: number | null) => status = code ?? -1);
    channel.on("close", () => resolve({ status, stdout: stdout.text, stderr: stderr.text }));
  });
}

/** The beginning of a text that another machine sends. */
class BoundedText {
  readonly #decoder = new TextDecoder();
  #bytes = 0;
  text = "";

  add(bytes: Uint8Array): void {
    const kept = bytes.subarray(0, MAX_TEXT_BYTES - this.#bytes);
    this.#bytes += kept.length;
    this.text += this.#decoder.decode(kept, { stream: true });
  }
}
