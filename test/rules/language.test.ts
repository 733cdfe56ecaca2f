import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { root } from "./generated.ts";
import { complaints, type Passage, passagesOf } from "./language.ts";
import { projectFiles } from "./sources.ts";

// Where a refused word is the field's own: DNS answers, and the names of existing wires.
const FIELD_TERMS = /DNS|NSAnswer|NodeReply|nsAnswer|in-addr/;
const ANSWER = /^"(?:ans|rep)/i;

function problemsIn(path: string): string[] {
  const text = readFileSync(root + path, "utf8");
  const passages = path.endsWith(".ts") ? passagesOf(text) : linesOf(path, text);
  const isDns = /\/ns_|dns/.test(path) || FIELD_TERMS.test(text);
  return passages.flatMap((passage) =>
    complaints(passage).filter((complaint) => !(isDns && ANSWER.test(complaint)))
      .map((complaint) => `${path}:${passage.line}: ${complaint}`)
  );
}

/** Prose of a guide without its blocks of code; comments of a .proto file. */
function linesOf(path: string, text: string): Passage[] {
  let isCode = false;
  return text.split("\n").flatMap((line, index) => {
    if (line.startsWith("```")) isCode = !isCode;
    const isProse = path.endsWith(".proto") ? line.trimStart().startsWith("//") : !isCode;
    return isProse ? [{ line: index + 1, text: line }] : [];
  });
}

describe("the scanner", () => {
  test("reads strings, templates and comments, and no names", () => {
    const texts = passagesOf('// a\n/** b */ const told = "c" + `d${told}e`; import "f";').map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(["// a", "/** b */", "c", "d", "e"]));
    expect(texts).not.toContain("f");
  });

  test.each([
    ["whoever calls", 1],
    ["the caller is " + "told", 1],
    ["/** What it does. */", 1],
    ["/**\n * Whether it is on.\n */", 1],
    ["/** Returns what it found. */", 0],
    ["a default", 0],
  ])("complains about %j: %i", (text, count) => {
    expect(complaints({ line: 1, text })).toHaveLength(count);
  });
});

test("strings, comments and guides are plain English", () => {
  // The glossary names the words to avoid; gRPC's own protos and hash-locked migrations stay as they are.
  const exempt = /\/migrations\/|^proto\/grpc\/|^test\/rules\/language|^\.github\/CONTRIBUTING\.md$/;
  const files = projectFiles().filter((path) => /\.(ts|md|proto)$/.test(path) && !path.endsWith("_pb.ts"))
    .filter((path) => !exempt.test(path));
  expect(files.flatMap(problemsIn)).toEqual([]);
});
