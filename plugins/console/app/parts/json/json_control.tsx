import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { jsonContentOf } from "edgehelm/wire";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../../texts/mod.ts";
import { CodeEditor } from "../code/code_editor.tsx";
import { ListOf, MessageFields } from "./message_fields.tsx";
import { bestMessage, isObject, type Json, parsed, written } from "./value.ts";

interface JsonControlProps {
  readonly id: string;
  readonly label: string;
  readonly field: DescField;
  readonly value: string;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
  readonly onInput: (value: string) => void;
}

/** A field that contains JSON: a form of its declared content, or the JSON itself. */
export function JsonControl(
  { id, label, field, value, isInvalid, describedBy, onInput }: JsonControlProps,
): JSX.Element {
  const messages = messagesOf(field);
  const json = parsed(value);
  const isForm = messages.length > 0 && json !== undefined && fits(field, json);
  const [wantsText, setWantsText] = useState(false);
  return (
    <div class="json" id={id} role="group" aria-label={label} aria-describedby={describedBy} aria-invalid={isInvalid}>
      {isForm && (
        <button
          type="button"
          class="chip"
          aria-pressed={wantsText}
          onClick={() => setWantsText(!wantsText)}
        >
          {wantsText ? texts.value.asForm : "JSON"}
        </button>
      )}
      {isForm && !wantsText
        ? (
          <JsonForm
            id={id}
            messages={messages}
            field={field}
            value={json}
            onChange={(next) => onInput(written(next))}
          />
        )
        : <CodeEditor label={label} language="json" value={value} onInput={onInput} />}
    </div>
  );
}

interface JsonFormProps {
  readonly id: string;
  readonly messages: readonly DescMessage[];
  readonly field: DescField;
  readonly value: Json;
  readonly onChange: (value: Json) => void;
}

function JsonForm({ id, messages, field, value, onChange }: JsonFormProps): JSX.Element {
  const [chosen, choose] = useState<DescMessage>();
  const message = chosen ?? bestMessage(messages, value);
  if (jsonContentOf(field)?.isList) {
    return <ListOf id={id} message={message} value={Array.isArray(value) ? value : []} onChange={onChange} />;
  }
  return (
    <>
      {messages.length > 1 && (
        <select
          aria-label={texts.value.type}
          value={message.name}
          onChange={(event) => choose(messages.find(({ name }) => name === event.currentTarget.value))}
        >
          {messages.map(({ name }) => <option key={name} value={name}>{name}</option>)}
        </select>
      )}
      <MessageFields id={id} message={message} value={isObject(value) ? value : {}} onChange={onChange} />
    </>
  );
}

/** The messages that describe the content; none if any JSON may be in it, or only a plain value. */
function messagesOf(field: DescField): readonly DescMessage[] {
  const shapes = jsonContentOf(field)?.shapes ?? [];
  const messages = shapes.filter((shape) => typeof shape !== "string");
  return messages.length === shapes.length ? messages : [];
}

/** True if the JSON is of the declared kind, or empty. */
function fits(field: DescField, value: Json): boolean {
  return value === null || (jsonContentOf(field)?.isList ? Array.isArray(value) : isObject(value));
}
