import { describe, expect, test } from "vitest";
import { Random } from "../../harness/random.ts";
import { byTime, type Event, explain } from "./checker.ts";
import { type Action, DONE, MISSING, recordModel, TAKEN } from "./record_model.ts";
import { throughReplicas } from "./replica_order.ts";

type Call = Event<Action, string>;

/** Creates a call; without a result, it may have happened or not. */
function call(from: number, to: number, action: Action, result?: string): Call {
  return { client: 0, from, to: result === undefined ? Infinity : to, action, result };
}
const create = (name: string, value = "a"): Action => ({ kind: "create", name, value });
const update = (id: string, value: string, name = "n"): Action => ({ kind: "update", id, name, value });
const remove: Action = { kind: "delete", id: "1" };
const find: Action = { kind: "find", id: "1" };
const [list, count]: Action[] = [{ kind: "list" }, { kind: "count" }];
const CREATED = call(0, 1, create("n"), "1");

describe("histories of calls that ran one after the other are explained", () => {
  test.each<[string, Call[]]>([
    ["an object that is created, changed, found and deleted", [
      CREATED,
      call(2, 3, update("1", "b"), DONE),
      call(4, 5, find, "1:n=b"),
      call(6, 7, remove, DONE),
      call(8, 9, find, MISSING),
      call(10, 11, update("1", "c"), MISSING),
    ]],
    ["a name that is taken, and is free after the deletion", [
      CREATED,
      call(2, 3, create("n"), TAKEN),
      call(4, 5, remove, DONE),
      call(6, 7, create("n"), "2"),
      call(8, 9, list!, "2:n=a"),
    ]],
    ["a read beside a write, which sees the state before", [
      CREATED,
      call(2, 9, update("1", "b"), DONE),
      call(3, 4, find, "1:n=a"),
      call(5, 6, find, "1:n=b"),
    ]],
    ["a change without a response, which happens later", [
      CREATED,
      call(2, 3, update("1", "b")),
      call(4, 5, find, "1:n=a"),
      call(6, 7, find, "1:n=b"),
    ]],
    ["a deletion without a response, which never happens", [CREATED, call(2, 3, remove), call(4, 5, count!, "1")]],
  ])("%s", (_, history) => {
    expect(explain(recordModel, history)).toBeDefined();
  });
});

describe("what no order explains is found", () => {
  test.each<[string, Call[]]>([
    ["a stale read", [CREATED, call(2, 3, update("1", "b"), DONE), call(4, 5, find, "1:n=a")]],
    ["a lost creation", [CREATED, call(2, 3, count!, "0")]],
    ["a lost update under two writers", [
      CREATED,
      call(2, 6, update("1", "b"), DONE),
      call(3, 7, update("1", "c"), DONE),
      call(8, 9, list!, "1:n=a"),
    ]],
    ["a deleted object that comes back", [
      CREATED,
      call(2, 3, remove, DONE),
      call(4, 5, find, MISSING),
      call(6, 7, find, "1:n=a"),
    ]],
    ["a unique name that two got", [call(0, 5, create("n"), "1"), call(1, 6, create("n"), "2")]],
    ["a name that is refused although it is free", [call(0, 1, create("n"), TAKEN)]],
    ["reads that go back in time beside a write", [
      CREATED,
      call(2, 9, update("1", "b"), DONE),
      call(3, 4, find, "1:n=b"),
      call(5, 6, find, "1:n=a"),
    ]],
    ["reads that see two writes in different orders", [
      call(0, 9, create("n"), "1"),
      call(0, 9, create("m"), "2"),
      call(1, 2, list!, "1:n=a"),
      call(3, 4, list!, "2:m=a"),
    ]],
    ["a count that does not fit to the list", [CREATED, call(2, 3, list!, "1:n=a"), call(4, 5, count!, "2")]],
    ["a change without a response that happens twice", [
      CREATED,
      call(2, 3, update("1", "b")),
      call(4, 5, find, "1:n=b"),
      call(6, 7, update("1", "c"), DONE),
      call(8, 9, find, "1:n=b"),
    ]],
  ])("%s", (_, history) => {
    expect(explain(recordModel, history)).toBeUndefined();
  });
});

describe("through replicas", () => {
  const at = (instance: number, event: Call) => ({ ...event, instance });
  const [written, changed] = [at(0, CREATED), at(0, call(2, 3, update("1", "b"), DONE))];

  test("a read may miss what another instance wrote, but not what its own did", () => {
    const stale = call(4, 5, find, "1:n=a");
    expect(explain(recordModel, [written, changed, at(1, stale)], throughReplicas)).toBeDefined();
    expect(explain(recordModel, [written, changed, at(0, stale)], throughReplicas)).toBeUndefined();
  });

  test("writes do not miss writes of other instances", () => {
    const refused = at(1, call(4, 5, create("n"), "2"));
    expect(explain(recordModel, [written, refused], throughReplicas)).toBeUndefined();
  });

  test("a read sees nothing that is written later, and a state that was", () => {
    const early = at(1, call(0, 1, find, "1:n=b"));
    const mixed = at(1, call(4, 5, list!, "1:n=c"));
    expect(explain(recordModel, [{ ...written, to: 0.5 }, changed, early], throughReplicas)).toBeUndefined();
    expect(explain(recordModel, [written, changed, mixed], throughReplicas)).toBeUndefined();
  });
});

test("a result that is exchanged for another one in a long history is found", () => {
  const random = new Random(7);
  const history = sequentialHistory(random, 60);
  expect(explain(recordModel, history, byTime)).toHaveLength(60);
  const reads = history.flatMap(({ action }, index) => action.kind === "find" && index > 10 ? [index] : []);
  expect(reads.length).toBeGreaterThan(5);
  for (const at of reads) {
    const changed = history.map((event, index) => index === at ? { ...event, result: "1:n=never" } : event);
    expect(explain(recordModel, changed, byTime)).toBeUndefined();
  }
});

/** Creates a history of calls, each of which overlaps with the next one. */
function sequentialHistory(random: Random, length: number): Call[] {
  const history: Call[] = [CREATED];
  for (let value = 0; history.length < length; value++) {
    const from = history.length * 2;
    history.push(call(from, from + 3, update("1", `${value}`), DONE));
    if (random.next() < 0.5) history.push(call(from + 4, from + 5, find, `1:n=${value}`));
  }
  return history.slice(0, length).map((event, index) => ({ ...event, from: index * 2, to: index * 2 + 1.5 }));
}
