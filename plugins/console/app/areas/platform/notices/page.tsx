import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { messageOf } from "../../../parts/failure.tsx";
import { LIST_SIZE, LoadedList } from "../../../parts/lists/loaded_list.tsx";
import { Moment } from "../../../parts/lists/moment.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { NOTICES, unread, unreadText } from "../../../shell/unread.ts";
import { fill } from "../../../texts/fill.ts";
import { LevelTag } from "../messages/receivers/event_name.tsx";
import { linkOf, loadNotices, markAll, markNotice, type Notice } from "./notice.ts";
import { texts } from "./texts.ts";

/** What happened, for the reader: messages about events, read and unread. */
export default function NoticesPage({ steps: [which] }: { readonly steps: readonly string[] }): JSX.Element {
  const includeRead = which === "all";
  const { value: text } = texts;
  return (
    <Notices key={String(includeRead)} includeRead={includeRead}>
      <div class="bar" role="navigation" aria-label={text.title}>
        <a
          class={includeRead ? "chip" : "chip on"}
          aria-current={includeRead ? undefined : "page"}
          href={linkTo(["notices"])}
        >
          {text.unread} {unread.value > 0n && <b>{unreadText(unread.value)}</b>}
        </a>
        <a
          class={includeRead ? "chip on" : "chip"}
          aria-current={includeRead ? "page" : undefined}
          href={linkTo(["notices", "all"])}
        >
          {text.all}
        </a>
      </div>
    </Notices>
  );
}

function Notices({ includeRead, children }: { includeRead: boolean; children: JSX.Element }): JSX.Element {
  const [offset, setOffset] = useState(0);
  const [error, setError] = useState<unknown>();
  const page = useLoaded((signal) => loadNotices(includeRead, offset, LIST_SIZE, signal), [offset]);
  const { value: text } = texts;
  async function act(work: () => Promise<void>): Promise<void> {
    setError(undefined);
    try {
      await work();
      page.reload();
    } catch (caught) {
      setError(caught);
    }
  }
  return (
    <>
      <div class="head">
        <h1>{text.title}</h1>
        <span class="sp" />
        {mayCall(NOTICES.markAll) && (
          <button
            type="button"
            class="btn"
            disabled={unread.value === 0n}
            onClick={() => act(markAll)}
          >
            {text.markAll}
          </button>
        )}
      </div>
      <p class="sub under-tabs">{text.help}</p>
      {error !== undefined && <p class="error" role="alert">{messageOf(error)}</p>}
      <div class="panel">
        {children}
        <LoadedList
          page={page}
          offset={offset}
          onMove={setOffset}
          empty={<p>{includeRead ? text.none : text.noUnread}</p>}
          columns={[
            { name: text.level },
            { name: text.notice },
            { name: text.time },
            { name: text.actions, isHidden: true },
          ]}
        >
          {(notice) => (
            <NoticeRow
              key={notice.id}
              notice={notice}
              onMark={(isRead) => act(() => markNotice(notice, isRead))}
            />
          )}
        </LoadedList>
      </div>
    </>
  );
}

interface NoticeRowProps {
  readonly notice: Notice;
  readonly onMark: (isRead: boolean) => void;
}

function NoticeRow({ notice, onMark }: NoticeRowProps): JSX.Element {
  const { value: text } = texts;
  const { level, subject, body, isRead, createdAt } = notice;
  const link = linkOf(notice);
  return (
    <tr class={isRead ? "news" : "news unread"}>
      <td>
        <LevelTag level={level} />
      </td>
      <td class="wraps">
        <div class="subject">
          {link === undefined ? subject : <a class="link" href={link}>{subject}</a>}
          {!isRead && <span class="hidden">({text.isUnread})</span>}
        </div>
        {body !== "" && <div class="words">{body}</div>}
      </td>
      <td>
        <Moment at={createdAt} />
      </td>
      <td class="buttons">
        {mayCall(NOTICES.mark) && (
          <button
            type="button"
            class="btn quiet"
            aria-label={fill(isRead ? text.markUnreadTitle : text.markReadTitle, { name: subject })}
            onClick={() => onMark(!isRead)}
          >
            {isRead ? text.markUnread : text.markRead}
          </button>
        )}
      </td>
    </tr>
  );
}
