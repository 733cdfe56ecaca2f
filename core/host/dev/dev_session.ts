import { relative } from "node:path";
import process from "node:process";
import type { Environment } from "../settings/environment.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import type { DevServer } from "./dev_server.ts";
import { FileChanges } from "./file_changes.ts";
import { isOfTests } from "./file_snapshot.ts";
import type { ModuleVersions } from "./module_versions.ts";
import { watchedFiles } from "./plugin_folders.ts";
import { protoNotes } from "./proto_notes.ts";
import { Reloader, reloadErrorText } from "./reloader.ts";

/** Reloads a server whenever its files change, and tells the developer what came of it. */
export class DevSession {
  /** Rejects if the server cannot run at all. */
  readonly failed: Promise<never>;
  readonly #environment: Environment;
  readonly #server: DevServer;
  readonly #modules: ModuleVersions;
  readonly #reloader: Reloader;
  readonly #changes: FileChanges;
  readonly #fail: (error: unknown) => void;
  readonly #first: Settings;
  #settings: Settings;
  #isListening = false;

  constructor(environment: Environment, settings: Settings, server: DevServer, modules: ModuleVersions) {
    this.#environment = environment;
    this.#first = this.#settings = settings;
    this.#server = server;
    this.#modules = modules;
    const { promise, reject } = Promise.withResolvers<never>();
    this.failed = promise;
    this.#fail = reject;
    this.#changes = new FileChanges((paths) => this.#changed(paths));
    this.#reloader = new Reloader({
      reload: (paths) => this.#reload(paths),
      reloaded: (paths, milliseconds) => this.#reloaded(paths, milliseconds),
      failed: (error) => this.#notReloaded(error),
    });
  }

  /** Starts the server. If its plugins are broken, it starts when they are mended. */
  begin(): void {
    // the files as they are before they are imported
    this.#watch();
    this.#reloader.changed([]);
  }

  /** Ends after the reload that runs. */
  async end(): Promise<void> {
    this.#changes.close();
    await this.#reloader.end();
  }

  #watch(): void {
    this.#changes.watch(watchedFiles(this.#settings, this.#modules.paths));
  }

  #changed(paths: readonly string[]): void {
    for (const note of protoNotes(paths)) console.log(note);
    const imported = new Set(this.#modules.paths);
    const concerned = paths.filter((path) => imported.has(path) || !path.endsWith(".proto") && !isOfTests(path));
    if (concerned.length > 0) this.#reloader.changed(concerned);
  }

  async #reload(paths: readonly string[]): Promise<void> {
    this.#settings = await readSettings(this.#environment);
    this.#modules.renew(paths, watchedFiles(this.#settings, []).roots);
    await this.#server.serve(this.#settings);
  }

  #reloaded(paths: readonly string[], milliseconds: number): void {
    if (!this.#isListening) this.#announce();
    else console.log(`reloaded in ${Math.round(milliseconds)} ms: ${namesOf(paths)}`);
    if (fixedPart(this.#settings) !== fixedPart(this.#first)) {
      console.log("changes of ports, TLS and the database take effect at the next start");
    }
    this.#watch();
  }

  #notReloaded(error: unknown): void {
    if (!this.#isListening && this.#server.hasBooted) return this.#fail(error);
    const consequence = this.#isListening ? "not reloaded, the previous plugins keep serving" : "waiting for a change";
    console.error(`${consequence}:\n${reloadErrorText(error)}`);
    this.#watch();
  }

  #announce(): void {
    this.#isListening = true;
    const [http, grpc] = this.#server.addresses;
    for (const notice of this.#server.notices) console.log(notice);
    console.log(`http: listening on ${http}`);
    console.log(`grpc: listening on ${grpc}`);
  }
}

function namesOf(paths: readonly string[]): string {
  const names = paths.map((path) => relative(process.cwd(), path));
  const shown = names.slice(0, 3).join(", ");
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

/** Returns the settings that cannot change while the process runs. */
function fixedPart({ http, grpc, metrics, database, dataDirectory }: Settings): string {
  return JSON.stringify({ http, grpc, metrics, database, dataDirectory });
}
