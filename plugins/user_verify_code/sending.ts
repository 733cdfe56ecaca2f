import { type Call, unixSeconds } from "edgehelm";
import { CODE_SECONDS, type CodeDeps } from "./codes.ts";
import { randomCode } from "./random_code.ts";
import type { CodeRow } from "./store.ts";
import { codeMail } from "./texts.ts";

const BATCH_SIZE = 100;

/** Handles the requests for codes: mails a code to the user whose verified address it is, if there is one. */
export async function sendCodes(call: Call, deps: CodeDeps): Promise<void> {
  const { store, tasks, settings } = deps;
  for (;;) {
    const rows = await store.unsent.all(call, { limit: BATCH_SIZE });
    if (rows.length === 0) return;
    const instanceId = await tasks.mailInstance(call, settings.messageMediaInstanceId);
    for (const row of rows) {
      if (call.signal.aborted) return;
      await sendCode(call, deps, row, instanceId);
    }
  }
}

async function sendCode(call: Call, deps: CodeDeps, row: CodeRow, instanceId: bigint | undefined): Promise<void> {
  const { store, settings: { language }, secrets, proofs, tasks, clock } = deps;
  const { id, place, email } = row;
  const code = randomCode();
  const sealed = await secrets.seal(place, code);
  await call.transact(async (inner) => {
    const now = unixSeconds(clock);
    const userId = instanceId === undefined ? undefined : await proofs.idByVerifiedEmail(inner, email);
    const expiresAt = now + CODE_SECONDS;
    const taken = { id, userId: userId ?? 0n, code: userId === undefined ? "" : sealed, expiresAt };
    // Others of the user end: only the last code is valid.
    if (userId !== undefined) await store.endCodes.run(inner, { userId });
    if (await store.take.run(inner, taken) === 0n || userId === undefined || instanceId === undefined) return;
    await tasks.create(inner, {
      ...{ messageRecipientId: 0n, messageMediaInstanceId: instanceId, user: email, isPrimary: true },
      ...codeMail(language, code, CODE_SECONDS / 60n),
      confidential: { secret: code, expiresAt },
    });
  });
}
