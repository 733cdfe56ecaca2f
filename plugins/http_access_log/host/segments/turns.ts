/** Runs one piece of work after another. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }
}
