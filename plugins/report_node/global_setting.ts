import { type Call, invalid, jsonBytes, jsonField } from "edgehelm";
import { type SealedSecrets, SECRET_MASK, webhookKey } from "edgehelm/auth";
import { type ReportNodeSetting, ReportNodeSettingSchema } from "./proto/shapes_pb.ts";
import { settingField } from "./rules.ts";
import type { ReportNodeStore } from "./store.ts";

/** The row of the setting, which has no other name. */
const ROW = "1";

/** A secret is stored in its own column. */
type StoredSetting = Omit<ReportNodeSetting, "notifyWebHookSecret">;

/** The stored setting, with defaults for the rest. */
interface FoundSetting {
  readonly setting: StoredSetting;
  /** The secret that signs web hooks; empty for none. */
  readonly secret: string;
  /** The number of notices that the web hook accepted. */
  readonly noticeCount: bigint;
}

/** The setting of all report nodes. Its secret is stored encrypted, and read back masked. */
export class GlobalSetting {
  readonly #nodes: ReportNodeStore;
  readonly #secrets: SealedSecrets;

  constructor(nodes: ReportNodeStore, secrets: SealedSecrets) {
    this.#nodes = nodes;
    this.#secrets = secrets;
  }

  async find(call: Call): Promise<FoundSetting> {
    const { settingJSON, sealedSecret = "", noticeCount = 0n } = await this.#nodes.setting.first(call, {}) ?? {};
    const setting = settingJSON && jsonField("settingJSON", settingJSON, ReportNodeSettingSchema);
    return {
      setting: setting ?? settingField("settingJSON", new TextEncoder().encode("{}"))!,
      secret: sealedSecret === "" ? "" : await this.#secrets.open(ROW, sealedSecret),
      noticeCount,
    };
  }

  /** Returns the setting as JSON, with a mask in the place of the secret. */
  async masked(call: Call): Promise<Uint8Array> {
    const { setting, secret } = await this.find(call);
    const shown = secret === "" ? {} : { notifyWebHookSecret: SECRET_MASK };
    return jsonBytes(ReportNodeSettingSchema, { ...setting, ...shown });
  }

  /** Replaces the setting in a transaction. Empty bytes change nothing. */
  async update(call: Call, settingJSON: Uint8Array): Promise<void> {
    const given = settingField("settingJSON", settingJSON);
    if (given === undefined) return;
    const { notifyWebHookSecret: secret, ...setting } = given;
    await this.#requireHost(call, setting.notifyWebHookURL);
    await call.transact(async (inner) => {
      const sealedSecret = await this.#sealed(inner, secret);
      const stored = { settingJSON: jsonBytes(ReportNodeSettingSchema, setting), sealedSecret };
      await this.#nodes.setSetting.run(inner, stored);
    });
  }

  /** Refuses a new web hook at an address that the installation does not allow. */
  async #requireHost(call: Call, url: string): Promise<void> {
    if (url === "" || url === (await this.find(call)).setting.notifyWebHookURL) return;
    await call.requireHost("settingJSON.notifyWebHookURL", new URL(url).hostname);
  }

  async #sealed(call: Call, secret: string | undefined): Promise<string> {
    if (secret === "") return "";
    const { sealedSecret = "" } = await this.#nodes.setting.first(call, {}) ?? {};
    if (secret === undefined || secret === SECRET_MASK) return sealedSecret;
    if (webhookKey(secret) === undefined) {
      throw invalid("settingJSON.notifyWebHookSecret", "must be whsec_ and 16 to 64 bytes in base64");
    }
    return await this.#secrets.seal(ROW, secret);
  }
}
