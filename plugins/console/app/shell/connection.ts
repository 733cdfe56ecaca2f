import { signal } from "@preact/signals";
import { ApiError } from "edgehelm/client";

/** True while the server cannot be reached. */
export const isAway = signal(false);

/** The pause between two looks whether the server is back. */
const PAUSE_MILLISECONDS = 1500;

let back: Promise<void> | undefined;

/**
 * Sends something as often as the server cannot be reached, and returns the first response. What is sent must have no
 * second effect when it arrives twice.
 */
export async function whenReached<Result>(send: () => Promise<Result>, abort?: AbortSignal): Promise<Result> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (abort?.aborted || !await isUnreached(error)) throw error;
      await untilBack(abort);
    }
  }
}

/** Waits until the server can be reached. Rejects with the reason of the signal if it aborts before. */
export async function untilBack(abort?: AbortSignal): Promise<void> {
  back ??= look().finally(() => back = undefined);
  const aborted = new Promise<never>((_resolve, reject) => {
    abort?.addEventListener("abort", () => reject(abort.reason), { once: true });
  });
  await Promise.race([back, aborted]);
}

async function look(): Promise<void> {
  isAway.value = true;
  do {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
  } while (!await isReady());
  isAway.value = false;
}

/** A proxy responds with these codes in the place of a server that is away; a server that is there may, too. */
async function isUnreached(error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError)) return false;
  return error.code === 0 || [502, 503, 504].includes(error.code) && !await isReady();
}

async function isReady(): Promise<boolean> {
  return await fetch("/readyz", { cache: "no-store" }).then(({ ok }) => ok, () => false);
}
