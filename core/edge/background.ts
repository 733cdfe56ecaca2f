/**
 * Knows what still goes on for the requests of an isolate. Runtimes end what a request began when its answer is out or
 * its caller is gone, in the middle of whatever it does; what others would wait for in vain must be told to them.
 */
export class Background {
  readonly #running = new Set<Promise<unknown>>();

  /** Counts this in until it ends, one way or the other. */
  track<Result>(work: Promise<Result>): Promise<Result> {
    this.#running.add(work);
    const done = () => void this.#running.delete(work);
    work.then(done, done);
    return work;
  }

  /** Sends a request whose answer is counted in until it has come whole. */
  readonly fetch = (request: Request, init: RequestInit): Promise<Response> => this.track(sendWhole(request, init));

  /** Resolves when nothing is under way, nor what follows from it at once. */
  async settled(): Promise<void> {
    do {
      await Promise.allSettled(this.#running);
      await new Promise((resolve) => setTimeout(resolve, 0));
    } while (this.#running.size > 0);
  }
}

async function sendWhole(request: Request, init: RequestInit): Promise<Response> {
  const answer = await fetch(request, init);
  const { status, statusText, headers } = answer;
  return new Response(await answer.arrayBuffer(), { status, statusText, headers });
}
