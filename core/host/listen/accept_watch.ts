import { type AddressInfo, connect } from "node:net";

const CHECK_MILLISECONDS = 2000;
const PROBE_MILLISECONDS = 1000;
/** One failure may be due to an event loop that was blocked. */
const FAILURES = 2;

/** The outcome of a connection to the own listener. */
type ProbeEnd = "accepted" | "nothing" | "not connected";

/**
 * Notices that a listener accepts nothing any more. On Deno, one error of accept(2), such as that no descriptor is left,
 * ends accepting for good and says nothing; Node goes on by itself.
 */
export class AcceptWatch {
  readonly #address: () => AddressInfo | string | null;
  readonly #reopen: () => Promise<void>;
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  #accepted = 0;
  #seen = 0;
  #failures = 0;
  #isChecking = false;
  #onAccept = () => {};

  /**
   * @param address returns the address of the listener
   * @param reopen opens the listener again
   */
  constructor(address: () => AddressInfo | string | null, reopen: () => Promise<void>) {
    this.#address = address;
    this.#reopen = reopen;
    if (!("Deno" in globalThis)) return;
    this.#timer = setInterval(() => void this.#check(), CHECK_MILLISECONDS);
    this.#timer.unref();
  }

  /** Must be called for each accepted connection. */
  accepted(): void {
    this.#accepted++;
    this.#onAccept();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Connects to the listener if nothing else did since the last check. */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    const isAlive = this.#accepted !== this.#seen;
    this.#seen = this.#accepted;
    if (isAlive) return void (this.#failures = 0);
    this.#isChecking = true;
    try {
      const end = await this.#probe();
      if (end === "accepted") this.#failures = 0;
      else if (end === "nothing" && ++this.#failures >= FAILURES) {
        this.#failures = 0;
        await this.#reopen();
      }
    } finally {
      this.#isChecking = false;
    }
  }

  #probe(): Promise<ProbeEnd> {
    const address = this.#address();
    // It could not be opened again.
    if (address === null || typeof address === "string") return Promise.resolve("nothing");
    const host = address.address === "0.0.0.0" ? "127.0.0.1" : address.address === "::" ? "::1" : address.address;
    return new Promise((resolve) => {
      const socket = connect({ host, port: address.port });
      const end = (outcome: ProbeEnd) => {
        clearTimeout(timer);
        this.#onAccept = () => {};
        socket.destroy();
        resolve(outcome);
      };
      const timer = setTimeout(() => end("nothing"), PROBE_MILLISECONDS);
      this.#onAccept = () => end("accepted");
      // Without a free descriptor nothing is known of the listener.
      socket.on("error", () => end("not connected"));
    });
  }
}
