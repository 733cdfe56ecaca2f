import { readFile, writeFile } from "node:fs/promises"; import { parse, stringify } from "yaml";
import { TestClock, testKernel } from "edgehelm/testing";
import { firstParty } from "../../matrix/plugins.ts";
import { contents, rigOf } from "./rig.ts";
const here = new URL("./example", import.meta.url).pathname;
const open = () =>
  testKernel({
    plugins: firstParty,
    clock: new TestClock(Date.UTC(2026, 4, 20, 9)),
    config: { ns_node: { taskPollMilliseconds: 5 } },
    hosts: { ns_domain: { txt: () => Promise.resolve([]), ns: () => Promise.resolve([]) } },
  });
const a = await open();
const rig = await rigOf(a);
try {
  console.log((await rig.apply(here)).join("\n"));
  console.log((await rig.plan(here)).join("\n"));
  console.log((await rig.export("/tmp/apply_out1", "--with-secrets")).join("\n"));
  console.log((await rig.plan("/tmp/apply_out1")).join("\n"));
  const s1 = parse(await readFile("/tmp/apply_out1/secrets.yaml","utf8")); const s0 = parse(await readFile(here + "/secrets.yaml","utf8"));
await writeFile("/tmp/apply_out1/secrets.yaml", stringify({...s0, ...s1})); 
const b = await open();
  const other = await rigOf(b);
  console.log((await other.apply("/tmp/apply_out1")).join("\n"));
  await rig.export("/tmp/apply_out1", "--with-secrets");
console.log((await other.export("/tmp/apply_out2", "--with-secrets")).join("\n"));
  const n = rig.writes().length;
  await rig.apply("/tmp/apply_out1");
  console.log("second writes", rig.writes().length - n);
} catch (e) {
  console.log(e instanceof Error ? e.message : e, (e as Error).stack?.slice(0, 1500));
}
process.exit(0);
