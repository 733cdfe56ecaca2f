import { describe, expect, test } from "vitest";
import { connect, echo, responsesIn, settled } from "./fake_socket.ts";

const HOST = "host: edgehelm.test\r\n";
const POST = `POST /one HTTP/1.1\r\n${HOST}content-length: 5\r\n\r\nhello`;
const CHUNKED =
  `POST /two HTTP/1.1\r\n${HOST}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2;x\r\nde\r\n0\r\nt: r\r\n\r\n`;
const GET = `GET /three?x HTTP/1.1\r\n${HOST}\r\n`;
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

describe("the time limit", () => {
  const limits = { headerSeconds: 5, bodySeconds: 10, idleSeconds: 60, responseSeconds: 30, responseBytesPerSecond: 1 };
  const after = (seconds: number) => Date.now() + seconds * 1000;

  test.each([["nothing", ""], ["half a head", GET.slice(0, -1)]])("for a head applies after %s", (_case, text) => {
    const connection = connect(echo, limits);
    if (text !== "") connection.send(text);
    connection.server.sweep(after(4));
    expect(connection.state).toBe("open");
    connection.server.sweep(after(6));
    expect(connection.sent()).toMatch(/^HTTP\/1.1 408 [^]*kernel.too_slow/);
    connection.events.flushed();
    connection.server.sweep(after(1));
    expect(connection.state).toBe("ended");
    connection.server.sweep(after(3));
    expect(connection.state).toBe("destroyed");
  });

  test("for the last response is the same as for any other", () => {
    const connection = connect(
      (exchange) => exchange.respond({ status: 200, headers: [], body: "x".repeat(1000) }),
      limits,
    );
    connection.acceptsWrites = false;
    connection.send(`GET / HTTP/1.1\r\nconnection: close\r\n${HOST}\r\n`);
    connection.server.sweep(after(900));
    expect(connection.state).toBe("ended");
    connection.server.sweep(after(2000));
    expect(connection.state).toBe("destroyed");
  });

  test("for a body applies before and after the response", () => {
    for (const hasResponded of [false, true]) {
      const connection = connect(
        (exchange) => hasResponded ? exchange.respond({ status: 200, headers: [], body: "" }) : undefined,
        limits,
      );
      connection.send(POST.slice(0, -1));
      connection.server.sweep(after(9));
      expect(connection.state).toBe("open");
      connection.server.sweep(after(11));
      expect(connection.sent()).toMatch(hasResponded ? /^HTTP\/1.1 200 [^]*$/ : /^HTTP\/1.1 408 /);
      expect(connection.state).toBe(hasResponded ? "destroyed" : "ended");
    }
  });

  test("for idle connections does not apply while a request is pending", async () => {
    const connection = connect(echo, limits);
    connection.send(POST);
    connection.server.sweep(after(1000));
    await settled();
    connection.server.sweep(after(59));
    expect(connection.state).toBe("open");
    connection.server.sweep(after(61));
    expect(connection.state).toBe("destroyed");
  });

  test("for reading a response grows with its size", async () => {
    const connection = connect(
      (exchange) => exchange.respond({ status: 200, headers: [], body: "x".repeat(1000) }),
      limits,
    );
    connection.acceptsWrites = false;
    connection.send(GET);
    connection.server.sweep(after(900));
    expect(connection.state).toBe("open");
    connection.server.sweep(after(2000));
    expect(connection.state).toBe("destroyed");
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
