import { expect, test } from "vitest";
import type { AccessLog, LogPage } from "../../../../plugins/console/app/areas/platform/access_logs/access_logs.ts";
import { Follower } from "../../../../plugins/console/app/areas/platform/access_logs/follower.ts";

/** The logs of days, of which pages are asked as the server returns them. */
class Days {
  now = Date.parse("2026-01-31T23:59:50Z");
  readonly asked: string[] = [];
  readonly #logs: Record<string, string[]> = {};

  add(day: string, requestId: string): void {
    (this.#logs[day] ??= []).unshift(requestId);
  }

  follow(day: string, cursor: string): Follower {
    return new Follower((asked, newest) => this.#page(asked, newest), day, cursor, () => this.now);
  }

  #page(day: string, cursor: string): Promise<LogPage> {
    this.asked.push(day);
    const logs = (this.#logs[day] ?? []).filter((requestId) => requestId > cursor)
      .map((requestId) => ({ requestId }) as AccessLog);
    return Promise.resolve({ logs, cursor, hasMore: false });
  }
}

const { signal } = new AbortController();
const idsOf = async (follower: Follower) => (await follower.next(signal)).map(({ requestId }) => requestId);

test("it goes on with the next day, and late logs of the last one are not lost", async () => {
  const days = new Days();
  days.add("2026-01-31", "1");
  const follower = days.follow("2026-01-31", "1");
  expect(await idsOf(follower)).toEqual([]);
  days.add("2026-01-31", "2");
  expect(await idsOf(follower)).toEqual(["2"]);
  days.now += 20_000;
  days.add("2026-01-31", "3");
  days.add("2026-02-01", "4");
  expect(await idsOf(follower)).toEqual(["4", "3"]);
  days.now += 10 * 60_000;
  days.add("2026-02-01", "5");
  days.asked.length = 0;
  expect(await idsOf(follower)).toEqual(["5"]);
  expect(days.asked).toEqual(["2026-02-01"]);
});

test("a day that has passed is followed alone", async () => {
  const days = new Days();
  const follower = days.follow("2026-01-30", "");
  days.add("2026-01-30", "1");
  days.add("2026-01-31", "2");
  expect(await idsOf(follower)).toEqual(["1"]);
  expect(days.asked).toEqual(["2026-01-30"]);
});

test("a day without logs is read from its beginning", async () => {
  const days = new Days();
  const follower = days.follow("2026-01-31", "");
  days.add("2026-01-31", "1");
  expect(await idsOf(follower)).toEqual(["1"]);
  expect(await idsOf(follower)).toEqual([]);
});
