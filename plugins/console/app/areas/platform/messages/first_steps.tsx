import type { JSX } from "preact";
import { useLoaded } from "../../../parts/loaded.ts";
import { callPath } from "../../../shell/call.ts";
import { linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { texts as channelTexts } from "./channel_texts.ts";
import { CHANNELS, RECIPIENTS } from "./paths.ts";
import { texts } from "./texts.ts";

/** What the reader must set up before messages can be sent; undefined if all is there, or until it is known. */
export function useMissing(): "channel" | "recipient" | undefined {
  const missing = useLoaded(async (signal) => {
    for (const [what, { count, create }] of [["channel", CHANNELS], ["recipient", RECIPIENTS]] as const) {
      if (!mayCall(count) || !mayCall(create)) continue;
      if ((await callPath(count, {}, signal))["count"] === 0n) return { what };
    }
    return { what: undefined };
  }, []);
  return missing.value?.what;
}

/** What to set up first, with the way there. */
export function FirstStep({ missing }: { missing: "channel" | "recipient" }): JSX.Element {
  const { value: text } = texts;
  return (
    <>
      <p>{text.first[missing]}</p>
      {missing === "channel"
        ? <a class="btn" href={linkTo(["messages", "channels", "new"])}>{channelTexts.value.add}</a>
        : <a class="btn" href={linkTo(["messages", "recipients", "new"])}>{text.addRecipient}</a>}
    </>
  );
}
