import { Installation, type Manifest } from "../../installation/installation.ts";
import type { Suite } from "../../suite.ts";
import { changeToAnswer } from "./answers.ts";
import { catchUp } from "./catch_up.ts";
import { connectedStreams, NODES } from "./connected.ts";
import { statisticsIntake } from "./statistics.ts";

const RECORDS = 1_000_000;

/** The streams of nodes: how many one instance holds, commands to them, and changes until a node serves them. */
export const streams: Suite = {
  async open({ root, seconds, rows = RECORDS, progress }) {
    const stack = new AsyncDisposableStack();
    // all nodes of the bench have one address
    const limits = { grpcConnectionsPerAddress: 2 * NODES };
    const manifest = (standard: Manifest) => ({ ...standard, limits });
    const installation = stack.use(await Installation.start(root, { manifest }));
    const measurements = [
      await changeToAnswer(installation, stack, seconds),
      await statisticsIntake(installation),
      await connectedStreams(installation, root, stack, progress),
      await catchUp(installation, rows, progress),
    ];
    return { measurements, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  },
};
