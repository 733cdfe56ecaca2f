import { describe, expect, test } from "vitest";
import { connect, responsesIn, settled } from "./fake_socket.ts";
import { CHUNKED, GET, HOST, POST } from "./requests.ts";

const ALL = POST + CHUNKED + GET;
const RESPONSES = ["POST /one hello", "POST /two abcde", "GET /three "];

describe("requests", () => {
  test("are handled in order, however they are split into chunks", async () => {
    for (let cut = 0; cut <= ALL.length; cut++) {
      const connection = connect();
      connection.send(ALL.slice(0, cut));
      connection.send(ALL.slice(cut));
      await settled();
      expect(responsesIn(connection.sent())).toEqual(RESPONSES);
    }
  });

  test("may arrive byte by byte", async () => {
    const connection = connect();
    for (const byte of `\r\n\r\n${ALL}\r\n${ALL}`) connection.send(byte);
    await settled();
    expect(responsesIn(connection.sent())).toEqual([...RESPONSES, ...RESPONSES]);
    expect(connection.state).toBe("open");
  });

  test.each([["HTTP/1.1\r\nconnection: close"], ["HTTP/1.0"]])("of %s end the connection", async (version) => {
    const connection = connect();
    connection.send(`GET /a ${version}\r\n${HOST}\r\n${GET}`);
    await settled();
    expect(responsesIn(connection.sent())).toEqual(["GET /a "]);
    expect(connection.sent()).toContain("connection: close\r\n");
    expect(connection.state).toBe("ended");
  });

  test("that expect 100-continue get it, unless the body has arrived or is too large", () => {
    for (
      const [length, body, getsContinue] of [[5, "", true], [5, "hello", false], [2000, "", false]] as const
    ) {
      const connection = connect(() => {}, { httpBodyBytes: 1024 });
      connection.send(`POST / HTTP/1.1\r\n${HOST}content-length: ${length}\r\nexpect: 100-continue\r\n\r\n${body}`);
      expect(connection.sent().startsWith("HTTP/1.1 100 Continue\r\n\r\n")).toBe(getsContinue);
    }
  });
});
