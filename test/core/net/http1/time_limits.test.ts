import { describe, expect, test } from "vitest";
import { connect, echo, settled } from "./fake_socket.ts";
import { GET, HOST, POST } from "./requests.ts";

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
