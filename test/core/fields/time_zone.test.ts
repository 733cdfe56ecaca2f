import { addDays, dayAt, daysField, dayStart, timeOfDayAt, timeOn, today } from "edgehelm/fields";
import { TestClock } from "edgehelm/testing";
import { describe, expect, test } from "vitest";

const HOUR = 3600;
const utc = (text: string) => Date.parse(`${text}Z`) / 1000;

test.each([
  ["UTC", "2026-06-15", "2026-06-15T00:00", 24],
  ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00", 23],
  ["Europe/Berlin", "2026-10-25", "2026-10-24T22:00", 25],
  ["America/New_York", "2026-11-01", "2026-11-01T04:00", 25],
  ["Asia/Kathmandu", "2026-02-01", "2026-01-31T18:15", 24],
  ["Australia/Adelaide", "2026-04-05", "2026-04-04T13:30", 25],
  ["Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00", 24.5],
  ["Australia/Lord_Howe", "2026-10-04", "2026-10-03T13:30", 23.5],
  ["Pacific/Chatham", "2026-09-27", "2026-09-26T11:15", 23],
  ["America/Havana", "2026-03-08", "2026-03-08T05:00", 23],
  ["America/Havana", "2026-11-01", "2026-11-01T04:00", 25],
  ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00", 23],
  ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00", 23],
  ["America/Sao_Paulo", "2018-02-17", "2018-02-17T02:00", 25],
  ["Pacific/Apia", "2011-12-30", "2011-12-30T10:00", 0],
])("in %s, %s begins at %s in UTC and lasts %d hours", (timeZone, day, start, hours) => {
  const begin = dayStart({ timeZone }, day);
  expect(new Date(begin * 1000).toISOString().slice(0, 16)).toBe(start);
  expect((dayStart({ timeZone }, addDays(day, 1)) - begin) / HOUR).toBe(hours);
  if (hours === 0) return;
  expect(dayAt({ timeZone }, begin)).toBe(day);
  expect(dayAt({ timeZone }, begin - 1)).toBe(addDays(day, -1));
});

test("every half hour of years belongs to the day that contains it", () => {
  for (
    const timeZone of [
      "Europe/Berlin",
      "Asia/Kathmandu",
      "Australia/Lord_Howe",
      "America/St_Johns",
      "Africa/Casablanca",
    ]
  ) {
    for (let at = utc("2026-01-01T00:00"); at < utc("2028-01-01T00:00"); at += HOUR / 2) {
      const day = dayAt({ timeZone }, at);
      if (dayStart({ timeZone }, day) > at || dayStart({ timeZone }, addDays(day, 1)) <= at) {
        expect.fail(`${timeZone}: ${new Date(at * 1000).toISOString()} is not within ${day}`);
      }
    }
  }
});

describe("a time of day", () => {
  const berlin = { timeZone: "Europe/Berlin" };

  test("that clocks show twice is the first one", () => {
    expect(timeOn(berlin, "2026-10-25", 2.5 * HOUR)).toBe(utc("2026-10-25T00:30"));
    expect([timeOfDayAt(berlin, utc("2026-10-25T00:30")), timeOfDayAt(berlin, utc("2026-10-25T01:30"))])
      .toEqual(["02:30:00", "02:30:00"]);
  });

  test("that clocks skip is as long after the skip", () => {
    expect(timeOn(berlin, "2026-03-29", 2.5 * HOUR)).toBe(utc("2026-03-29T01:30"));
  });
});

test("today and the limits of lists follow the clock's time zone", () => {
  const clock = new TestClock(Date.UTC(2026, 0, 31, 18, 15), "Asia/Kathmandu");
  expect(today(clock)).toBe("2026-02-01");
  expect(daysField({ dayFrom: "20260201", dayTo: "20260201" }, clock))
    .toEqual({ from: BigInt(utc("2026-01-31T18:15")), to: BigInt(utc("2026-02-01T18:15")) });
});
