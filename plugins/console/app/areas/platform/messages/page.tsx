import type { JSX } from "preact";
import { NotFound } from "../../../parts/not_found.tsx";
import { Attempts } from "./attempts/attempts.tsx";
import { Channels } from "./channels.tsx";
import { ChannelPage } from "./channel_form.tsx";
import { Groups } from "./groups.tsx";
import { offeredTabs } from "./head.tsx";
import { Queue } from "./queue.tsx";
import { Receivers } from "./receivers/receivers.tsx";
import { RecipientPage } from "./recipient_form.tsx";
import { Recipients } from "./recipients.tsx";

/** Messages to operators, who receives them, and the channels through which they go. */
export default function MessagesPage({ steps: [wanted, step] }: { readonly steps: readonly string[] }): JSX.Element {
  const tabs = offeredTabs();
  const tab = wanted === undefined ? tabs[0] : tabs.find((key) => key === wanted);
  const isForm = step !== undefined && /^(new|\d+)$/.test(step);
  const id = step === undefined || step === "new" ? undefined : step;
  switch (tab) {
    case "queue":
      return <Queue step={step} />;
    case "attempts":
      return <Attempts />;
    case "told":
      return <Receivers />;
    case "recipients":
      return isForm ? <RecipientPage key={step} id={id} /> : <Recipients />;
    case "groups":
      return <Groups />;
    case "channels":
      return isForm ? <ChannelPage key={step} id={id} /> : <Channels />;
    default:
      return <NotFound />;
  }
}
