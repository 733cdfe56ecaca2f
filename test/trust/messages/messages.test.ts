import { expect, test } from "vitest";
import { shortRun } from "../campaign.ts";
import { messages } from "./messages.ts";

test("a killed server loses no message and sends none twice, but web hooks with the same id", async () => {
  const { figures, broken } = await shortRun(messages, 3);
  expect(broken).toEqual([]);
  expect(figures).toMatchObject({ kills: 3, webHooks: 150, mails: 150 });
});
