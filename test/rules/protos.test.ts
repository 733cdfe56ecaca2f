import type { DescMethod } from "@bufbuild/protobuf";
import { fromBinary, getOption, hasOption } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { allow, Effect, Role } from "../../proto/options_pb.ts";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { commentModules } from "../../core/host/gen/comment_modules.ts";
import { protoComments } from "../../core/host/gen/proto_comments.ts";
import { readCatalogs } from "../../core/host/vendor/write_comments.ts";
import { buf, bufRuns } from "./buf.ts";
import { uncommented } from "./comments.ts";
import { firstParty } from "../matrix/plugins.ts";
import { generatedPaths, generatedServices, root } from "./generated.ts";

const CONFIG = ["--config", "proto/buf.yaml"];
const withBuf = test.skipIf(!bufRuns());

async function methodsThat(violates: (method: DescMethod) => boolean): Promise<string[]> {
  const methods = (await generatedServices()).flatMap((service) => service.methods);
  return methods.filter(violates).map((method) => `${method.parent.name}.${method.name}`);
}

test("every rpc declares its roles", async () => {
  const roleless = await methodsThat((method) => {
    const roles = hasOption(method, allow) ? getOption(method, allow).roles : [];
    return roles.length === 0 || roles.includes(Role.ROLE_UNSPECIFIED) || new Set(roles).size !== roles.length;
  });
  expect(roleless).toEqual([]);
});

test("every rpc declares its effect", async () => {
  const effectless = await methodsThat((method) => getOption(method, allow).effect === Effect.EFFECT_UNSPECIFIED);
  expect(effectless).toEqual([]);
});

test("short names of services are unique", async () => {
  const names = (await generatedServices()).map((service) => service.name);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

withBuf("every service, rpc, message and field has a comment", () => {
  const { file } = fromBinary(
    FileDescriptorSetSchema,
    buf("build", ".", ...CONFIG, "--as-file-descriptor-set", "-o", "-#format=binpb"),
  );
  const ours = file.filter(({ name }) => !name.startsWith("google/") && !name.startsWith("test/"));
  expect(ours.length).toBeGreaterThan(0);
  expect(ours.flatMap(uncommented)).toEqual([]);
});

withBuf("the generated files are current", async () => {
  const folder = mkdtempSync(join(tmpdir(), "edgehelm-gen-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  buf("generate", ".", ...CONFIG, "--template", "proto/buf.gen.yaml", "--output", folder);
  const descriptors = buf("build", ".", ...CONFIG, "-o", "-");
  for (const { folder: path, comments } of protoComments(descriptors)) {
    mkdirSync(join(folder, path), { recursive: true });
    const catalogs = existsSync(root + path) ? await readCatalogs(root + path) : undefined;
    for (const [name, source] of commentModules(comments, catalogs)) {
      writeFileSync(join(folder, path, name), source);
    }
  }
  const regenerated = generatedPaths(`${folder}/`);
  // derived from code; the matrices check what operations give
  const ofProtos = generatedPaths().filter((path) => !path.endsWith("/reasons_pb.ts"));
  expect(ofProtos).toEqual(regenerated);
  const stale = regenerated.filter((path) =>
    readFileSync(join(folder, path), "utf8") !== readFileSync(root + path, "utf8")
  );
  expect(stale, "run deno task gen").toEqual([]);
});

test("every plugin declares its errors, and the comments of its proto files", async () => {
  const undeclared = firstParty.flatMap(({ manifest: { name }, errors, comments }) => [
    ...existsSync(`${root}plugins/${name}/errors.ts`) && errors === undefined ? [`${name}: errors`] : [],
    ...existsSync(`${root}plugins/${name}/proto`) && comments === undefined ? [`${name}: comments`] : [],
  ]);
  expect(undeclared).toEqual([]);
});
