import { Command, CommanderError, Option } from "commander";
import type { ApiDocument, ApiOperation } from "./api_document.ts";
import { UsageError } from "./exit_codes.ts";
import { type Field, fieldOf, readRequest, readValue } from "./field_values.ts";
import { FORMATS } from "./output.ts";

/** The call that a command line asks for, and how its response is printed. */
export interface RequestedCall {
  readonly request: Record<string, unknown>;
  readonly output: string;
  /** True if all pages of a list are wanted. */
  readonly isWhole: boolean;
}

/**
 * Reads the flags of an operation.
 *
 * @param args the arguments after the names of service and method
 * @returns undefined if the help was printed
 * @throws UsageError that names the flag
 */
export async function readCall(
  document: ApiDocument,
  operation: ApiOperation,
  args: readonly string[],
): Promise<RequestedCall | undefined> {
  const fields = Object.entries(operation.fields).map(([name, schema]) => fieldOf(document, name, schema));
  const command = commandOf(operation, fields);
  try {
    command.parse(args.map((argument) => spelledAs(fields, argument)), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    throw new UsageError(error.message.replace(/^error: /, ""));
  }
  const flags = command.opts<Record<string, unknown>>();
  const { [REQUEST]: whole, [OUTPUT]: output, [ALL]: isWhole } = flags;
  const request = whole === undefined ? {} : await readRequest(String(whole));
  for (const field of fields) {
    const given = flags[`field.${field.name}`];
    if (given !== undefined) request[field.name] = await valueOf(field, given as string | readonly string[]);
  }
  return { request, output: String(output), isWhole: isWhole === true };
}

/** The names under which flags that are no fields are kept, which no field can have. */
const REQUEST = "flag.request";
const OUTPUT = "flag.output";
const ALL = "flag.all";

function commandOf({ service, method, description }: ApiOperation, fields: readonly Field[]): Command {
  const command = new Command(`edgehelm ${service} ${method}`)
    .description(description)
    .usage("[flags]")
    .allowExcessArguments(false)
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureOutput({ outputError: () => {} });
  for (const field of fields) command.addOption(flagOf(field));
  command.addOption(new KeptOption("-r, --request <json>", "the whole request; flags replace its fields", REQUEST));
  command.addOption(new KeptOption("-o, --output <format>", FORMATS.join(", "), OUTPUT).default("table"));
  if (isList(fields)) command.addOption(new KeptOption("-a, --all", "all pages, not only the first", ALL));
  return command.addHelpText("after", "\nA value @path is read from a file, @- from the standard input.");
}

/** A flag whose value is kept under a name of its own. A field takes the long form of a flag with the same name. */
class KeptOption extends Option {
  readonly #name: string;

  constructor(flags: string, description: string, name: string) {
    super(flags, description);
    this.#name = name;
  }

  override attributeName(): string {
    return this.#name;
  }
}

function flagOf(field: Field): Option {
  const { name, kind, isList, choices, members } = field;
  const value = choices.length > 0 ? choices.join("|") : kind;
  const notes = [field.description, members.length > 0 ? `JSON with: ${members.join(", ")}` : ""];
  const flags = kind === "boolean" ? `--${name} [true|false]` : `--${name} <${value}>${isList ? " ..." : ""}`;
  const option = new KeptOption(
    flags.replace(" ...", ""),
    [isList ? "(may be repeated)" : "", ...notes].filter(Boolean).join(" "),
    `field.${name}`,
  );
  return isList ? option.argParser<string[]>((text, earlier = []) => [...earlier, text]) : option;
}

function isList(fields: readonly Field[]): boolean {
  return ["offset", "size"].every((name) => fields.some((field) => field.name === name));
}

async function valueOf(field: Field, given: string | boolean | readonly string[]): Promise<unknown> {
  if (typeof given === "boolean") return given;
  if (typeof given === "string") return await readValue(field, given);
  return await Promise.all(given.map((text) => readValue(field, text)));
}

/** Returns a flag as the field spells it: `--ns-cluster-id=1` becomes `--nsClusterId=1`. */
function spelledAs(fields: readonly Field[], argument: string): string {
  const match = /^--([\w-]+)(=[^]*)?$/.exec(argument);
  if (match === null) return argument;
  const [, name = "", value = ""] = match;
  const field = fields.find((known) => known.name.toLowerCase() === name.replaceAll("-", "").toLowerCase());
  return field === undefined ? argument : `--${field.name}${value}`;
}
