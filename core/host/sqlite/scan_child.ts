import { ChildProgram } from "../child/child_program.ts";
import type { ScanReply, ScanRequest } from "./scan_message.ts";

/** A child process that runs one scan at a time, and can be killed in the middle of it. */
export class ScanChild {
  readonly #program: ChildProgram<ScanRequest, ScanReply>;
  #waiting: PromiseWithResolvers<ScanReply> | undefined;

  constructor(databasePath: string) {
    // beside this file, with the ending that this file has: .ts here, .js in a published package
    const program = import.meta.url.replace("scan_child", "scan_process");
    this.#program = new ChildProgram("the scan process", program, [databasePath], {
      reply: (reply) => this.#waiting?.resolve(reply),
      end: (error) => this.#waiting?.reject(error),
    });
  }

  get isAlive(): boolean {
    return this.#program.isAlive;
  }

  get processId(): number | undefined {
    return this.#program.processId;
  }

  /** Sends one statement. The next may follow once this one is answered. */
  run(request: ScanRequest): Promise<ScanReply> {
    this.#waiting = Promise.withResolvers<ScanReply>();
    this.#program.send(request);
    return this.#waiting.promise;
  }

  kill(): void {
    this.#program.kill();
  }
}
