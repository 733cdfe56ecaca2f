import { describe, expect, test } from "vitest";
import { connect, responsesIn, settled } from "./fake_socket.ts";
import { GET, HOST, POST } from "./requests.ts";

describe("responses", () => {
  test("declare their length in bytes", async () => {
    const connection = connect((exchange) => exchange.respond({ status: 200, headers: [], body: "schön €" }));
    connection.send(GET);
    expect(connection.sent()).toMatch(/content-length: 10\r\n\r\nsch\xc3\xb6n \xe2\x82\xac$/);
  });

  test("to HEAD, and those with the status 204 or 304, have no body", () => {
    for (const [method, status] of [["HEAD", 200], ["GET", 204], ["GET", 304]] as const) {
      const connection = connect((exchange) => {
        if (exchange.path === "/whole") return exchange.respond({ status, headers: [], body: "text" });
        exchange.begin({ status, headers: [] });
        void exchange.write(new TextEncoder().encode("text"));
        exchange.end();
      });
      for (const path of ["/whole", "/pieces"]) connection.send(`${method} ${path} HTTP/1.1\r\n${HOST}\r\n`);
      expect(connection.sent()).not.toContain("text");
      expect(connection.sent()).not.toContain("chunked");
      expect(connection.sent().match(/\r\n\r\n/g)!.length).toBe(2);
    }
  });

  test("that are streamed are chunked, or end with the connection over HTTP/1.0", () => {
    const pieces = (version: string) => {
      const connection = connect((exchange) => {
        exchange.begin({ status: 200, headers: [["content-length", "99"]] });
        for (const piece of ["one", "", "three"]) void exchange.write(new TextEncoder().encode(piece));
        exchange.end();
      });
      connection.send(`GET / HTTP/${version}\r\n${HOST}\r\n`);
      return [connection.sent().slice(connection.sent().indexOf("\r\n\r\n") + 4), connection.state];
    };
    expect(pieces("1.1")).toEqual(["3\r\none\r\n5\r\nthree\r\n0\r\n\r\n", "open"]);
    expect(pieces("1.0")).toEqual(["onethree", "ended"]);
  });

  test("that the client does not read delay its next requests", async () => {
    const connection = connect();
    connection.acceptsWrites = false;
    connection.send(POST + GET);
    await settled();
    expect(responsesIn(connection.sent())).toEqual(["POST /one hello"]);
    connection.acceptsWrites = true;
    connection.events.drained();
    await settled();
    expect(responsesIn(connection.sent())).toEqual(["POST /one hello", "GET /three "]);
  });

  test("are sent once, even if the handler responds twice or late", () => {
    const connection = connect(() => {});
    connection.send(GET);
    const [exchange] = connection.exchanges;
    for (const body of ["first", "second"]) exchange!.respond({ status: 200, headers: [], body });
    connection.send(GET);
    exchange!.respond({ status: 200, headers: [], body: "third" });
    expect(connection.sent()).toMatch(/first$/);
  });
});
