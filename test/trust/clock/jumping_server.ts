import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Server, THIS_RUNTIME } from "../../harness/server.ts";

const MAIN = fileURLToPath(new URL("jumping_main.ts", import.meta.url));

/** A server that is killed again and again, and started each time at a later time of its clock. */
export class JumpingServer {
  readonly #environment: Readonly<Record<string, string>>;
  readonly #clock: string;
  readonly #jump: number;
  #offset = 0;
  #server: Server | undefined;

  /** @param jump the milliseconds by which the clock is ahead after each restart */
  constructor(environment: Readonly<Record<string, string>>, jump: number) {
    this.#environment = environment;
    this.#clock = join(environment["EDGEHELM_MANIFEST"]!, "../clock");
    this.#jump = jump;
  }

  /** The server that runs, or was killed last. */
  get current(): Server {
    return this.#server!;
  }

  async start(): Promise<void> {
    // renamed, so that the server never reads half of it
    writeFileSync(`${this.#clock}.new`, String(this.#offset));
    renameSync(`${this.#clock}.new`, this.#clock);
    this.#server = await Server.start({ ...this.#environment, TEST_CLOCK: this.#clock }, THIS_RUNTIME, MAIN);
  }

  /** Waits for the end of a server that was killed, and starts another one at a later time. */
  async restart(): Promise<void> {
    await this.current.ended;
    this.#offset += this.#jump;
    await this.start();
  }

  async kill(): Promise<void> {
    this.#server?.kill();
    await this.#server?.ended;
  }
}
