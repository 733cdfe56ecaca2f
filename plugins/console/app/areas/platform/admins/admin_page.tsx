import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { NotFound } from "../../../parts/not_found.tsx";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { callPath } from "../../../shell/call.ts";
import { goTo, linkTo } from "../../../shell/route.ts";
import { mayCall, session } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { type Admin, CREATE, findAdmin, loadModules, REMOVE, UPDATE } from "./admin.ts";
import { AdminForm } from "./admin_form.tsx";
import { AdminKeys } from "./keys.tsx";
import { texts } from "./texts.ts";

/** The form of an admin, and what else belongs to them; without an id, the form of a new one. */
export function AdminPage({ id }: { id: bigint | undefined }): JSX.Element {
  const found = useLoaded(async (signal) => ({
    admin: id === undefined ? undefined : await findAdmin(id, signal),
    modules: await loadModules(signal),
  }), [id]);
  const [isRemoving, setRemoving] = useState(false);
  const { value: text } = texts;
  if (found.error !== undefined) return <Failure error={found.error} onRetry={found.reload} />;
  if (found.value === undefined) return <Skeleton rows={8} />;
  const { admin, modules } = found.value;
  if (id === undefined ? !mayCall(CREATE) : admin === undefined) return <NotFound />;
  return (
    <>
      <div class="head">
        <h1>{admin === undefined ? text.add : admin.username}</h1>
        <span class="sp" />
        {admin !== undefined && mayCall(REMOVE) && !isSelf(admin) && (
          <button
            type="button"
            class="btn"
            onClick={() => setRemoving(true)}
          >
            {text.remove}
          </button>
        )}
      </div>
      <AdminForm
        key={String(admin?.id)}
        admin={admin}
        modules={modules}
        isReadOnly={!mayCall(admin === undefined ? CREATE : UPDATE)}
        onSaved={(saved) => {
          goTo(linkTo(["admins", saved]));
          found.reload();
        }}
      />
      {admin !== undefined && (isSelf(admin) || session.value?.isSuper) && <AdminKeys adminId={admin.id} />}
      {isRemoving && admin !== undefined && (
        <ActionDialog
          title={`${text.remove}: ${admin.username}`}
          action={text.remove}
          isDangerous
          onAct={async () => {
            await callPath(REMOVE, { adminId: admin.id });
            goTo(linkTo(["admins"]));
          }}
          onClose={() => setRemoving(false)}
        >
          <p>{fill(text.removeHelp, { name: admin.fullname || admin.username })}</p>
        </ActionDialog>
      )}
    </>
  );
}

function isSelf({ id }: Admin): boolean {
  return session.value?.type === "admin" && session.value.id === id;
}
