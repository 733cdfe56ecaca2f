import type { JSX } from "preact";
import { texts } from "../texts/mod.ts";
import { linkTo } from "./route.ts";
import { mayCall } from "./state.ts";
import { NOTICES, unread, unreadText } from "./unread.ts";

/** The way to the notices, with the number of those that are not read. */
export function NoticesLink(): JSX.Element | null {
  if (!mayCall(NOTICES.list)) return null;
  const { value: text } = texts;
  const number = unread.value === 0n ? undefined : unreadText(unread.value);
  return (
    <a
      class="btn quiet notices"
      href={linkTo(["notices"])}
      aria-label={number === undefined ? text.notices : text.unreadNotices.replace("{n}", number)}
    >
      <svg viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.6" aria-hidden="true">
        <path d="M4 14.5h12l-1.4-2.2V8.6a4.6 4.6 0 0 0-9.2 0v3.7zM8.2 17a2 2 0 0 0 3.6 0" stroke-linejoin="round" />
      </svg>
      {number !== undefined && <b>{number}</b>}
    </a>
  );
}
