import type { ComponentChildren, JSX } from "preact";
import { linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { ATTEMPTS, CHANNELS, GROUPS, RECEIVERS, RECIPIENTS, TASKS } from "./paths.ts";
import { texts } from "./texts.ts";

const TABS = [
  { key: "queue", needs: TASKS.list },
  { key: "attempts", needs: ATTEMPTS.list },
  { key: "told", needs: RECEIVERS.list },
  { key: "recipients", needs: RECIPIENTS.list },
  { key: "groups", needs: GROUPS.list },
  { key: "channels", needs: CHANNELS.list },
] as const;

export type TabKey = typeof TABS[number]["key"];

/** Returns the tabs that the reader can use. */
export function offeredTabs(): readonly TabKey[] {
  return TABS.filter(({ needs }) => mayCall(needs)).map(({ key }) => key);
}

/** The title of a tab with its first action, what it is about, and the ways to the other tabs. */
export function MessagesHead({ tab, children }: { tab: TabKey; children?: ComponentChildren }): JSX.Element {
  const { value: text } = texts;
  return (
    <>
      <div class="head">
        <h1>{text.title}</h1>
        <span class="sp" />
        {children}
      </div>
      <div class="tabs" role="navigation" aria-label={text.title}>
        {offeredTabs().map((key) => (
          <a key={key} href={linkTo(["messages", key])} aria-current={key === tab ? "page" : undefined}>
            {text.tabs[key]}
          </a>
        ))}
      </div>
      <p class="sub under-tabs">{text.help[tab]}</p>
    </>
  );
}
