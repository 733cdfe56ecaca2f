import type { ServerProcess } from "../installation/server_process.ts";

const WINDOW_MILLISECONDS = 200;
/** The share of one core that a server without work may use. */
const IDLE_SHARE = 0.05;
const LIMIT_MILLISECONDS = 10_000;

/** Waits until a server has done the work that it still had after its last response. */
export async function settled(server: ServerProcess): Promise<void> {
  const end = performance.now() + LIMIT_MILLISECONDS;
  for (let before = server.cpuMicroseconds(); performance.now() < end;) {
    await new Promise((resolve) => setTimeout(resolve, WINDOW_MILLISECONDS));
    const now = server.cpuMicroseconds();
    if (now - before <= WINDOW_MILLISECONDS * 1000 * IDLE_SHARE) return;
    before = now;
  }
}
