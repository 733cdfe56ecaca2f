import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Failure } from "../parts/failure.tsx";
import { callPath } from "../shell/call.ts";
import { type PluginPage, pluginPages } from "../shell/plugin_pages.ts";
import { theme } from "../shell/theme.ts";
import { language } from "../texts/mod.ts";
import { NotFound } from "../parts/not_found.tsx";

type CleanUp = (() => void) | undefined;
type Show = (element: HTMLElement, page: object) => CleanUp | Promise<CleanUp>;

/** A page of a plugin: its module fills an element. */
export default function PluginPageFrame({ steps }: { steps: readonly string[] }): JSX.Element {
  const page = pluginPages.value.find(({ key }) => key === steps[0]);
  return page === undefined ? <NotFound /> : <Shown key={page.key} page={page} steps={steps.slice(1)} />;
}

function Shown({ page, steps }: { page: PluginPage; steps: readonly string[] }): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const left = new AbortController();
    show(host.current!, page, steps, left.signal).catch((caught) => left.signal.aborted || setError(caught));
    return () => left.abort();
  }, [page.module, steps.join("/"), language.value, theme.value]);
  return (
    <>
      {error !== undefined && <Failure error={error} />}
      <div ref={host} />
    </>
  );
}

async function show(host: HTMLElement, page: PluginPage, steps: readonly string[], left: AbortSignal): Promise<void> {
  const { default: fill } = await import(page.module) as { readonly default: Show };
  if (left.aborted) return;
  const element = document.createElement("div");
  host.replaceChildren(element);
  const about = { call: callPath, steps, language: language.value, theme: theme.value };
  const cleanUp = await fill(element, about);
  if (left.aborted) cleanUp?.();
  else left.addEventListener("abort", () => cleanUp?.(), { once: true });
}
