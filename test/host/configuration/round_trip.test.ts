import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { ApiDocument } from "../../../core/host/api_cli/api_document.ts";
import { contents, exampleFolder, openInstallation, rigOf, temporaryFolder, writeExampleSecrets } from "./rig.ts";

test("export, apply to an empty installation and export give the same bytes, with objects of every kind", async () => {
  await using first = await openInstallation();
  await using second = await openInstallation();
  await using example = await exampleFolder();
  await using one = await temporaryFolder();
  await using other = await temporaryFolder();

  const document = new ApiDocument(await (await first.fetch(new Request("http://edgehelm.test/openapi.json"))).json());
  const kinds = document.kinds().map(([, { name }]) => `${name}.yaml`).sort();
  expect((await readdir(example.path)).filter((name) => /^[A-Z]/.test(name)).sort()).toEqual(kinds);

  const source = await rigOf(first);
  await source.apply(example.path);
  await source.export(one.path);
  const exported = await contents(one.path);
  expect(Object.keys(exported).filter((name) => /^[A-Z]\w*\.yaml$/.test(name)).sort()).toEqual(kinds);
  expect(JSON.stringify(exported)).not.toMatch(/correct horse|PRIVATE KEY|walks in the rain|mail secret/);

  await writeExampleSecrets(one.path);
  const target = await rigOf(second);
  await target.apply(one.path);
  await target.export(other.path);
  expect(await contents(other.path)).toEqual(exported);
});

test("a second apply of the same files writes nothing", async () => {
  await using edgehelm = await openInstallation();
  await using example = await exampleFolder();
  const rig = await rigOf(edgehelm);
  await rig.apply(example.path);
  expect(rig.writes().length).toBeGreaterThan(50);
  rig.calls.length = 0;
  expect(await rig.apply(example.path)).toEqual(['{"created":0,"changed":0,"deleted":0}']);
  expect(await rig.plan(example.path)).toEqual([
    '- Admin "admin" (kept; --delete deletes it)',
    "no changes, 1 to keep",
  ]);
  expect(rig.calls.length).toBeGreaterThan(50);
  expect(rig.writes()).toEqual([]);
});

test("with --with-secrets the secrets that can be read are in a file of their own, and compared", async () => {
  await using edgehelm = await openInstallation();
  await using example = await exampleFolder();
  await using folder = await temporaryFolder();
  const rig = await rigOf(edgehelm);
  await rig.apply(example.path);
  await writeExampleSecrets(folder.path);
  await rig.export(folder.path, "--with-secrets").then(
    () => expect.unreachable("a folder with other files was taken"),
    (error) => expect(error.message).toContain("neither empty nor an earlier export"),
  );
  await using fresh = await temporaryFolder();
  await rig.export(fresh.path, "--with-secrets");
  const { "secrets.yaml": secrets } = await contents(fresh.path);
  expect(secrets).toContain("mail secret");
  expect(secrets).toContain("BEGIN PRIVATE KEY");
  expect(await rig.plan(fresh.path)).toEqual(["no changes"]);
});
