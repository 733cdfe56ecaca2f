import { definePlugin } from "edgehelm";
import { as, type TestKernel } from "edgehelm/testing";
import { expect, onTestFinished } from "vitest";
import { type NodeLinks, type NodeMessage, NodeStreams } from "../../../plugins/node_base/contract.ts";
import { ProbeService } from "../../fixtures/probe/proto/probe_pb.ts";

const EMPTY = { timeoutSeconds: 0, code: "", dataJSON: new Uint8Array(), isOk: true, message: "" };

/** Creates a plugin whose nodes are admins, because the probe service carries their streams. */
export function nodesPlugin(events: string[], onSetup: (links: NodeLinks) => void) {
  return definePlugin({
    manifest: {
      name: "nodes",
      version: "1.0.0",
      kernel: "^1",
      services: ["ProbeService"],
      tables: [],
      modules: [{ code: "probe" }, { code: "sight" }],
    },
    requires: { streams: NodeStreams },
    setup({ deps: { streams }, serve }) {
      const links = streams.of({
        name: "nodes",
        connected: async (_call, id) => void events.push(`${id} connected`),
        disconnected: async (_call, id) => void events.push(`${id} disconnected`),
      });
      onSetup(links);
      serve(ProbeService, {
        look: () => ({}),
        change: () => ({}),
        reach: () => ({}),
        greet: () => ({}),
        async *tell() {},
        gather: () => Promise.resolve({}),
        async *talk(requests, call) {
          for await (const { code, requestId } of links.serve(call, responses(requests))) {
            yield { text: code, number: requestId };
          }
        },
      });
    },
  });
}

async function* responses(requests: AsyncIterable<{ text: string; number: bigint }>): AsyncGenerator<NodeMessage> {
  for await (const { text, number } of requests) yield { ...EMPTY, requestId: number, message: text };
}

/** Connects a node to an instance and consumes the first message. */
export async function connectNode(edgehelm: TestKernel, id: bigint) {
  const requests = new TransformStream<object, object>({}, { highWaterMark: 16 });
  const writer = requests.writable.getWriter();
  const received = edgehelm.stream(as.admin(id), ProbeService.method.talk, requests.readable);
  const next = async () => (await received.next()).value ?? undefined;
  expect(await next()).toMatchObject({ text: "connectedAPINode" });
  let isOpen = true;
  const finish = async () => {
    if (!isOpen) return;
    isOpen = false;
    await writer.close().catch(() => undefined);
    await next();
  };
  onTestFinished(finish);
  return { next, send: (text: string, number: bigint) => writer.write({ text, number }), finish };
}
