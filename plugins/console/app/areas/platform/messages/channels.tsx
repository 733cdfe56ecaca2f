import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { LIST_SIZE, LoadedList } from "../../../parts/lists/loaded_list.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { State } from "../../../parts/state.tsx";
import { callPath } from "../../../shell/call.ts";
import { goTo, linkTo, route } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { plural } from "../../../texts/mod.ts";
import { type Channel, loadChannels, rateOf, secondsOf, turnChannel } from "./channel.ts";
import { kindName, texts as channelTexts } from "./channel_texts.ts";
import { MessagesHead } from "./head.tsx";
import { CHANNELS } from "./paths.ts";
import { type Doing, RemoveDialog, RowButtons, TurnDialog } from "./row_dialogs.tsx";
import { texts } from "./texts.ts";

const PLACE = ["messages", "channels"];

/** The ways to send messages. The filter is part of the address. */
export function Channels(): JSX.Element {
  const { parameters } = route.value;
  const keyword = parameters.get("keyword") ?? "";
  const offset = Number(parameters.get("offset") ?? 0);
  const [doing, setDoing] = useState<Doing<Channel>>();
  const page = useLoaded((signal) => loadChannels(keyword, offset, LIST_SIZE, signal), [keyword, offset]);
  const [{ value: text }, { value: own }] = [texts, channelTexts];
  const show = (changes: Readonly<Record<string, string>>) => goTo(linkTo(PLACE, { keyword, ...changes }));
  const close = () => setDoing(undefined);
  async function remove({ id }: Channel): Promise<void> {
    await callPath(CHANNELS.remove, { messageMediaInstanceId: id });
    page.reload();
  }
  async function turn(channel: Channel): Promise<void> {
    await turnChannel(channel, !channel.isOn);
    page.reload();
  }
  return (
    <>
      <MessagesHead tab="channels">
        {mayCall(CHANNELS.create) && <a class="btn primary" href={linkTo([...PLACE, "new"])}>{own.add}</a>}
      </MessagesHead>
      <div class="panel">
        <div class="bar" role="search">
          <input
            type="search"
            class="find"
            aria-label={text.findChannel}
            placeholder={text.findChannel}
            value={keyword}
            onChange={(event) => show({ keyword: event.currentTarget.value.trim() })}
          />
        </div>
        <LoadedList
          page={page}
          offset={offset}
          onMove={(to) => show({ offset: String(to) })}
          empty={<p>{keyword === "" ? own.none : text.noMatch}</p>}
          columns={[
            { name: text.name },
            { name: text.state },
            { name: own.kind },
            { name: own.limit },
            { name: own.repeated },
            { name: text.actions, isHidden: true },
          ]}
        >
          {(channel) => (
            <tr key={channel.id}>
              <td>
                <a class="link main" href={linkTo([...PLACE, channel.id])} title={channel.description}>
                  {channel.name}
                </a>
              </td>
              <td>
                <State kind={channel.isOn ? "ok" : "idle"} text={channel.isOn ? text.on : text.off} />
              </td>
              <td>{kindName(channel.messageMedia)}</td>
              <td>{limitText(channel)}</td>
              <td>{repeatedText(channel)}</td>
              <RowButtons
                name={channel.name}
                isOn={channel.isOn}
                mayTurn={mayCall(CHANNELS.update)}
                mayRemove={mayCall(CHANNELS.remove)}
                onDo={(what) => setDoing({ what, row: channel })}
              />
            </tr>
          )}
        </LoadedList>
      </div>
      {doing?.what === "turn" && (
        <TurnDialog
          name={doing.row.name}
          isOn={doing.row.isOn}
          offHelp={text.turnOffChannel}
          onAct={() => turn(doing.row)}
          onClose={close}
        />
      )}
      {doing?.what === "remove" && (
        <RemoveDialog
          name={doing.row.name}
          help={text.removeChannelHelp}
          onAct={() => remove(doing.row)}
          onClose={close}
        />
      )}
    </>
  );
}

function limitText(channel: Channel): JSX.Element | string {
  const [rate, { value: text }] = [rateOf(channel), channelTexts];
  if (rate === undefined) return <span class="dim">{text.noRate}</span>;
  const [messages, minutes] = [plural(text.rate, rate.count), plural(text.inMinutes, rate.minutes)];
  return fill(text.rateIn, { messages, minutes });
}

function repeatedText(channel: Channel): string {
  const [seconds, { value: text }] = [secondsOf(channel), channelTexts];
  return seconds === 0 ? text.sent : plural(text.leftOut, seconds);
}
