import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { LIST_SIZE, type ListPage, LoadedList } from "../../../parts/lists/loaded_list.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { State } from "../../../parts/state.tsx";
import { callPath } from "../../../shell/call.ts";
import { linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { type Admin, CREATE } from "./admin.ts";
import { AdminPage } from "./admin_page.tsx";
import { moduleName } from "./module_name.ts";
import { texts } from "./texts.ts";

/** The operators of the installation, or the form of one. */
export default function AdminsPage({ steps: [step] }: { readonly steps: readonly string[] }): JSX.Element {
  if (step === "new") return <AdminPage key={step} id={undefined} />;
  if (step !== undefined && /^\d+$/.test(step)) return <AdminPage key={step} id={BigInt(step)} />;
  return <AdminList />;
}

function AdminList(): JSX.Element {
  const [keyword, setKeyword] = useState("");
  const [offset, setOffset] = useState(0);
  const page = useLoaded((signal) => loadAdmins(keyword, offset, signal), [keyword, offset]);
  const { value: text } = texts;
  return (
    <>
      <div class="head">
        <h1>{text.title}</h1>
        <span class="sp" />
        {mayCall(CREATE) && <a class="btn primary" href={linkTo(["admins", "new"])}>{text.add}</a>}
      </div>
      <p class="sub">{text.help}</p>
      <div class="panel">
        <div class="bar" role="search">
          <input
            type="search"
            class="find"
            aria-label={text.find}
            placeholder={text.find}
            value={keyword}
            onChange={(event) => {
              setOffset(0);
              setKeyword(event.currentTarget.value.trim());
            }}
          />
        </div>
        <LoadedList
          page={page}
          offset={offset}
          onMove={setOffset}
          empty={<p>{text.none}</p>}
          columns={[text.username, text.fullname, text.state, text.rights, text.factor].map((name) => ({ name }))}
        >
          {(admin) => (
            <tr key={admin.id}>
              <td>
                <a class="link main" href={linkTo(["admins", admin.id])}>{admin.username}</a>
              </td>
              <td>{admin.fullname}</td>
              <td>
                <State kind={stateOf(admin).kind} text={text.states[stateOf(admin).name]} />
              </td>
              <td>{rightsOf(admin)}</td>
              <td>{admin.otpLogin?.isOn ? text.hasFactor : <span class="dim">{text.noFactor}</span>}</td>
            </tr>
          )}
        </LoadedList>
      </div>
    </>
  );
}

async function loadAdmins(keyword: string, offset: number, signal: AbortSignal): Promise<ListPage<Admin>> {
  const request = { keyword, offset: BigInt(offset), size: BigInt(LIST_SIZE) };
  const [list, total] = await Promise.all([
    callPath("AdminService/listEnabledAdmins", request, signal),
    callPath("AdminService/countAllEnabledAdmins", { keyword }, signal),
  ]);
  return { rows: list["admins"] as readonly Admin[], total: total["count"] as bigint };
}

function stateOf({ isOn, canLogin, hasWeakPassword }: Admin) {
  if (!isOn) return { kind: "idle", name: "off" } as const;
  if (!canLogin) return { kind: "idle", name: "noLogin" } as const;
  return hasWeakPassword ? { kind: "warn", name: "weak" } as const : { kind: "ok", name: "on" } as const;
}

function rightsOf({ isSuper, Modules }: Admin): string {
  if (isSuper) return texts.value.super;
  if (Modules.length === 0) return texts.value.noModules;
  return Modules.map(({ code }) => moduleName({ code, name: code })).join(", ");
}
