import { afterAll, beforeAll, expect, test } from "vitest";
import message from "../../../plugins/message/plugin.ts";
import { MailRig } from "../user_verify_code/mail_rig.ts";
import { Bell } from "./bell.ts";

const bell = new Bell();
let rig: MailRig;
beforeAll(async () => {
  rig = await MailRig.open({ message: { messageMediaInstanceId: "1" } }, [message, bell.plugin]);
});
afterAll(() => rig[Symbol.asyncDispose]());

/** Returns the addresses and subjects of the mails that the delivery sends. */
async function delivered(from: MailRig = rig): Promise<string[]> {
  const before = from.mails.length;
  await from.deliver();
  return from.mails.slice(before).map(({ user, subject }) => `${user}: ${subject}`);
}

test("an event for the owner is mailed to the verified address of the owner, others are not", async () => {
  const [ada, bob] = [await rig.verifiedUser(), await rig.newUser()];
  await rig.edgehelm.kernel.runJob("kernel.deliver_events");
  await delivered();
  rig.clock.advance(61);
  await bell.ring(rig.edgehelm, "sold", { nodeId: 3n }, ada.userId);
  await bell.ring(rig.edgehelm, "sold", { nodeId: 4n }, bob.userId);
  await bell.ring(rig.edgehelm, "rang", { nodeId: 5n }, ada.userId);
  expect(await delivered()).toEqual([`${ada.email}: node 3 sold`]);
});

test("the setting turns it off", async () => {
  const silent = new Bell();
  await using quiet = await MailRig.open({ message: { withoutMail: true, messageMediaInstanceId: "1" } }, [
    message,
    silent.plugin,
  ]);
  const { userId } = await quiet.verifiedUser();
  await silent.ring(quiet.edgehelm, "sold", { nodeId: 3n }, userId);
  expect(await delivered(quiet)).toEqual([]);
});
