import { Buffer } from "node:buffer";
import { decode, encode } from "dns-packet";
import { describe, expect, test } from "vitest";
import { queryMessage, readAnswer } from "../../../../plugins/ns_domain/doh/message.ts";

const question = { name: "example.com", type: "TXT" } as const;

function responseWith(answers: object[], flags = 0): Uint8Array {
  return new Uint8Array(encode({ type: "response", flags, questions: [question], answers: answers as never }));
}

test("a query is one that others read", () => {
  const { id, type, questions, flags } = decode(Buffer.from(queryMessage("_x.example.com", "NS")));
  expect({ id, type, questions, recursion: (flags! & 0x100) !== 0 }).toEqual({
    ...{ id: 0, type: "query", recursion: true },
    questions: [{ name: "_x.example.com", type: "NS", class: "IN" }],
  });
});

test("only records of the queried type count, behind aliases too", () => {
  const answers = [
    { type: "CNAME", name: "example.com", data: "alias.example.net" },
    { type: "TXT", name: "alias.example.net", data: ["one ", "value"] },
    { type: "TXT", name: "alias.example.net", data: "other" },
  ];
  expect(readAnswer(responseWith(answers), "TXT")).toEqual({ code: 0, values: ["one value", "other"] });
  expect(readAnswer(responseWith(answers), "NS")).toEqual({ code: 0, values: [] });
});

test("DS records are read as texts", () => {
  const digest = Buffer.from("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "hex");
  const ds = { type: "DS", name: "example.com", data: { keyTag: 4711, algorithm: 13, digestType: 2, digest } };
  const others = [{ type: "TXT", name: "example.com", data: ["one"] }];
  expect(readAnswer(responseWith([ds, ...others]), "DS")).toEqual({
    code: 0,
    values: ["4711 13 2 E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"],
  });
});

test("names that point to earlier ones are followed", () => {
  // ns1 and a pointer to example.com, which begins after the header
  const header = [0, 0, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0];
  const asked = [...queryMessage("example.com", "NS").subarray(12)];
  const record = [0xc0, 12, 0, 2, 0, 1, 0, 0, 0, 60, 0, 6, 3, ...new TextEncoder().encode("ns1"), 0xc0, 12];
  expect(readAnswer(Uint8Array.from([...header, ...asked, ...record]), "NS").values).toEqual(["ns1.example.com"]);
});

test("the response code is returned", () => {
  expect(readAnswer(responseWith([], 3), "TXT")).toEqual({ code: 3, values: [] });
});

describe("a message is refused", () => {
  const whole = responseWith([{ type: "TXT", name: "example.com", data: "value" }]);

  test("wherever it is cut", () => {
    for (let length = 0; length < whole.length; length++) {
      expect(() => readAnswer(whole.subarray(0, length), "TXT"), `${length} bytes`).toThrow(RangeError);
    }
  });

  test("if it is a query, if a name points to itself, or if it counts too many records", () => {
    expect(() => readAnswer(queryMessage("example.com", "TXT"), "TXT")).toThrow("not a response");
    const endless = Uint8Array.from([0, 0, 0x81, 0x80, 0, 0, 0, 1, 0, 0, 0, 0, 0xc0, 12, 0, 16, 0, 1]);
    expect(() => readAnswer(endless, "TXT")).toThrow("points to itself");
    const many = Uint8Array.from([0, 0, 0x81, 0x80, 0, 0, 0xff, 0xff, 0, 0, 0, 0]);
    expect(() => readAnswer(many, "TXT")).toThrow("too many records");
  });
});
