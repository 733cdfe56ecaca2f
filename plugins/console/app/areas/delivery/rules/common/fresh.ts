import { useState } from "preact/hooks";
import { type Loaded, useLoaded } from "../../../../parts/loaded.ts";

/** A result that can be loaded again before a form closes. */
export interface Fresh<Result> extends Loaded<Result> {
  readonly refresh: () => Promise<void>;
}

/**
 * Loads something for a panel. What is done next must not begin with what was there before the last change, so the
 * panel waits for `refresh` after each.
 */
export function useFresh<Result>(load: (signal?: AbortSignal) => Promise<Result>): Fresh<Result> {
  const loaded = useLoaded(load, []);
  const [newer, setNewer] = useState<Result>();
  async function refresh(): Promise<void> {
    try {
      const value = await load();
      setNewer(() => value);
    } catch {
      // shows the error, with a button that loads again
      setNewer(undefined);
      loaded.reload();
    }
  }
  return newer === undefined ? { ...loaded, refresh } : { ...loaded, value: newer, refresh };
}
