import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, linter } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

export interface CodeEditorProps {
  /** The accessible name. */
  readonly label: string;
  readonly language: "json" | "text";
  readonly value: string;
  readonly onInput: (value: string) => void;
}

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: tags.string, color: "var(--ok)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--warn)" },
]);

const LOOK = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--panel)", border: "1px solid var(--edge)", borderRadius: "6px" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-content": { font: "13px/20px var(--mono)", caretColor: "var(--ink)", minHeight: "60px" },
  ".cm-scroller": { maxHeight: "420px" },
  ".cm-gutters": { color: "var(--faint)", backgroundColor: "var(--sunken)", borderRight: "1px solid var(--line)" },
  ".cm-tooltip": { color: "var(--ink)", backgroundColor: "var(--panel)", border: "1px solid var(--line)" },
  ".cm-selectionBackground, &.cm-focused .cm-selectionBackground": { backgroundColor: "var(--tint) !important" },
});

const jsonProblems = jsonParseLinter();

/** An empty text is no JSON, and no mistake. */
function problems(view: EditorView): Diagnostic[] {
  return view.state.doc.toString().trim() === "" ? [] : jsonProblems(view);
}

/**
 * The editor. It lives in a shadow root, where its styles are constructed sheets: the content security policy forbids
 * style elements.
 */
export default function CodeMirror({ label, language, value, onInput }: CodeEditorProps): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const listener = useRef(onInput);
  listener.current = onInput;
  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: "open" });
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: value,
        extensions: [
          lineNumbers(),
          history(),
          indentOnInput(),
          bracketMatching(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.contentAttributes.of({ "aria-label": label }),
          EditorView.lineWrapping,
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) listener.current(state.doc.toString());
          }),
          syntaxHighlighting(COLOURS),
          LOOK,
          ...language === "json" ? [json(), linter(problems)] : [],
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);
  useEffect(() => {
    const state = view.current?.state;
    if (state === undefined || state.doc.toString() === value) return;
    view.current!.dispatch({ changes: { from: 0, to: state.doc.length, insert: value } });
  }, [value]);
  return <div ref={host} class="code-editor" />;
}
