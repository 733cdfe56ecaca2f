import type { TestClock, TestKernel } from "edgehelm/testing";
import type { OutgoingMessage } from "../../../plugins/message_media/contract.ts";
import { admin, messageKernel, type MessageKernelOptions, outcome, rpc, type Send } from "./message_rig.ts";

type Status = 0 | 1 | 2 | 3;

interface Rig extends AsyncDisposable {
  readonly edgehelm: TestKernel;
  readonly clock: TestClock;
  readonly sent: OutgoingMessage[];
  put(overrides: object): Promise<bigint>;
  /** Subjects of the messages with a status, in order. */
  list(status: Status): Promise<string[]>;
  run(job: "send" | "clean"): Promise<void>;
}

export async function openRig(send?: Send, media: MessageKernelOptions = {}): Promise<Rig> {
  const sent: OutgoingMessage[] = [];
  const { edgehelm, clock } = await messageKernel(
    send && ((message) => {
      sent.push(message);
      return send(message);
    }),
    media,
  );
  return {
    edgehelm,
    clock,
    sent,
    put: async (overrides) =>
      (await edgehelm.call(admin, rpc.createMessageTask, { subject: "s", ...overrides })).messageTaskId,
    async list(status: Status) {
      const { messageTasks } = await edgehelm.call(admin, rpc.listMessageTasksWithStatus, { status, size: 1000n });
      return messageTasks.map(({ subject }) => subject);
    },
    run: (job) => edgehelm.kernel.runJob(`message_task.${job}`),
    [Symbol.asyncDispose]: () => edgehelm[Symbol.asyncDispose](),
  };
}

export const deliver = () => Promise.resolve(outcome());
export const refuse = (error: string) => Promise.resolve(outcome({ isOk: false, error, response: "" }));
export const count = async ({ edgehelm }: Rig, status: Status) =>
  Number((await edgehelm.call(admin, rpc.countMessageTasksWithStatus, { status })).count);
