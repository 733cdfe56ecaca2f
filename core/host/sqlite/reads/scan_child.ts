import { ChildProgram } from "../../child/child_program.ts";
import type { ScanRequest, ScanResponse } from "./scan_message.ts";

/** A child process that runs one scan at a time and can be killed at any time. */
export class ScanChild {
  readonly #program: ChildProgram<ScanRequest, ScanResponse>;
  #pending: PromiseWithResolvers<ScanResponse> | undefined;

  constructor(databasePath: string) {
    // The program has the extension of this file: .js in the packed project.
    const program = import.meta.url.replace("scan_child", "scan_process");
    this.#program = new ChildProgram("the scan process", program, [databasePath], {
      response: (response) => this.#pending?.resolve(response),
      end: (error) => this.#pending?.reject(error),
    });
  }

  get isAlive(): boolean {
    return this.#program.isAlive;
  }

  get processId(): number | undefined {
    return this.#program.processId;
  }

  /** Runs one statement. Do not call it again before the returned promise settles. */
  run(request: ScanRequest): Promise<ScanResponse> {
    this.#pending = Promise.withResolvers<ScanResponse>();
    this.#program.send(request);
    return this.#pending.promise;
  }

  kill(): void {
    this.#program.kill();
  }
}
