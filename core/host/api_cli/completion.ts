import type { ApiDocument } from "./api_document.ts";
import { UsageError } from "./exit_codes.ts";

/** The name of the hidden command that shells ask for candidates. */
export const COMPLETE = "__complete";

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_edgehelm() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(edgehelm ${COMPLETE} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _edgehelm edgehelm`,
  zsh: `#compdef edgehelm
_edgehelm() {
  local -a candidates
  candidates=("\${(@f)$(edgehelm ${COMPLETE} "\${words[@]:1:$((CURRENT - 1))}" 2>/dev/null)}")
  compadd -a candidates
}
compdef _edgehelm edgehelm`,
  fish: `complete -c edgehelm -f -a '(edgehelm ${COMPLETE} (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
};

/**
 * Returns the script that a shell loads.
 *
 * @throws UsageError if the shell is not known
 */
export function completionScript(shell = ""): string {
  const script = SCRIPTS[shell];
  if (script === undefined) throw new UsageError(`completion: must be bash, zsh or fish, got "${shell}"`);
  return script;
}

/**
 * Returns the candidates for the last of the words.
 *
 * @param document the operations of the current profile; undefined if they are not known yet
 */
export function candidates(
  words: readonly string[],
  commands: readonly string[],
  document: ApiDocument | undefined,
): string[] {
  const last = words.at(-1) ?? "";
  return candidatesAt(words, commands, document).filter((candidate) => candidate.startsWith(last));
}

function candidatesAt(
  words: readonly string[],
  commands: readonly string[],
  document: ApiDocument | undefined,
): readonly string[] {
  const [service = "", method = ""] = words;
  if (words.length <= 1) return [...commands, ...document?.services.keys() ?? []];
  if (words.length === 2) return document?.services.get(document.service(service) ?? "") ?? [];
  const { fields = {} } = document?.operation(service, method) ?? {};
  return [...Object.keys(fields).map((name) => `--${name}`), "--request", "--output", "--help"];
}
