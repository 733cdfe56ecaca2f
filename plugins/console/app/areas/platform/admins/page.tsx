import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { State } from "../../../parts/state.tsx";
import { callPath } from "../../../shell/call.ts";
import { linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { count, texts as shared } from "../../../texts/mod.ts";
import { type Admin, CREATE } from "./admin.ts";
import { AdminPage } from "./admin_page.tsx";
import { moduleName } from "./module_name.ts";
import { texts } from "./texts.ts";

const SIZE = 20;

/** The operators of the installation, or the form of one. */
export default function AdminsPage({ steps: [step] }: { readonly steps: readonly string[] }): JSX.Element {
  if (step === "new") return <AdminPage key={step} id={undefined} />;
  if (step !== undefined && /^\d+$/.test(step)) return <AdminPage key={step} id={BigInt(step)} />;
  return <AdminList />;
}

function AdminList(): JSX.Element {
  const [keyword, setKeyword] = useState("");
  const [offset, setOffset] = useState(0);
  const page = useLoaded(async (signal) => {
    const request = { keyword, offset: BigInt(offset), size: BigInt(SIZE) };
    const [list, total] = await Promise.all([
      callPath("AdminService/listEnabledAdmins", request, signal),
      callPath("AdminService/countAllEnabledAdmins", { keyword }, signal),
    ]);
    return { admins: list["admins"] as readonly Admin[], total: Number(total["count"]) };
  }, [keyword, offset]);
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
        {page.error !== undefined && <Failure error={page.error} onRetry={page.reload} />}
        {page.value === undefined && page.error === undefined && <Skeleton rows={6} />}
        {page.value?.admins.length === 0 && <p class="empty">{text.none}</p>}
        {page.value !== undefined && page.value.admins.length > 0 && (
          <>
            <AdminTable admins={page.value.admins} />
            <div class="pager">
              <span class="dim" role="status">
                {`${count(offset + 1)}–${count(offset + page.value.admins.length)} ${shared.value.of} ${
                  count(page.value.total)
                }`}
              </span>
              <span class="sp" />
              <button type="button" class="btn" disabled={offset === 0} onClick={() => setOffset(offset - SIZE)}>
                {shared.value.previous}
              </button>
              <button
                type="button"
                class="btn"
                disabled={offset + SIZE >= page.value.total}
                onClick={() => setOffset(offset + SIZE)}
              >
                {shared.value.next}
              </button>
            </div>
          </>
        )}
      </div>
    </>
  );
}

function AdminTable({ admins }: { admins: readonly Admin[] }): JSX.Element {
  const { value: text } = texts;
  return (
    <div class="scroll">
      <table class="list">
        <thead>
          <tr>
            <th>{text.username}</th>
            <th>{text.fullname}</th>
            <th>{text.state}</th>
            <th>{text.rights}</th>
            <th>{text.factor}</th>
          </tr>
        </thead>
        <tbody>
          {admins.map((admin) => (
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
          ))}
        </tbody>
      </table>
    </div>
  );
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
