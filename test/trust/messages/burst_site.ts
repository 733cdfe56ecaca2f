import { join } from "node:path";
import { readDatabase } from "../../harness/read_database.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, type Server } from "../../harness/server.ts";
import { type SmtpServer, startSmtp } from "../../servers/smtp.ts";
import { JumpingServer } from "../clock/jumping_server.ts";
import { HookReceiver } from "./hook_receiver.ts";

const PLUGINS = [
  "admin",
  "api_access_token",
  "installation",
  "message_media",
  "message_media_instance",
  "message_task",
  "user_access_key",
];
/** Longer than messages under way are waited for. */
const JUMP_MILLISECONDS = 301_000;
/** Each message of a burst is a message of its own, and there is no limit to speak of. */
const UNLIMITED = { hashLife: -1, rateJSON: base64({ minutes: 1, count: 1_000_000 }) };

/** An installation that sends messages to receivers of the test, by web hook and by mail. */
export class BurstSite implements AsyncDisposable {
  readonly hooks: HookReceiver;
  readonly mails: SmtpServer;
  readonly #environment: Record<string, string>;
  readonly #jumping: JumpingServer;
  readonly #subjects: string[] = [];
  hookInstanceId = 0;
  mailInstanceId = 0;

  private constructor(hooks: HookReceiver, mails: SmtpServer, environment: Record<string, string>) {
    this.hooks = hooks;
    this.mails = mails;
    this.#environment = environment;
    this.#jumping = new JumpingServer(environment, JUMP_MILLISECONDS);
  }

  static async open(): Promise<BurstSite> {
    const settings = { outbound: { allow: ["127.0.0.0/8"] } };
    const environment = { ...await installationDirectory(PLUGINS, settings), ...CHOSEN_KEY };
    const site = new BurstSite(await HookReceiver.start(), await startSmtp("plain"), environment);
    await site.#jumping.start();
    const { url, secret } = site.hooks;
    site.hookInstanceId = await site.#instance("webHook", { url, secret });
    const smtp = { smtp: `127.0.0.1:${site.mails.port}`, from: "alerts@edge.test", encryption: "none" };
    site.mailInstanceId = await site.#instance("email", smtp);
    return site;
  }

  async #instance(mediaType: string, params: object): Promise<number> {
    const request = { name: mediaType, mediaType, paramsJSON: base64(params), ...UNLIMITED };
    const path = "MessageMediaInstanceService/createMessageMediaInstance";
    return (await this.call(path, request)).messageMediaInstanceId;
  }

  get server(): Server {
    return this.#jumping.current;
  }

  /** Waits for the end of a server that was killed, and starts another one at a later time. */
  restart(): Promise<void> {
    return this.#jumping.restart();
  }

  /** Calls an operation as the first admin, and returns its response. */
  // deno-lint-ignore no-explicit-any -- the shape of the response depends on the operation
  async call(path: string, request: unknown, headers: Readonly<Record<string, string>> = {}): Promise<any> {
    const token = await this.server.adminToken();
    const { code, message, data } = await this.server.postWith(token, `/${path}`, request, headers);
    if (code !== 200) throw new Error(message);
    return data;
  }

  /** Returns how many mails with a subject arrived. */
  mailsAbout(subject: string): number {
    return this.subjects.filter((one) => one === subject).length;
  }

  /** The subjects of the mails that arrived, in order. */
  get subjects(): readonly string[] {
    const { mails } = this.mails;
    for (let at = this.#subjects.length; at < mails.length; at++) {
      this.#subjects.push(/^Subject: (.*?)\r?$/m.exec(mails[at]!.content)?.[1] ?? "");
    }
    return this.#subjects;
  }

  /** Queries the database of the installation, whether or not its server runs. */
  query(sql: string): ReturnType<typeof readDatabase> {
    return readDatabase(join(this.#environment["EDGEHELM_DATA"]!, "edgehelm.db"), sql);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#jumping.kill();
    await this.hooks[Symbol.asyncDispose]();
    await this.mails[Symbol.asyncDispose]();
    await removeInstallation(this.#environment);
  }
}

function base64(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64");
}
