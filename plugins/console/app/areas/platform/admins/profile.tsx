import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Failure, messageOf } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { TextInput } from "../../../parts/text_input.tsx";
import { callPath } from "../../../shell/call.ts";
import { linkTo } from "../../../shell/route.ts";
import { session } from "../../../shell/state.ts";
import { texts as shared } from "../../../texts/mod.ts";
import { findAdmin } from "./admin.ts";
import { AdminKeys } from "./keys.tsx";
import { moduleName } from "./module_name.ts";
import { texts } from "./texts.ts";

/** What an admin may change about themselves. */
export default function ProfilePage(): JSX.Element {
  const id = session.value!.id;
  const own = useLoaded((signal) => findAdmin(id, signal), [id]);
  const [fullname, setFullname] = useState("");
  const [outcome, setOutcome] = useState<"saved" | { readonly error: string }>();
  const { value: text } = texts;
  useEffect(() => setFullname(own.value?.fullname ?? ""), [own.value]);
  if (own.error !== undefined) return <Failure error={own.error} onRetry={own.reload} />;
  if (own.value === undefined) return <Skeleton rows={6} />;
  const { username, isSuper, Modules } = own.value;
  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    try {
      await callPath("AdminService/updateAdminInfo", { adminId: id, fullname });
      setOutcome("saved");
    } catch (error) {
      setOutcome({ error: messageOf(error) });
    }
  }
  return (
    <>
      <div class="head">
        <h1>{text.profile}</h1>
        <span class="sp" />
        <a class="btn" href={linkTo(["security"])}>{shared.value.security}</a>
      </div>
      <form class="panel pad" onSubmit={save}>
        <dl>
          <div>
            <dt>{text.username}</dt>
            <dd>{username}</dd>
          </div>
          <div>
            <dt>{text.rights}</dt>
            <dd>
              {isSuper ? text.super : Modules.map(({ code }) => moduleName({ code, name: code })).join(", ") ||
                text.noModules}
            </dd>
          </div>
        </dl>
        <div class="field">
          <label for="profile-fullname">{text.fullname}</label>
          <TextInput
            id="profile-fullname"
            isSecret={false}
            autocomplete="name"
            value={fullname}
            onInput={(value) => {
              setFullname(value);
              setOutcome(undefined);
            }}
          />
        </div>
        {typeof outcome === "object" && <p class="error" role="alert">{outcome.error}</p>}
        <div class="actions start">
          <button type="submit" class="btn primary">{shared.value.save}</button>
          <span class="dim" role="status">{outcome === "saved" && text.saved}</span>
        </div>
      </form>
      <AdminKeys adminId={id} />
    </>
  );
}
