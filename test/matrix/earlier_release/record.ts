/**
 * Fills a database and records what every read operation responds, for the test of upgrades. Run it at a release, before
 * its tables change: `deno run -A test/matrix/earlier_release/record.ts`.
 *
 * @module
 */
import { create, toJson } from "@bufbuild/protobuf";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { TestCaller } from "edgehelm/testing";
import { isUnary } from "../../harness/outcome.ts";
import type { Fields } from "../fixture.ts";
import { fixtures } from "../fixtures.ts";
import { requestFor } from "../requests.ts";
import { openWorld } from "../world.ts";
import type { RecordedRead } from "./recorded.ts";

const OBJECTS_OF_EACH_KIND = 3;

const directory = mkdtempSync(join(tmpdir(), "edgehelm-record-"));
const world = await openWorld({ directory });
const { edgehelm, clock, admin, ada, bob } = world;
const callers: readonly TestCaller[] = [admin, ada];
const objectsOfAda: Fields[] = [];
for (let round = 0; round < OBJECTS_OF_EACH_KIND; round++) {
  for (const [index, fixture] of fixtures.entries()) {
    const letters = String.fromCharCode(97 + index % 26, 97 + index / 26, 97 + round);
    objectsOfAda.push((await fixture.create(world, ada, `adathing${letters}`)).fields);
    await fixture.create(world, bob, `bobthing${letters}`);
  }
}

const reads: RecordedRead[] = [];
for (const { effect, method, roles } of edgehelm.kernel.operations.all) {
  if (effect !== "read" || !isUnary(method)) continue;
  const path = `/${method.parent.name}/${method.name}`;
  for (const caller of callers.filter(({ role }) => roles.has(role))) {
    for (const values of [requestFor(method, objectsOfAda), {}]) {
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
