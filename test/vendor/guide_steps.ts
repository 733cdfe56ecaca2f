import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A step of a guide: a file that the reader writes, or commands and the output that the guide shows for them. */
export type GuideStep =
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  | { readonly kind: "commands"; readonly commands: string; readonly output: string | undefined };

const STEPS = /^File `([^`]+)`:\n\n```\w+\n([^]*?)^```$|^```sh\n([^]*?)^```$(?:\n\n^```text\n([^]*?)^```$)?/gm;

/** Returns the steps of a guide in their order. */
export function guideSteps(name: string): GuideStep[] {
  const guide = readFileSync(fileURLToPath(new URL(`../../core/guides/${name}`, import.meta.url)), "utf8");
  return [...guide.matchAll(STEPS)].map(([, path, text, commands, output]) =>
    path !== undefined ? { kind: "file", path, text: text! } : { kind: "commands", commands: commands!, output }
  );
}

/** Marks in the output of {@link scriptOf} where a step ends. */
export const END_OF_STEP = "---- end of a step ----";

/** Returns one script for the shell of the reader, which does the steps and stops at the first that fails. */
export function scriptOf(steps: readonly GuideStep[]): string {
  const parts = steps.map((step) => {
    const doing = step.kind === "commands"
      ? step.commands
      : `mkdir -p "$(dirname '${step.path}')"\ncat > '${step.path}' <<'END_OF_FILE'\n${step.text}END_OF_FILE\n`;
    return `${doing}\necho; echo "${END_OF_STEP}"`;
  });
  // job control, as in a shell in which one types
  return `set -em\n${parts.join("\n")}\n`;
}
