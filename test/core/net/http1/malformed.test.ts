import { describe, expect, test } from "vitest";
import { connect, settled } from "./fake_socket.ts";
import { GET, HOST } from "./requests.ts";

describe("requests", () => {
  test("after a malformed one are ignored", async () => {
    const connection = connect();
    connection.send(`POST / HTTP/1.1\r\n${HOST}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${GET}`);
    connection.send(GET);
    await settled();
    expect(connection.exchanges).toEqual([]);
    expect(connection.sent()).toMatch(/^HTTP\/1.1 400 [^]*connection: close\r\n[^]*"reason":"kernel.malformed"/);
    expect(connection.sent().match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
    expect(connection.state).toBe("ended");
  });

  test("with malformed chunks are refused even after their handler has started", async () => {
    const connection = connect();
    connection.send(`POST / HTTP/1.1\r\n${HOST}transfer-encoding: chunked\r\n\r\n5\r\nhello`);
    await settled();
    connection.send(`x${GET}`);
    await settled();
    expect(connection.exchanges.length).toBe(1);
    expect(connection.sent().match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
    expect(connection.state).toBe("ended");
  });
});
