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
import { isListed, mayCall, session } from "../../../shell/state.ts";
import { findChannel } from "./channel.ts";
import { addressHelp } from "./channel_texts.ts";
import { ObjectChoice, ObjectChoices } from "./object_choice.tsx";
import { RECIPIENTS } from "./paths.ts";
import { draftOf, findRecipient, nameOf, type Recipient, type RecipientDraft, saveRecipient } from "./recipient.ts";
import { texts } from "./texts.ts";

const BACK = linkTo(["messages", "recipients"]);
const NAMES = [
  ...["adminId", "messageMediaInstanceId", "user", "messageRecipientGroupIds", "nodeClusterIds"],
  ...["timeFrom", "timeTo", "description"],
];

/** The form of a recipient; without an id, of a new one. */
export function RecipientPage({ id }: { readonly id: string | undefined }): JSX.Element {
  const [round, setRound] = useState(0);
  const found = useLoaded(async (signal) => ({
    round,
    recipient: id === undefined ? undefined : await findRecipient(BigInt(id), signal),
  }), [id, round]);
  if (found.error !== undefined) return <Failure error={found.error} onRetry={found.reload} />;
  if (found.value === undefined) return <Skeleton rows={8} />;
  const { recipient } = found.value;
  if (!mayCall(id === undefined ? RECIPIENTS.create : RECIPIENTS.update)) return <NotFound />;
  if (id !== undefined && recipient === undefined) return <NotFound />;
  return <RecipientForm key={found.value.round} recipient={recipient} onReload={() => setRound(round + 1)} />;
}

interface FormProps {
  readonly recipient: Recipient | undefined;
  readonly onReload: () => void;
}

function RecipientForm({ recipient, onReload }: FormProps): JSX.Element {
  const [draft, setDraft] = useState<RecipientDraft>(recipient === undefined ? emptyDraft() : draftOf(recipient));
  const { value: text } = texts;
  const channelId = draft.messageMediaInstanceId;
  const channel = useLoaded(
    async (signal) => /^\d+$/.test(channelId) ? await findChannel(BigInt(channelId), signal) : undefined,
    [channelId],
  );
  const saving = useSaving(async () => {
    await saveRecipient(recipient, draft);
    goTo(BACK);
  });
  const { error } = saving;
  const set = (name: keyof RecipientDraft) => (value: string) => setDraft({ ...draft, [name]: value });
  const input = (name: keyof RecipientDraft) => ({
    autocomplete: "off",
    value: draft[name],
    onInput: (event: Event) => set(name)((event.currentTarget as HTMLInputElement).value),
  });
  return (
    <>
      <div class="head">
        <h1>{recipient === undefined ? text.addRecipient : nameOf(recipient)}</h1>
      </div>
      <form class="panel pad" onSubmit={saving.submit}>
        <Field id="recipient-admin" label={text.admin} help={text.adminHelp} names={["adminId"]} error={error}>
          {(control) => <ObjectChoice control={control} noun="Admin" value={draft.adminId} onInput={set("adminId")} />}
        </Field>
        <Field
          id="recipient-channel"
          label={text.channel}
          help={text.channelHelp}
          names={["messageMediaInstanceId"]}
          error={error}
        >
          {(control) => (
            <ObjectChoice
              control={control}
              noun="MessageMediaInstance"
              value={channelId}
              onInput={set("messageMediaInstanceId")}
            />
          )}
        </Field>
        <Field
          id="recipient-user"
          label={text.address}
          help={addressHelp(channel.value?.messageMedia)}
          names={["user"]}
          error={error}
        >
          {(control) => <input {...control} {...input("user")} required />}
        </Field>
        {isListed("MessageRecipientGroup") && (
          <Field id="recipient-groups" label={text.groups} names={["messageRecipientGroupIds"]} error={error} isGroup>
            {(control) => (
              <ObjectChoices
                control={control}
                noun="MessageRecipientGroup"
                label={text.groups}
                value={draft.messageRecipientGroupIds}
                onInput={set("messageRecipientGroupIds")}
              />
            )}
          </Field>
        )}
        {isListed("NodeCluster") && (
          <Field
            id="recipient-clusters"
            label={text.clusters}
            help={text.clustersHelp}
            names={["nodeClusterIds"]}
            error={error}
            isGroup
          >
            {(control) => (
              <ObjectChoices
                control={control}
                noun="NodeCluster"
                label={text.clusters}
                value={draft.nodeClusterIds}
                onInput={set("nodeClusterIds")}
              />
            )}
          </Field>
        )}
        <div class="side-by-side">
          <Field id="recipient-from" label={text.timeFrom} help={text.timeHelp} names={["timeFrom"]} error={error}>
            {(control) => <input {...control} {...input("timeFrom")} type="time" />}
          </Field>
          <Field id="recipient-to" label={text.timeTo} help={text.nextDayHelp} names={["timeTo"]} error={error}>
            {(control) => <input {...control} {...input("timeTo")} type="time" />}
          </Field>
        </div>
        <Field id="recipient-description" label={text.description} names={["description"]} error={error}>
          {(control) => <textarea {...control} {...input("description")} rows={2} />}
        </Field>
        <FormEnd saving={saving} names={NAMES} back={BACK} onReload={onReload} />
      </form>
    </>
  );
}

/** A new recipient is the reader until another admin is chosen. */
function emptyDraft(): RecipientDraft {
  return {
    ...{ adminId: String(session.value?.id ?? ""), messageMediaInstanceId: "", user: "" },
    ...{ messageRecipientGroupIds: "", nodeClusterIds: "", timeFrom: "", timeTo: "", description: "" },
  };
}
