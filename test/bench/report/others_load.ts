import { availableParallelism } from "node:os";
import { machineCpuSeconds, ownCpuSeconds } from "./processor_time.ts";

/** Starts to watch; the function returns the share of all cores that other processes have used since. */
export function watchOthers(): () => number {
  const [started, machine, own] = [performance.now(), machineCpuSeconds(), ownCpuSeconds()];
  return () => {
    const seconds = (performance.now() - started) / 1000;
    const others = machineCpuSeconds() - machine - (ownCpuSeconds() - own);
    // the two clocks are read one after the other
    return Math.min(1, Math.max(0, others / (seconds * availableParallelism())));
  };
}

/** The load of other processes for so long from now on. */
export async function othersLoadFor(milliseconds: number): Promise<number> {
  const load = watchOthers();
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return load();
}
