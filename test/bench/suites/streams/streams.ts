import { Installation } from "../../installation/installation.ts";
import type { Suite } from "../../suite.ts";
import { changeToAnswer } from "./answers.ts";
import { connectedStreams } from "./connected.ts";

/** The streams of nodes: how many one instance holds, commands to them, and changes until a node serves them. */
export const streams: Suite = {
  async open({ root, seconds, progress }) {
    const stack = new AsyncDisposableStack();
    const installation = stack.use(await Installation.start(root));
    progress.note("starting Knot and its agent");
    const measurements = [
      await changeToAnswer(installation, stack, seconds),
      await connectedStreams(installation, root, stack, progress),
    ];
    return { measurements, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  },
};
