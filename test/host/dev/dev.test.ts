import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fromBinary } from "@bufbuild/protobuf";
import { EchoSchema } from "../../fixtures/echo/proto/echo_pb.ts";
import { runtimes } from "../../harness/runtimes.ts";
import { runToEnd } from "../../harness/server.ts";
import { DevRig } from "./dev_rig.ts";
import { callOverSocket } from "./grpc_socket.ts";

const ECHO = "/edgehelm.test.echo.EchoService";
const GREETING = "notes_of_a_plugin";

let rig: DevRig;
beforeEach(async () => {
  rig = await DevRig.create();
});
afterEach(() => rig[Symbol.asyncDispose]());

/** A plugin that adds a table, with the second statement of its migration. */
function withTable(number: number, second: string): string {
  return rig.source(number)
    .replace("import { EchoService }", 'import { sql } from "kysely";\nimport { EchoService }')
    .replace(
      "  manifest,\n",
      `  manifest,
  migrations: { "0001_create": { async up(db) {
    await sql\`create table ${GREETING} (id integer primary key, text text not null)\`.execute(db);
    await sql\`${second}\`.execute(db);
  } } },
`,
    );
}

async function changeJson(path: string, change: (json: Record<string, unknown[]>) => void): Promise<void> {
  const json = JSON.parse(await readFile(path, "utf8"));
  change(json);
  await writeFile(path, JSON.stringify(json));
}

describe.each(runtimes())("edgehelm dev on %s", (_name, runtime) => {
  test("puts the last of many saves into service, and never fails a call", async () => {
    await rig.start(runtime);
    await rig.untilServed(1);
    await rig.save(2);
    await rig.untilServed(2);
    for (let number = 3; number <= 22; number++) {
      await rig.save(number);
      expect((await rig.echo()).code).toBe(200);
    }
    await rig.untilServed(22);
  });

  test("keeps the previous plugin while the new one is broken, and says where", async () => {
    const server = await rig.start(runtime);
    const manifest = rig.installation.EDGEHELM_MANIFEST!;
    const [plugins, description] = [
      await readFile(manifest, "utf8"),
      await readFile(join(rig.folder, "plugin.json"), "utf8"),
    ];
    const broken: [cause: string, breakIt: () => Promise<void>, printed: RegExp][] = [
      [
        "syntax",
        () => rig.write("plugin.ts", `const first = 1;\nconst second = ;\n${rig.source(0)}`),
        /Expression expected[^]*echo[\\/]plugin\.ts:2/,
      ],
      [
        "import",
        () => rig.write("plugin.ts", `${rig.source(0)}\nthrow new Error("no import");\n`),
        /no import \(.*echo[\\/]plugin\.ts:\d+/,
      ],
      [
        "missing module",
        () => rig.write("plugin.ts", `import "./absent.ts";\n${rig.source(0)}`),
        /absent\.ts[^]*plugin\.ts/,
      ],
      [
        "set-up",
        () => rig.write("plugin.ts", rig.source(0).replace("let aborted = 0n;", 'throw new Error("no set-up");')),
        /"echo" failed to set up: no set-up \(.*echo[\\/]plugin\.ts:\d+/,
      ],
      ["migration", async () => {
        await changeJson(join(rig.folder, "plugin.json"), (json) => json["tables"] = [GREETING]);
        await rig.write("plugin.ts", withTable(0, `insert into ${GREETING} (id) values (1)`));
      }, /migration "0001_create" failed: .*NOT NULL/],
      ["names", async () => {
        await cp(rig.folder, `${rig.folder}_again`, { recursive: true });
        await changeJson(manifest, (json) => json["plugins"]!.push({ use: "./echo_again" }));
      }, /the plugin "echo" is already used at/],
      ["manifest", () => changeJson(manifest, (json) => json["pluginz"] = []), /pluginz/],
      ["plugin.json", () => rig.write("plugin.json", "{"), /plugins\[3\]/],
    ];
    let number = 1;
    for (const [cause, breakIt, printed] of broken) {
      const start = server.output.length;
      await breakIt();
      await expect.poll(() => server.output.slice(start), { message: cause, interval: 20 }).toMatch(printed);
      expect(server.output.slice(start)).toContain("not reloaded, the previous plugins keep serving:");
      expect(await rig.echo(), cause).toMatchObject({ code: 200, data: { number } });
      await writeFile(manifest, plugins);
      await rig.write("plugin.json", description);
      await rig.save(++number);
      await rig.untilServed(number);
    }
    expect(server.output).not.toContain("?version");
  });

  test("lets calls finish, ends streams with a reason, and holds what comes meanwhile", async () => {
    const server = await rig.start(runtime);
    const token = await server.adminToken();
    const stream = callOverSocket(server.grpcUrl, `${ECHO}/chat`, token);
    const underWay = rig.echo({ sleepMilliseconds: 1 });
    await rig.gate.arrived();
    await rig.save(2);
    const trailers = await stream.fields;
    expect([trailers.get("grpc-status"), decodeURIComponent(trailers.get("grpc-message")!)])
      .toEqual(["14", "the plugins are reloaded; call again"]);
    const held = [rig.echo(), rig.echo()];
    const heldRpc = callOverSocket(server.grpcUrl, `${ECHO}/echo`, token, new Uint8Array());
    rig.gate.release();
    expect((await underWay).data.number).toBe(1);
    expect((await Promise.all(held)).map(({ data }) => data.number)).toEqual([2, 2]);
    expect((await heldRpc.fields).get("grpc-status")).toBe("0");
    expect(fromBinary(EchoSchema, heldRpc.body().subarray(5)).number).toBe(2n);
    stream.close();
    heldRpc.close();
  });

  test("follows files that are added and deleted, the manifest, tables, and tells of proto files", async () => {
    const server = await rig.start(runtime);
    await mkdir(join(rig.folder, "parts"));
    await rig.write("parts/number.ts", "export const number = 2n;\n");
    const divided = `import { number as part } from "./parts/number.ts";\n${
      rig.source(0).replaceAll("number: 0n", "number: part")
    }`;
    await rig.write("plugin.ts", divided);
    await rig.untilServed(2);
    await rig.write("parts/number.ts", "export const number = 3n;\n");
    await rig.untilServed(3);
    await rm(join(rig.folder, "parts/number.ts"));
    await rig.untilPrinted(/not reloaded[^]*number\.ts/);
    await rig.untilServed(3);
    await rig.write("parts/number.ts", "export const number = 4n;\n");
    await rig.untilServed(4);

    const manifest = rig.installation.EDGEHELM_MANIFEST!;
    await changeJson(manifest, (json) => json["plugins"]!.push({ use: "hello_world" }));
    const hello = async () => (await server.post("/HelloWorldService/sayHello", { name: "Ada" }))?.code;
    await expect.poll(hello, { interval: 20 }).toBe(200);
    await changeJson(manifest, (json) => json["plugins"]!.pop());
    await expect.poll(hello, { interval: 20 }).toBe(404);

    await changeJson(join(rig.folder, "plugin.json"), (json) => json["tables"] = [GREETING]);
    await rig.write("plugin.ts", withTable(5, `insert into ${GREETING} values (1, 'kept')`));
    await rig.untilServed(5);
    const proto = join(rig.folder, "proto/echo.proto");
    await writeFile(proto, `${await readFile(proto, "utf8")}// changed\n`);
    await rig.untilPrinted(/echo\.proto changed: run the script gen/);
  });

  test("waits for a plugin that is broken at the start, and leaves no process behind", async () => {
    await rig.write("plugin.ts", `await fetch("${rig.gate.url}");\nthrow new Error("broken");\n`);
    const starting = rig.start(runtime);
    await rig.gate.arrived();
    rig.gate.release();
    await rig.save(7);
    const server = await starting;
    await rig.untilServed(7);
    expect(server.output).toMatch(/waiting for a change:\n.*broken/);
    process.kill(server.pid, "SIGINT");
    expect(await server.ended).toBe(0);
    expect(processesOf(rig.installation.EDGEHELM_DATA!)).toEqual([]);
  });
});

test("edgehelm dev says how it is used", async () => {
  const { code, output } = await runToEnd(["dev", "--help"], {});
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining("usage: edgehelm dev [manifest]") });
  expect((await runToEnd(["dev", "--port"], {})).code).toBe(78);
});

/** Returns the processes with the data directory in their environment. */
function processesOf(dataDirectory: string): string[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).filter((name) => {
    try {
      return readFileSync(`/proc/${name}/environ`, "utf8").includes(dataDirectory);
    } catch {
      return false;
    }
  });
}
