import type { JSX } from "preact";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { State } from "../../../parts/state.tsx";
import { linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { CREATE, listMethods, type Method } from "./method.ts";
import { MethodPage } from "./method_page.tsx";
import { texts } from "./texts.ts";

/** The ways in which users can pay, or the form of one. */
export default function MethodsPage({ steps: [step] }: { readonly steps: readonly string[] }): JSX.Element {
  if (step === "new") return <MethodPage key={step} id={undefined} />;
  if (step !== undefined && /^\d+$/.test(step)) return <MethodPage key={step} id={BigInt(step)} />;
  return <MethodList />;
}

function MethodList(): JSX.Element {
  const methods = useLoaded((signal) => listMethods(signal), []);
  const { value: text } = texts;
  return (
    <>
      <div class="head">
        <h1>{text.title}</h1>
        <span class="sp" />
        {mayCall(CREATE) && <a class="btn primary" href={linkTo(["payment-methods", "new"])}>{text.add}</a>}
      </div>
      <p class="sub">{text.help}</p>
      <div class="panel">
        {methods.error !== undefined && <Failure error={methods.error} onRetry={methods.reload} />}
        {methods.value === undefined && methods.error === undefined && <Skeleton rows={4} />}
        {methods.value?.length === 0 && <p class="empty">{text.none}</p>}
        {methods.value !== undefined && methods.value.length > 0 && <MethodTable methods={methods.value} />}
      </div>
    </>
  );
}

function MethodTable({ methods }: { methods: readonly Method[] }): JSX.Element {
  const { value: text } = texts;
  return (
    <div class="scroll">
      <table class="list">
        <thead>
          <tr>
            <th>{text.fields.name}</th>
            <th>{text.fields.code}</th>
            <th>{text.state}</th>
            <th>{text.arrival}</th>
            <th>{text.fields.description}</th>
          </tr>
        </thead>
        <tbody>
          {methods.map(({ id, name, code, isOn, parentCode, description }) => (
            <tr key={id}>
              <td>
                <a class="link main" href={linkTo(["payment-methods", id])}>{name}</a>
              </td>
              <td class="mono">{code}</td>
              <td>
                <State kind={isOn ? "ok" : "idle"} text={isOn ? text.offered : text.notOffered} />
              </td>
              <td>{parentCode === "" ? text.byHand : text.byProvider}</td>
              <td class="dim wrapped">{description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
