/** Runs one piece of work at a time, in the order in which they were asked for. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Returns a function that runs work in turn: a call can have one transaction at a time. */
export function inTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}
