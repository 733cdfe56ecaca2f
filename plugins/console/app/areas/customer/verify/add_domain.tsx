import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { messageOf } from "../../../parts/failure.tsx";
import { TextInput } from "../../../parts/text_input.tsx";
import { callPath } from "../../../shell/call.ts";
import { goTo, linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { texts as shared } from "../../../texts/mod.ts";
import { texts } from "./texts.ts";

/** The form for a new domain of a customer: its name is all that it takes. */
export default function AddDomain(): JSX.Element {
  const [name, setName] = useState("");
  const [takenName, setTakenName] = useState<string>();
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  const { value: text } = texts;
  const plain = name.trim().replace(/\.$/, "");
  async function add(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setSending(true);
    setError(undefined);
    try {
      // what is taken is said once, before the domain is added
      if (takenName !== plain && await isTaken(plain)) return setTakenName(plain);
      const { nsDomainId } = await callPath("NSDomainService/createNSDomain", { name: plain });
      goTo(linkTo(["resource", "NSDomain", nsDomainId as bigint]));
    } catch (caught) {
      setError(messageOf(caught));
    } finally {
      setSending(false);
    }
  }
  return (
    <form class="page-form" onSubmit={add}>
      <div class="head">
        <h1>{text.addDomain}</h1>
      </div>
      <div class="panel pad">
        <div class="field">
          <label for="domain-name">{text.name}</label>
          <TextInput
            id="domain-name"
            isSecret={false}
            isRequired
            autocomplete="off"
            value={name}
            isInvalid={error !== undefined}
            describedBy="domain-name-help"
            onInput={setName}
          />
          {error !== undefined && <p class="error" role="alert">{error}</p>}
          <p class="help" id="domain-name-help">{text.nameHelp}</p>
        </div>
        {takenName === plain && <p class="notice warn" role="alert">{text.taken}</p>}
        <div class="actions start">
          <button type="submit" class="btn primary" disabled={isSending}>{text.addDomain}</button>
          <a class="btn" href={linkTo(["resource", "NSDomain"])}>{shared.value.cancel}</a>
        </div>
      </div>
    </form>
  );
}

/** True if somebody has verified the name. What is wrong with it, the server says when it is added. */
async function isTaken(name: string): Promise<boolean> {
  if (!mayCall("NSDomainService/existVerifiedNSDomains")) return false;
  const request = { names: [name] };
  const found = await callPath("NSDomainService/existVerifiedNSDomains", request).catch(() => undefined);
  return ((found?.["existingNames"] ?? []) as readonly string[]).length > 0;
}
