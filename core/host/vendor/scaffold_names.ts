/** The names that a new plugin is generated with. */
export interface ScaffoldNames {
  /** The name of the plugin, its folder and its proto package, in snake_case. */
  readonly plugin: string;
  /** The name of the service, in PascalCase with the suffix Service. */
  readonly service: string;
}
