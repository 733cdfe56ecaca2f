import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Failure } from "../../../parts/failure.tsx";
import { Field } from "../../../parts/forms/field.tsx";
import { FormEnd } from "../../../parts/forms/form_end.tsx";
import { useSaving } from "../../../parts/forms/saving.ts";
import { useLoaded } from "../../../parts/loaded.ts";
import { NotFound } from "../../../parts/not_found.tsx";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { goTo, linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import {
  type Channel,
  type ChannelDraft,
  type ChannelKind,
  draftOf,
  findChannel,
  loadKinds,
  NEW_CHANNEL,
  saveChannel,
} from "./channel.ts";
import { kindName, texts as channelTexts } from "./channel_texts.ts";
import { LimitFields } from "./limit_fields.tsx";
import { ParamFields } from "./param_fields.tsx";
import { CHANNELS } from "./paths.ts";
import { texts } from "./texts.ts";

const BACK = linkTo(["messages", "channels"]);
const NAMES = ["name", "mediaType", "description", "paramsJSON", "rateJSON", "hashLife"];

/** The form of a channel; without an id, of a new one. */
export function ChannelPage({ id }: { readonly id: string | undefined }): JSX.Element {
  const [round, setRound] = useState(0);
  const found = useLoaded(async (signal) => {
    const [kinds, channel] = await Promise.all([
      loadKinds(signal),
      id === undefined ? undefined : findChannel(BigInt(id), signal),
    ]);
    return { kinds, channel, round };
  }, [id, round]);
  if (found.error !== undefined) return <Failure error={found.error} onRetry={found.reload} />;
  if (found.value === undefined) return <Skeleton rows={8} />;
  const { channel, kinds } = found.value;
  if (!mayCall(id === undefined ? CHANNELS.create : CHANNELS.update)) return <NotFound />;
  if (id !== undefined && channel === undefined) return <NotFound />;
  return (
    <ChannelForm
      key={found.value.round}
      channel={channel}
      kinds={kinds}
      onReload={() => setRound(round + 1)}
    />
  );
}

interface FormProps {
  readonly channel: Channel | undefined;
  readonly kinds: readonly ChannelKind[];
  readonly onReload: () => void;
}

function ChannelForm({ channel, kinds, onReload }: FormProps): JSX.Element {
  const [draft, setDraft] = useState<ChannelDraft>(channel === undefined ? NEW_CHANNEL : draftOf(channel));
  const [{ value: text }, { value: own }] = [texts, channelTexts];
  const saving = useSaving(async () => {
    await saveChannel(channel, draft);
    goTo(BACK);
  });
  const { error } = saving;
  const set = (changes: Partial<ChannelDraft>) => setDraft({ ...draft, ...changes });
  function chooseKind(mediaType: string): void {
    const before = channel && draftOf(channel);
    set({ mediaType, params: before?.mediaType === mediaType ? before.params : "{}" });
  }
  return (
    <>
      <div class="head">
        <h1>{channel === undefined ? own.add : channel.name}</h1>
      </div>
      <form class="panel pad" onSubmit={saving.submit}>
        <Field id="channel-name" label={text.name} names={["name"]} error={error}>
          {(control) => (
            <input
              {...control}
              autocomplete="off"
              required
              value={draft.name}
              onInput={(event) => set({ name: event.currentTarget.value })}
            />
          )}
        </Field>
        <Field id="channel-kind" label={own.kind} names={["mediaType"]} error={error}>
          {(control) => (
            <select
              {...control}
              value={draft.mediaType}
              onChange={(event) => chooseKind(event.currentTarget.value)}
            >
              {kinds.map((kind) => <option key={kind.type} value={kind.type}>{kindName(kind)}</option>)}
            </select>
          )}
        </Field>
        <ParamFields
          key={draft.mediaType}
          type={draft.mediaType}
          value={draft.params}
          error={error}
          onInput={(params) => set({ params })}
        />
        <LimitFields draft={draft} error={error} onChange={set} />
        <Field id="channel-description" label={text.description} names={["description"]} error={error}>
          {(control) => (
            <textarea
              {...control}
              rows={2}
              value={draft.description}
              onInput={(event) => set({ description: event.currentTarget.value })}
            />
          )}
        </Field>
        <FormEnd saving={saving} names={NAMES} back={BACK} onReload={onReload} />
      </form>
    </>
  );
}
