import { describe, expect, test } from "vitest";
import { connect, echo, responsesIn, settled } from "./fake_socket.ts";
import { GET, HOST, POST } from "./requests.ts";

describe("requests", () => {
  test("that are pipelined wait, and pause the socket beyond a limit", async () => {
    const connection = connect(() => {});
    connection.send(POST + "x".repeat(100));
    expect([connection.exchanges.length, connection.isPaused]).toEqual([1, false]);
    connection.send("y".repeat(70_000));
    expect([connection.exchanges.length, connection.isPaused]).toEqual([1, true]);
    connection.exchanges[0]!.respond({ status: 200, headers: [], body: "" });
    // The bytes that followed were not a request.
    expect(connection.sent()).toMatch(/^HTTP\/1.1 200 [^]*HTTP\/1.1 4\d\d /);
    expect([connection.state, connection.isPaused]).toEqual(["ended", false]);
  });

  test("with an unread body leave the connection usable", async () => {
    const connection = connect((exchange) =>
      exchange.head.method === "POST" ? exchange.respond({ status: 200, headers: [], body: "no" }) : echo(exchange)
    );
    connection.send(`POST / HTTP/1.1\r\n${HOST}content-length: 500000\r\n\r\n`);
    for (let sent = 0; sent < 50; sent++) connection.send("G".repeat(10_000));
    connection.send(GET);
    await settled();
    expect(responsesIn(connection.sent())).toEqual(["GET /three "]);
    expect([connection.state, connection.isPaused]).toEqual(["open", false]);
  });

  test("with a large unread body pause the socket until the body is read", async () => {
    const connection = connect(() => {});
    connection.send(`POST / HTTP/1.1\r\n${HOST}content-length: 500000\r\n\r\n`);
    for (let sent = 0; sent < 20; sent++) connection.send("x".repeat(10_000));
    expect(connection.isPaused).toBe(true);
    const chunks = connection.exchanges[0]!.body.chunks()[Symbol.asyncIterator]();
    for (let read = 0; read < 15; read++) await chunks.next();
    expect(connection.isPaused).toBe(false);
  });
});
