import { describe, expect, test } from "vitest";
import { answersIn, echo, openLine, settled } from "./fake_socket.ts";

const HOST = "host: edgehelm.test\r\n";
const POST = `POST /one HTTP/1.1\r\n${HOST}content-length: 5\r\n\r\nhello`;
const CHUNKED =
  `POST /two HTTP/1.1\r\n${HOST}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2;x\r\nde\r\n0\r\nt: r\r\n\r\n`;
const GET = `GET /three?x HTTP/1.1\r\n${HOST}\r\n`;
const ALL = POST + CHUNKED + GET;
const ANSWERS = ["POST /one hello", "POST /two abcde", "GET /three "];

describe("requests", () => {
  test("are taken alike wherever they are cut, and answered in order", async () => {
    for (let cut = 0; cut <= ALL.length; cut++) {
      const line = openLine();
      line.send(ALL.slice(0, cut));
      line.send(ALL.slice(cut));
      await settled();
      expect(answersIn(line.sent())).toEqual(ANSWERS);
    }
  });

  test("are taken byte by byte", async () => {
    const line = openLine();
    for (const byte of `\r\n\r\n${ALL}\r\n${ALL}`) line.send(byte);
    await settled();
    expect(answersIn(line.sent())).toEqual([...ANSWERS, ...ANSWERS]);
    expect(line.state).toBe("open");
  });

  test("that come ahead wait for their turn, and for room", async () => {
    const line = openLine(() => {});
    line.send(POST + "x".repeat(100));
    expect([line.exchanges.length, line.isPaused]).toEqual([1, false]);
    line.send("y".repeat(70_000));
    expect([line.exchanges.length, line.isPaused]).toEqual([1, true]);
    line.exchanges[0]!.respond({ status: 200, headers: [], body: "" });
    // What followed was no request.
    expect(line.sent()).toMatch(/^HTTP\/1.1 200 [^]*HTTP\/1.1 4\d\d /);
    expect([line.state, line.isPaused]).toEqual(["ended", false]);
  });

  test("behind one that cannot be served are not looked at", async () => {
    const line = openLine();
    line.send(`POST / HTTP/1.1\r\n${HOST}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${GET}`);
    line.send(GET);
    await settled();
    expect(line.exchanges).toEqual([]);
    expect(line.sent()).toMatch(/^HTTP\/1.1 400 [^]*connection: close\r\n[^]*"reason":"kernel.malformed"/);
    expect(line.sent().match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
    expect(line.state).toBe("ended");
  });

  test("whose chunks are broken are refused, though their call has begun", async () => {
    const line = openLine();
    line.send(`POST / HTTP/1.1\r\n${HOST}transfer-encoding: chunked\r\n\r\n5\r\nhello`);
    await settled();
    line.send(`x${GET}`);
    await settled();
    expect(line.exchanges.length).toBe(1);
    expect(line.sent().match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
    expect(line.state).toBe("ended");
  });

  test("with a body that nobody reads leave the connection as it was", async () => {
    const line = openLine((exchange) =>
      exchange.head.method === "POST" ? exchange.respond({ status: 200, headers: [], body: "no" }) : echo(exchange)
    );
    line.send(`POST / HTTP/1.1\r\n${HOST}content-length: 500000\r\n\r\n`);
    for (let sent = 0; sent < 50; sent++) line.send("G".repeat(10_000));
    line.send(GET);
    await settled();
    expect(answersIn(line.sent())).toEqual(["GET /three "]);
    expect([line.state, line.isPaused]).toEqual(["open", false]);
  });

  test("whose body nobody reads in time make their client wait", async () => {
    const line = openLine(() => {});
    line.send(`POST / HTTP/1.1\r\n${HOST}content-length: 500000\r\n\r\n`);
    for (let sent = 0; sent < 20; sent++) line.send("x".repeat(10_000));
    expect(line.isPaused).toBe(true);
    const chunks = line.exchanges[0]!.body.chunks()[Symbol.asyncIterator]();
    for (let read = 0; read < 15; read++) await chunks.next();
    expect(line.isPaused).toBe(false);
  });

  test.each([["HTTP/1.1\r\nconnection: close"], ["HTTP/1.0"]])("of %s end the connection", async (version) => {
    const line = openLine();
    line.send(`GET /a ${version}\r\n${HOST}\r\n${GET}`);
    await settled();
    expect(answersIn(line.sent())).toEqual(["GET /a "]);
    expect(line.sent()).toContain("connection: close\r\n");
    expect(line.state).toBe("ended");
  });

  test("are asked for a body that they announce, unless it is there or too large", () => {
    for (
      const [length, body, isAsked] of [[5, "", true], [5, "hello", false], [2000, "", false]] as const
    ) {
      const line = openLine(() => {}, { httpBodyBytes: 1024 });
      line.send(`POST / HTTP/1.1\r\n${HOST}content-length: ${length}\r\nexpect: 100-continue\r\n\r\n${body}`);
      expect(line.sent().startsWith("HTTP/1.1 100 Continue\r\n\r\n")).toBe(isAsked);
    }
  });
});

describe("answers", () => {
  test("have their length in bytes", async () => {
    const line = openLine((exchange) => exchange.respond({ status: 200, headers: [], body: "schön €" }));
    line.send(GET);
    expect(line.sent()).toMatch(/content-length: 10\r\n\r\nsch\xc3\xb6n \xe2\x82\xac$/);
  });

  test("to HEAD, and without content, have no body", () => {
    for (const [method, status] of [["HEAD", 200], ["GET", 204], ["GET", 304]] as const) {
      const line = openLine((exchange) => {
        if (exchange.path === "/whole") return exchange.respond({ status, headers: [], body: "text" });
        exchange.begin({ status, headers: [] });
        void exchange.write(new TextEncoder().encode("text"));
        exchange.end();
      });
      for (const path of ["/whole", "/pieces"]) line.send(`${method} ${path} HTTP/1.1\r\n${HOST}\r\n`);
      expect(line.sent()).not.toContain("text");
      expect(line.sent()).not.toContain("chunked");
      expect(line.sent().match(/\r\n\r\n/g)!.length).toBe(2);
    }
  });

  test("in pieces come in chunks, or until the end for old clients", () => {
    const pieces = (version: string) => {
      const line = openLine((exchange) => {
        exchange.begin({ status: 200, headers: [["content-length", "99"]] });
        for (const piece of ["one", "", "three"]) void exchange.write(new TextEncoder().encode(piece));
        exchange.end();
      });
      line.send(`GET / HTTP/${version}\r\n${HOST}\r\n`);
      return [line.sent().slice(line.sent().indexOf("\r\n\r\n") + 4), line.state];
    };
    expect(pieces("1.1")).toEqual(["3\r\none\r\n5\r\nthree\r\n0\r\n\r\n", "open"]);
    expect(pieces("1.0")).toEqual(["onethree", "ended"]);
  });

  test("wait for a client that does not take them, and so do its requests", async () => {
    const line = openLine();
    line.takes = false;
    line.send(POST + GET);
    await settled();
    expect(answersIn(line.sent())).toEqual(["POST /one hello"]);
    line.takes = true;
    line.events.drained();
    await settled();
    expect(answersIn(line.sent())).toEqual(["POST /one hello", "GET /three "]);
  });

  test("that are given twice, or late, are sent once", () => {
    const line = openLine(() => {});
    line.send(GET);
    const [exchange] = line.exchanges;
    for (const body of ["first", "second"]) exchange!.respond({ status: 200, headers: [], body });
    line.send(GET);
    exchange!.respond({ status: 200, headers: [], body: "third" });
    expect(line.sent()).toMatch(/first$/);
  });
});

describe("a client that goes away", () => {
  test.each(["ended", "closed"] as const)("(%s) is told of once", (how) => {
    const line = openLine(() => {});
    line.send(GET);
    let gone = 0;
    line.exchanges[0]!.watchCaller(() => gone++);
    line.events[how]();
    line.events.closed();
    expect(gone).toBe(1);
    let late = 0;
    line.exchanges[0]!.watchCaller(() => late++);
    expect(late).toBe(1);
  });

  test("but still reads gets its answer", async () => {
    const line = openLine();
    line.send(POST);
    line.events.ended();
    await settled();
    expect(answersIn(line.sent())).toEqual(["POST /one hello"]);
    expect(line.state).toBe("ended");
  });

  test("within its body breaks it off", async () => {
    const line = openLine();
    line.send(POST.slice(0, -1));
    line.events.ended();
    await settled();
    expect(line.sent()).toContain("broken off");
    expect(line.state).toBe("ended");
  });
});

describe("time", () => {
  const limits = { headerSeconds: 5, bodySeconds: 10, idleSeconds: 60, responseSeconds: 30, responseBytesPerSecond: 1 };
  const after = (seconds: number) => Date.now() + seconds * 1000;

  test.each([["nothing", ""], ["half a head", GET.slice(0, -1)]])("for a head ends with %s", (_case, text) => {
    const line = openLine(echo, limits);
    if (text !== "") line.send(text);
    line.server.sweep(after(4));
    expect(line.state).toBe("open");
    line.server.sweep(after(6));
    expect(line.sent()).toMatch(/^HTTP\/1.1 408 [^]*kernel.too_slow/);
    line.events.flushed();
    line.server.sweep(after(1));
    expect(line.state).toBe("ended");
    line.server.sweep(after(3));
    expect(line.state).toBe("destroyed");
  });

  test("for the last answer is as long as for any other", () => {
    const line = openLine((exchange) => exchange.respond({ status: 200, headers: [], body: "x".repeat(1000) }), limits);
    line.takes = false;
    line.send(`GET / HTTP/1.1\r\nconnection: close\r\n${HOST}\r\n`);
    line.server.sweep(after(900));
    expect(line.state).toBe("ended");
    line.server.sweep(after(2000));
    expect(line.state).toBe("destroyed");
  });

  test("for a body ends, answered or not", () => {
    for (const isAnswered of [false, true]) {
      const line = openLine(
        (exchange) => isAnswered ? exchange.respond({ status: 200, headers: [], body: "" }) : undefined,
        limits,
      );
      line.send(POST.slice(0, -1));
      line.server.sweep(after(9));
      expect(line.state).toBe("open");
      line.server.sweep(after(11));
      expect(line.sent()).toMatch(isAnswered ? /^HTTP\/1.1 200 [^]*$/ : /^HTTP\/1.1 408 /);
      expect(line.state).toBe(isAnswered ? "destroyed" : "ended");
    }
  });

  test("without a request ends, but not while one is worked for", async () => {
    const line = openLine(echo, limits);
    line.send(POST);
    line.server.sweep(after(1000));
    await settled();
    line.server.sweep(after(59));
    expect(line.state).toBe("open");
    line.server.sweep(after(61));
    expect(line.state).toBe("destroyed");
  });

  test("for a client that takes no answer grows with the answer", async () => {
    const line = openLine((exchange) => exchange.respond({ status: 200, headers: [], body: "x".repeat(1000) }), limits);
    line.takes = false;
    line.send(GET);
    line.server.sweep(after(900));
    expect(line.state).toBe("open");
    line.server.sweep(after(2000));
    expect(line.state).toBe("destroyed");
  });
});

describe("a server that stops", () => {
  test("answers what has begun, and closes what is idle", async () => {
    const busy = openLine(() => {});
    busy.send(GET);
    const drained = busy.server.drain(10_000);
    busy.exchanges[0]!.respond({ status: 200, headers: [], body: "last" });
    expect(busy.sent()).toMatch(/connection: close[^]*last$/);
    busy.events.closed();
    await drained;

    const idle = openLine();
    const soon = idle.server.drain(0);
    await settled();
    await soon;
    expect(idle.state).toBe("destroyed");
  });
});
