import { expect, test } from "vitest";
import { ConnectionCounts } from "../../../core/net/connection_counts.ts";
import { ConnectionPool } from "../../../core/net/connection_pool.ts";

test("a pool that is full has no room until a connection leaves", () => {
  const pool = new ConnectionPool(2);
  expect([pool.enter(), pool.enter(), pool.enter(), pool.enter()]).toEqual([true, true, false, false]);
  expect(pool.open).toBe(2);
  pool.leave();
  expect([pool.enter(), pool.enter()]).toEqual([true, false]);
});

test("a pool is ample up to half of its room", () => {
  const pool = new ConnectionPool(4);
  const states = Array.from({ length: 4 }, () => pool.enter() && pool.isAmple);
  expect(states).toEqual([true, true, false, false]);
});

test("refused connections are counted by listener and limit", () => {
  const pool = new ConnectionPool(1);
  pool.refuse("http", "process");
  pool.refuse("grpc", "process");
  pool.refuse("http", "process");
  expect(pool.refused).toEqual([
    { listener: "http", limit: "process", count: 2 },
    { listener: "grpc", limit: "process", count: 1 },
  ]);
});

test.each([[10_000, 4000, 50, 20], [10_000, 4000, 20_000, 4000], [100, 100, 50, 50], [100, 4000, 1000, 100]])(
  "of %i connections and %i of one address, a pool of %i leaves %i to one address",
  (max, maxPerAddress, room, expected) => {
    const counts = new ConnectionCounts(max, maxPerAddress, new ConnectionPool(room));
    let entered = 0;
    while (counts.enter("192.0.2.1") === undefined) entered++;
    expect(entered).toBe(expected);
  },
);
