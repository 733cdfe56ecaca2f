import { expect, test, vi } from "vitest";
import { type PassOn, Turns } from "../../../../core/storage/remote/turns.ts";

const soon = () => Date.now() + 60_000;

test("turns are had in the order in which they were asked for, the urgent ones first", async () => {
  const turns = new Turns(1);
  const had: string[] = [];
  let passOn = await turns.take(soon());
  const asked = ["a", "b", "urgent", "c"].map((name) =>
    turns.take(soon(), name === "urgent").then((next) => {
      had.push(name);
      passOn = next;
    })
  );
  expect(turns.waiting).toBe(4);
  for (let count = 1; count <= asked.length; count++) {
    passOn();
    await vi.waitFor(() => expect(had).toHaveLength(count));
  }
  expect(had).toEqual(["urgent", "a", "b", "c"]);
});

test("a turn is given back once, however often it is said", async () => {
  const turns = new Turns(1);
  const passOn = await turns.take(soon());
  passOn();
  passOn();
  await turns.take(soon());
  await expect(turns.take(Date.now() + 20)).rejects.toMatchObject({ kind: "deadline" });
});

test("who waits too long is told, and does not keep the turn that comes later", async () => {
  const turns = new Turns(1);
  const passOn = await turns.take(soon());
  await expect(turns.take(Date.now() + 20)).rejects.toMatchObject({ kind: "deadline" });
  expect(turns.waiting).toBe(0);
  passOn();
  await turns.take(soon());
});

test("the turns of those who never came back are taken back when nobody can wait for them any more", async () => {
  vi.useFakeTimers();
  try {
    const turns = new Turns(2);
    const lost: PassOn[] = [await turns.take(Date.now() + 100), await turns.take(Date.now() + 100)];
    vi.setSystemTime(Date.now() + 5000);
    const [one, two] = [await turns.take(soon()), await turns.take(soon())];
    for (const late of lost) late();
    const third = turns.take(soon());
    expect(turns.waiting).toBe(1);
    one();
    await third;
    two();
  } finally {
    vi.useRealTimers();
  }
});
