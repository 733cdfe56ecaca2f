import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { Comments } from "edgehelm/runtime";
import { firstParty } from "../../matrix/plugins.ts";
import { generatedMessages, generatedServices, root } from "../generated.ts";
import { isChange, lacksUnit, saysMoreThan, textLimits } from "./comment_quality.ts";

let comments: Comments;
let messages: readonly DescMessage[];
let fields: readonly DescField[];
beforeAll(async () => {
  const modules = await Promise.all([
    import("../../../proto/comments_pb.ts"),
    import("../../../proto/models/comments_pb.ts"),
    import("../../../proto/shapes/comments_pb.ts"),
    ...firstParty.flatMap((plugin) => plugin.comments === undefined ? [] : [plugin.comments()]),
  ]);
  comments = Object.assign({}, ...modules.map(({ comments }) => comments));
  messages = await generatedMessages();
  fields = messages.filter(({ typeName }) => typeName in comments).flatMap((message) => message.fields);
});

const nameOf = ({ parent, name }: DescField) => `${parent.typeName}.${name}`;
const commentOf = (field: DescField) => comments[nameOf(field)] ?? "";

test("the comment of every field says more than its name", () => {
  expect(fields.length).toBeGreaterThan(3000);
  expect(fields.filter((field) => !saysMoreThan(field.name, commentOf(field))).map(nameOf)).toEqual([]);
});

test("the comment of every rpc says more than its name", async () => {
  const methods = (await generatedServices()).flatMap((service) => service.methods);
  const known = methods.map(({ parent, name }) => ({ name, path: `${parent.typeName}.${name}` }))
    .filter(({ path }) => path in comments);
  expect(known.length).toBeGreaterThan(500);
  expect(known.filter(({ name, path }) => !saysMoreThan(name, comments[path]!)).map(({ path }) => path)).toEqual([]);
});

test("the comments of times, durations and sizes name the unit", () => {
  expect(fields.filter((field) => lacksUnit(field, commentOf(field))).map(nameOf)).toEqual([]);
});

test("the comments of texts in requests state the limit of their length", () => {
  let checked = 0;
  const silent = firstParty.flatMap(({ manifest: { name } }) => {
    const limits = textLimits(sourceOf(name));
    const folder = `plugins/${name}/proto/`;
    const own = messages.filter((message) => message.file.name.startsWith(folder) && isChange(message))
      .flatMap((message) => message.fields)
      .filter((field) => field.fieldKind === "scalar" && field.scalar === ScalarType.STRING && limits.has(field.name));
    checked += own.length;
    return own.filter((field) => !/\d{2}/.test(commentOf(field))).map(nameOf);
  });
  expect(silent).toEqual([]);
  expect(checked).toBeGreaterThan(100);
});

function sourceOf(plugin: string): string {
  const folder = `${root}plugins/${plugin}/`;
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith("_pb.ts"))
    .map((path) => readFileSync(folder + path, "utf8")).join("\n");
}

test("comments that only repeat a name are found", () => {
  expect(saysMoreThan("nodeId", "The node.")).toBe(false);
  expect(saysMoreThan("nodeIds", "The ids of the nodes.")).toBe(false);
  expect(saysMoreThan("nodeId", "The id of the node to delete.")).toBe(true);
});

test("comments of times without a unit are found", () => {
  const field = fields.find(({ name }) => name === "createdAt")!;
  expect(lacksUnit(field, "The time of creation.")).toBe(true);
  expect(lacksUnit(field, "The time of creation, in unix seconds.")).toBe(false);
});

test("limits are read from sources", () => {
  const source = 'const MAX = 1_000;\ntextField("name", name, { min: 1 });\ntextField("note", note, { max: MAX });\n' +
    'textField("code", code);\ntextField("code", code, { max: 9 })';
  expect([...textLimits(source)]).toEqual([["name", { min: 1, max: 255 }], ["note", { min: 0, max: 1000 }]]);
});
