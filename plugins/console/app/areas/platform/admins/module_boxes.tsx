import type { JSX } from "preact";
import type { Module } from "./admin.ts";
import { moduleName } from "./module_name.ts";
import { texts } from "./texts.ts";

interface ModuleBoxesProps {
  readonly modules: readonly Module[];
  /** The codes of the modules that the admin has. */
  readonly chosen: readonly string[];
  readonly onChange: (codes: readonly string[]) => void;
}

/** The modules as check boxes. Those that no plugin declares any more are shown, so that they can be taken away. */
export function ModuleBoxes({ modules, chosen, onChange }: ModuleBoxesProps): JSX.Element {
  const former = chosen.filter((code) => !modules.some((module) => module.code === code));
  const all = [...modules, ...former.map((code) => ({ code, name: code }))];
  return (
    <fieldset class="modules">
      <legend>{texts.value.modulesTitle}</legend>
      {all.map((module) => (
        <label key={module.code} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(module.code)}
            onChange={(event) =>
              onChange(
                event.currentTarget.checked ? [...chosen, module.code] : chosen.filter((code) => code !== module.code),
              )}
          />{" "}
          {moduleName(module)}
        </label>
      ))}
    </fieldset>
  );
}
