/** The names of a new plugin's parts. */
export interface ScaffoldNames {
  /** snake_case: the plugin, its folder and its proto package. */
  readonly plugin: string;
  /** PascalCase, ending in Service. */
  readonly service: string;
}
