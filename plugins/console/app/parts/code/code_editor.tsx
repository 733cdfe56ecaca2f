import type { JSX } from "preact";
import { Lazy } from "../lazy.tsx";
import type { CodeEditorProps } from "./code_mirror.tsx";

const load = () => import("./code_mirror.tsx");

/** An editor for code, which is loaded when it is shown. */
export function CodeEditor(props: CodeEditorProps): JSX.Element {
  return <Lazy load={load} props={props} />;
}
