/**
 * Fills a database and records what every read operation responds, for the test of upgrades. Run it at a release, before
 * its tables change: `deno run -A test/matrix/earlier_release/record.ts`.
 *
 * @module
 */
import { create, type DescMethodUnary, fromJson, toJson } from "@bufbuild/protobuf";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { TestCaller } from "edgehelm/testing";
import { isUnary } from "../../harness/outcome.ts";
import type { Fields } from "../fixture.ts";
import { fixtures } from "../fixtures.ts";
import { referencesTo } from "../id_fields.ts";
import { openWorld } from "../world.ts";
import type { RecordedRead } from "./recorded.ts";

const OBJECTS_OF_EACH_KIND = 3;

const directory = mkdtempSync(join(tmpdir(), "edgehelm-record-"));
const { edgehelm, clock, admin, ada, bob, ...world } = await openWorld({ directory });
const callers: readonly TestCaller[] = [admin, ada];
const objectsOfAda: Fields[] = [];
for (let round = 0; round < OBJECTS_OF_EACH_KIND; round++) {
  for (const [index, fixture] of fixtures.entries()) {
    const letters = String.fromCharCode(97 + index % 26, 97 + index / 26, 97 + round);
    const all = { edgehelm, clock, admin, ada, bob, ...world };
    objectsOfAda.push((await fixture.create(all, ada, `adathing${letters}`)).fields);
    await fixture.create(all, bob, `bobthing${letters}`);
  }
}

const reads: RecordedRead[] = [];
for (const { effect, method, roles } of edgehelm.kernel.operations.all) {
  if (effect !== "read" || !isUnary(method)) continue;
  const path = `/${method.parent.name}/${method.name}`;
  for (const caller of callers.filter(({ role }) => roles.has(role))) {
    for (const values of [requestFor(method as DescMethodUnary), {}]) {
      const body = toJson(method.input, create(method.input, values as never));
      const { code, data, message } = await edgehelm.post(path, body, caller);
      reads.push({ path, body, isAdmin: caller === admin, response: { code, data, message } });
    }
  }
}
await edgehelm.stop();

const at = (file: string) => new URL(file, import.meta.url);
writeFileSync(at("installation.db.gz"), gzipSync(readFileSync(join(directory, "edgehelm.db")), { level: 9 }));
writeFileSync(at("reads.json.gz"), gzipSync(JSON.stringify({ now: clock.now(), reads }), { level: 9 }));
console.log(`recorded ${reads.length} reads`);

/** Returns a request that refers to the objects of Ada. */
function requestFor(method: DescMethodUnary): Record<string, unknown> {
  const json = fixtures.map(({ requests }) => requests?.[method.name]).find((one) => one !== undefined) ?? {};
  const filled = fromJson(method.input, json) as unknown as Record<string, unknown>;
  const values: Record<string, unknown> = { ...referencesTo(method, ...objectsOfAda) };
  for (const { name, localName } of method.input.fields) if (name in json) values[localName] = filled[localName];
  return values;
}
