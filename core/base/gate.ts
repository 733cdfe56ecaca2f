/** Something that another call may say has happened. */
export interface Gate {
  /** Resolves to true when it has, and to false when it has not in time. */
  readonly opened: Promise<boolean>;
  open(): void;
}

/**
 * Workerd keeps requests apart: who waits for a promise that another request resolves goes on too late, inside that
 * request, or never. There every request looks by itself, by timers of its own.
 */
const KEEPS_REQUESTS_APART = globalThis.navigator?.userAgent === "Cloudflare-Workers";
const MAX_TIMER = 2 ** 31 - 1;
/** Milliseconds between two looks, growing. */
const [SHORTEST_PAUSE, MAX_PAUSE, GROWTH] = [1, 50, 1.5];

/**
 * Something that this call waits for and another brings about. Plugins wait for each other's calls with it, and not by
 * promises: in workerd a request must not go on by what another one resolves.
 *
 * @param until unix milliseconds, when nobody waits for it any more
 * @example
 * ```ts
 * const { opened, open } = gate(call.deadline);
 * waiting.push(open); // whoever makes room calls it
 * if (!await opened) throw kernelErrors.unavailable("there is no room");
 * ```
 */
export function gate(until: number): Gate {
  return KEEPS_REQUESTS_APART ? lookedAt(until) : told(until);
}

/**
 * What work gives that belongs to whichever call began it.
 *
 * @param milliseconds after which it is given up: the call that began it may be gone
 * @param late what to throw then
 */
export async function shared<Result>(work: Promise<Result>, milliseconds: number, late: () => Error): Promise<Result> {
  const { opened, open } = gate(Date.now() + milliseconds);
  let outcome: (() => Result) | undefined;
  work.then((result) => {
    outcome = () => result;
    open();
  }, (error) => {
    outcome = () => {
      throw error;
    };
    open();
  });
  await opened;
  if (outcome === undefined) throw late();
  return outcome();
}

function told(until: number): Gate {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), Math.min(Math.max(0, until - Date.now()), MAX_TIMER));
  return {
    opened: promise,
    open() {
      clearTimeout(timer);
      resolve(true);
    },
  };
}

function lookedAt(until: number): Gate {
  let isOpen = false;
  async function look(): Promise<boolean> {
    for (let pause = SHORTEST_PAUSE; !isOpen && Date.now() < until; pause = Math.min(pause * GROWTH, MAX_PAUSE)) {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    return isOpen;
  }
  return { opened: look(), open: () => isOpen = true };
}
