import { test } from "vitest";
import { writeFileSync } from "node:fs";
import { openWorld } from "/tmp/wt/rep/test/matrix/world.ts";
test("dump", async () => {
  await using w = (await openWorld()).edgehelm;
  for (const f of ["openapi.json", "schemas.json", "llms.txt"]) {
    const t0 = performance.now();
    const r = await w.fetch(new Request(`http://localhost/${f}`));
    const t = await r.text();
    console.log(f, r.status, t.length, performance.now() - t0);
    writeFileSync(`/tmp/${f}`, t);
  }
});
