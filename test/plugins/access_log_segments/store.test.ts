import { SegmentRig } from "./rig.ts";
import { logStoreSuite } from "../http_access_log/stores/suite.ts";

// small limits, so that there are many segments
logStoreSuite("segments", async ({ partitionRows }) => {
  const rig = await SegmentRig.open({ partitionRows: Number(partitionRows), generationRows: 1200, mergeCount: 3 });
  return {
    get store() {
      return rig.store;
    },
    call: () => rig.call(),
    async enter(state) {
      if (state === "sealed") await rig.store.sealAll(rig.call());
      else await rig.reopen();
    },
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
}, { rows: 10_000, states: ["reopened", "sealed"] });
