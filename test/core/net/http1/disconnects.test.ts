import { describe, expect, test } from "vitest";
import { connect, responsesIn, settled } from "./fake_socket.ts";
import { GET, POST } from "./requests.ts";

describe("a client that disconnects", () => {
  test.each(["ended", "closed"] as const)("(%s) is reported once", (event) => {
    const connection = connect(() => {});
    connection.send(GET);
    let gone = 0;
    connection.exchanges[0]!.watchCaller(() => gone++);
    connection.events[event]();
    connection.events.closed();
    expect(gone).toBe(1);
    let late = 0;
    connection.exchanges[0]!.watchCaller(() => late++);
    expect(late).toBe(1);
  });

  test("from its sending side only gets its response", async () => {
    const connection = connect();
    connection.send(POST);
    connection.events.ended();
    await settled();
    expect(responsesIn(connection.sent())).toEqual(["POST /one hello"]);
    expect(connection.state).toBe("ended");
  });

  test("before its body is complete aborts the body", async () => {
    const connection = connect();
    connection.send(POST.slice(0, -1));
    connection.events.ended();
    await settled();
    expect(connection.sent()).toContain("aborted");
    expect(connection.state).toBe("ended");
  });
});

describe("a stopping server", () => {
  test("finishes pending requests and closes idle connections", async () => {
    const busy = connect(() => {});
    busy.send(GET);
    const drained = busy.server.drain(10_000);
    busy.exchanges[0]!.respond({ status: 200, headers: [], body: "last" });
    expect(busy.sent()).toMatch(/connection: close[^]*last$/);
    busy.events.closed();
    await drained;

    const idle = connect();
    const soon = idle.server.drain(0);
    await settled();
    await soon;
    expect(idle.state).toBe("destroyed");
  });
});

test("a client that closes its side before a streamed response begins is disconnected", () => {
  const connection = connect(() => {});
  connection.send(GET);
  connection.events.ended();
  const [exchange] = connection.exchanges;
  exchange!.begin({ status: 200, headers: [] });
  exchange!.end();
  expect(connection.state).toBe("destroyed");
});
