import { definePlugin, type Plugin } from "edgehelm";
import { as, type TestCaller, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import type { StorageEngine } from "../../../core/storage/engine.ts";
import { MessageMediaDrivers, type OutgoingMessage } from "../../../plugins/message_media/contract.ts";
import media from "../../../plugins/message_media/plugin.ts";
import instance from "../../../plugins/message_media_instance/plugin.ts";
import { MessageMediaInstanceService } from "../../../plugins/message_media_instance/proto/service_message_media_instance_pb.ts";
import task from "../../../plugins/message_task/plugin.ts";
import user from "../../../plugins/user/plugin.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import verification from "../../../plugins/user_email_verification/plugin.ts";
import { UserEmailVerificationService } from "../../../plugins/user_email_verification/proto/service_user_email_verification_pb.ts";
import codes from "../../../plugins/user_verify_code/plugin.ts";
import { UserVerifyCodeService } from "../../../plugins/user_verify_code/proto/service_user_verify_code_pb.ts";
import { outcome } from "../message_task/message_rig.ts";

export const rpc = {
  ...MessageMediaInstanceService.method,
  ...UserService.method,
  ...UserEmailVerificationService.method,
  ...UserVerifyCodeService.method,
};
export const root = as.admin();
export const PASSWORD = "correct horse battery";

/** An installation whose mails a test reads. */
export class MailRig {
  readonly edgehelm: TestKernel;
  readonly clock: TestClock;
  readonly mails: OutgoingMessage[];
  instanceId = 0n;
  #people = 0;

  private constructor(edgehelm: TestKernel, clock: TestClock, mails: OutgoingMessage[]) {
    this.edgehelm = edgehelm;
    this.clock = clock;
    this.mails = mails;
  }

  static async open(
    config: Record<string, object> = {},
    others: readonly Plugin[] = [],
    engine?: StorageEngine,
  ): Promise<MailRig> {
    const clock = new TestClock();
    const mails: OutgoingMessage[] = [];
    const edgehelm = await testKernel({
      plugins: [media, instance, task, user, verification, codes, mailbox(mails), ...others],
      clock,
      ...(engine && { engine }),
      config: {
        user_email_verification: { messageMediaInstanceId: "1" },
        user_verify_code: { messageMediaInstanceId: "1" },
        ...config,
      } as never,
    });
    const rig = new MailRig(edgehelm, clock, mails);
    const request = { name: "mail", mediaType: "mailbox", paramsJSON: new TextEncoder().encode("{}") };
    rig.instanceId = (await edgehelm.call(root, rpc.createMessageMediaInstance, request)).messageMediaInstanceId;
    return rig;
  }

  /** Creates a user who logged in just now. */
  async newUser(): Promise<{ readonly userId: bigint; readonly username: string; readonly caller: TestCaller }> {
    const username = `person${++this.#people}`;
    const request = { username, password: PASSWORD, fullname: "A Person", email: `${username}@example.com` };
    const { userId } = await this.edgehelm.call(root, rpc.createUser, request);
    await this.edgehelm.call(root, rpc.loginUser, { username, password: PASSWORD });
    return { userId, username, caller: as.user(userId) };
  }

  /** Creates a user whose address is verified. */
  async verifiedUser() {
    const made = await this.newUser();
    const email = `${made.username}@example.com`;
    await this.edgehelm.call(made.caller, rpc.sendUserEmailVerification, { email });
    await this.edgehelm.call(made.caller, rpc.verifyUserEmail, { code: await this.codeTo(email) });
    return { ...made, email };
  }

  async find(userId: bigint) {
    return (await this.edgehelm.call(root, rpc.findEnabledUser, { userId })).user!;
  }

  /** Sends what is queued. */
  async deliver(): Promise<void> {
    await this.edgehelm.kernel.runJob("user_verify_code.send");
    await this.edgehelm.kernel.runJob("message_task.send");
  }

  /** Sends what is queued, and returns the code of the last mail to an address; empty if there is none. */
  async codeTo(email: string): Promise<string> {
    await this.deliver();
    const mail = this.mails.findLast(({ user }) => user === email);
    return mail?.body.match(/: ([0-9]{8}|[A-Za-z0-9]{32})$/m)?.[1] ?? "";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.edgehelm[Symbol.asyncDispose]();
  }
}

/** A plugin with a media that keeps messages. */
function mailbox(mails: OutgoingMessage[]) {
  return definePlugin({
    manifest: {
      ...{ name: "mailbox", version: "1.0.0", kernel: "^1", services: [], tables: [] },
      contributes: ["message_media.drivers"],
    },
    setup({ contribute }) {
      contribute(MessageMediaDrivers, {
        ...{ id: 1001n, type: "mailbox", name: "Mailbox", description: "Keeps messages", userDescription: "A name" },
        check() {},
        secrets: [],
        canSend: true,
        send(_call, message) {
          mails.push(message);
          return Promise.resolve(outcome());
        },
      });
    },
  });
}
