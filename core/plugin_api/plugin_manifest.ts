/** The contents of plugin.json: the facts about a plugin that are needed before its code runs. */
export interface PluginManifest {
  /** The name in snake_case; also the name of the folder, the contract id and the suffix of the migration table. */
  readonly name: string;
  readonly version: string;
  /** A sentence about what it is for, which people see who look at the plugins of an installation. */
  readonly description?: string;
  /** The semantic version range of supported kernels, such as `^1`. */
  readonly kernel: string;
  /** The short names of its services. They are HTTP paths, so they must be unique in an installation. */
  readonly services: readonly string[];
  /** The tables that it owns. No other plugin can access them. */
  readonly tables: readonly string[];
  /** The modules that its methods list. Several plugins may share a module; one of them names it. */
  readonly modules?: readonly { readonly code: string; readonly name?: string }[];
  /**
   * The semantic version ranges of the plugins whose contracts it uses, by name, such as `{"ns_domain": "^1.2"}`. An
   * installation with another version does not start.
   */
  readonly requires?: Readonly<Record<string, string>>;
  /**
   * The ids of the extension points to which it contributes, such as `kernel.commands` or `plan.uses`. An installation
   * does not start if it contributes to others.
   */
  readonly contributes?: readonly string[];
  /**
   * The HTTP paths of its pages and receivers, such as `/explorer`; `/explorer/*` stands for all paths below. An
   * installation does not start if it serves others.
   */
  readonly routes?: readonly string[];
  /**
   * The maximum number of rows, from 1 to 10000, of those of its tables that stay small, such as `{"helloSettings": 1}`.
   * Transactions may visit such a table as a whole. A start logs a warning if a table has more rows.
   */
  readonly smallTables?: Readonly<Record<string, number>>;
  /** The path of its host module relative to plugin.json, such as `host.ts`; see `hostPart`. */
  readonly host?: string;
}
