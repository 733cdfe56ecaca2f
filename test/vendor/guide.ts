import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { END_OF_STEP, type GuideStep, guideSteps, scriptOf } from "./guide_steps.ts";
import type { Workshop } from "./workshop.ts";

/** Tests the guide for first plugins: does all of it in an empty folder, as its reader would. */
export function guideTests(opened: () => Workshop): void {
  const steps = guideSteps("first_plugin.md");
  let outputs: string[];
  let errors: string;

  beforeAll(async () => {
    const workshop = opened();
    const at = await workshop.empty("guide");
    const [http, grpc] = [await freePort(), await freePort()];
    const start = Date.now();
    const script = scriptOf(steps).replaceAll("127.0.0.1:8080", `127.0.0.1:${http}`)
      .replaceAll("127.0.0.1:8081", `127.0.0.1:${grpc}`);
    // Whole process groups end: npx passes no signal on to the server that it runs.
    const around = `exec 2> errors.log
trap 'for job in $(jobs -p); do kill -- -$job; done 2> /dev/null; wait' EXIT
export npm_config_userconfig=$PWD/.npmrc EDGEHELM_HTTP_PORT=${http} EDGEHELM_GRPC_PORT=${grpc} EDGEHELM_METRICS_PORT=0
`;
    const { output } = await workshop.run(at, around + script);
    outputs = output.split(`${END_OF_STEP}\n`).slice(0, -1);
    errors = existsSync(join(at, "errors.log")) ? readFileSync(join(at, "errors.log"), "utf8") : "";
    console.info(`the steps of the guide took ${Math.round((Date.now() - start) / 1000)} seconds`);
  });

  test("every step of the guide succeeds", () => {
    expect(outputs.length, errors).toBe(steps.length);
  });

  test("every command of the guide prints what it shows", () => {
    const shown = steps.map((step) => step.kind === "commands" && step.output !== undefined ? steady(step.output) : "");
    expect(outputs.map((output, index) => shown[index] === "" ? "" : steady(output))).toEqual(shown);
  });

  test.each([
    ["HTTP", "call NotesService/createNote", '"noteId":1'],
    ["reflection", "--list-methods", "notes.NotesService/exportNotes"],
    ["OpenAPI", "/openapi.json", "Lists a page of the notes"],
    ["the client", "node client.mjs", "butter\nbread"],
    ["the command line", "edgehelm notes create-note", "noteId  2"],
  ])("the plugin of the guide appears in %s", (_where, command, output) => {
    const index = steps.findIndex((step: GuideStep) => step.kind === "commands" && step.commands.includes(command));
    expect(outputs[index]).toContain(output);
  });
}

/** The output without what differs from run to run. */
function steady(output: string): string {
  return output.replaceAll(/"requestId":"[^"]*"/g, '"requestId":"…"').trim();
}

/** Returns a free port below those that systems give to programs which ask for any: it stays free until the start. */
function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(freePort()));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(port)));
  });
}
