import { definePlugin, type Plugin } from "edgehelm";
import { NodeStreams } from "./contract.ts";
import { NodeHub } from "./hub.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { streamStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  migrations,
  setup({ db, isShared, log, clock, timers, systemCall, provide, every, onStop }) {
    const hub = new NodeHub({ store: streamStore(db<Tables>()), isShared, log, clock, timers, systemCall });
    provide(NodeStreams, hub);
    every({ name: "sweep_streams", everySeconds: 5, run: (call) => hub.sweep(call) });
    onStop((limitMilliseconds) => hub.stop(limitMilliseconds));
  },
});
export default plugin;
