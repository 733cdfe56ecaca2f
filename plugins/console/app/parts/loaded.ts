import { useCallback, useEffect, useState } from "preact/hooks";

/** The result of loading, or the error; `value` stays while it is loaded again, so that pages do not jump. */
export interface Loaded<Result> {
  readonly value?: Result;
  readonly error?: unknown;
  readonly isLoading: boolean;
  reload(): void;
}

/** Loads something for a page, again when `keys` change. Responses that come too late are dropped. */
export function useLoaded<Result>(
  load: (signal: AbortSignal) => Promise<Result>,
  keys: readonly unknown[],
): Loaded<Result> {
  const [state, setState] = useState<Omit<Loaded<Result>, "reload">>({ isLoading: true });
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  useEffect(() => {
    const end = new AbortController();
    setState((before) => ({ ...before, isLoading: true }));
    load(end.signal).then(
      (value) => end.signal.aborted || setState({ value, isLoading: false }),
      (error) => end.signal.aborted || setState({ error, isLoading: false }),
    );
    return () => end.abort();
  }, [...keys, round]);
  return { ...state, reload };
}
