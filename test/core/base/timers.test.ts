import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MAX_TIMER, systemTimers } from "../../../core/base/clock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a timer may run longer than those of the runtime, and is cancelled at any time", () => {
  const started = vi.spyOn(globalThis, "setTimeout");
  const act = vi.fn();
  systemTimers.after(2 * MAX_TIMER + 5, act);
  const cancelled = vi.fn();
  const cancel = systemTimers.after(MAX_TIMER + 10, cancelled);
  vi.advanceTimersByTime(MAX_TIMER + 5);
  cancel();
  vi.advanceTimersByTime(MAX_TIMER - 1);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(act).toHaveBeenCalledOnce();
  expect(cancelled).not.toHaveBeenCalled();
  expect(Math.max(...started.mock.calls.map(([, delay]) => delay!))).toBe(MAX_TIMER);
});
