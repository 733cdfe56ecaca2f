import { deepEqual } from "node:assert/strict";
import { definePlugin } from "edgehelm";
import { Commands } from "edgehelm/runtime";
import { testKernel } from "edgehelm/testing";

const plugin = definePlugin({
  manifest: {
    ...{ name: "greeter", version: "1.0.0", kernel: "^1", services: [], tables: [] },
    ...{ contributes: ["kernel.commands"], routes: ["/greeting"] },
  },
  setup({ contribute, route, metrics }) {
    const greetings = metrics.counter("greetings_total", "Greetings");
    route("/greeting", () => {
      greetings.add(1);
      return new Response("hello\n");
    });
    contribute(Commands, {
      name: "greeter greet",
      usage: "greeter greet <name>: greets someone",
      run: (_call, [name = "world"]) => Promise.resolve([`hello, ${name}`]),
    });
  },
});

await using edgehelm = await testKernel({ plugins: [plugin] });
const { kernel } = edgehelm;
const command = kernel.commands.find(({ name }) => name === "greeter greet");
deepEqual(await command?.run(kernel.systemCall("greet"), ["Ada"]), ["hello, Ada"]);
deepEqual(await (await edgehelm.fetch(new Request("http://localhost/greeting"))).text(), "hello\n");
