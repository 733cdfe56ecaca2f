import { choiceField, type Handlers, idField, listField, ownerOf, textField } from "edgehelm";
import type { UserFeatureDefinition } from "../contract.ts";
import { errors } from "../errors.ts";
import { featuresOf } from "../messages.ts";
import type { UserService } from "../proto/service_user_pb.ts";
import type { Deps } from "./deps.ts";

const BATCH_SIZE = 500;

type SettingsOperations =
  | "updateUserFeatures"
  | "updateAllUsersFeatures"
  | "findUserFeatures"
  | "findAllUserFeatureDefinitions"
  | "findUserPriceInfo"
  | "updateUserPriceType"
  | "updateUserPricePeriod"
  | "checkUserServersState"
  | "renewUserServersState";

/** The operations on features, pricing settings and the state of sites. */
export function settingsHandlers(
  deps: Deps,
): Pick<Handlers<typeof UserService>, SettingsOperations> {
  const { users, changes, directory, states, features } = deps;

  return {
    async updateUserFeatures({ userId, featureCodes }, call) {
      const codes = codesField(featureCodes, features());
      const { id } = await directory.require(call, idField("userId", userId));
      await changes.setFeatures.run(call, { id, featureCodes: JSON.stringify(codes) });
      return {};
    },

    async updateAllUsersFeatures({ featureCodes, overwrite }, call) {
      const codes = codesField(featureCodes, features());
      for (let after = 0n;;) {
        const last = await call.transact(async (inner) => {
          const batch = await users.idsAfter.all(inner, { after, limit: BATCH_SIZE });
          for (const { id, featureCodes } of batch) {
            const current: string[] = overwrite ? [] : JSON.parse(featureCodes);
            const merged = JSON.stringify([...new Set([...current, ...codes])]);
            await changes.setFeatures.defer(inner, { id, featureCodes: merged });
          }
          return batch.at(-1)?.id;
        });
        if (last === undefined) return {};
        after = last;
      }
    },

    async findUserFeatures({ userId }, call) {
      const user = await directory.require(call, ownerOf(call, userId));
      return { features: featuresOf(user, features()) };
    },

    findAllUserFeatureDefinitions: () => ({ features: [...features()] }),

    async findUserPriceInfo({ userId }, call) {
      const { priceType, pricePeriod } = await directory.require(call, ownerOf(call, userId));
      return { priceType, pricePeriod };
    },

    async updateUserPriceType({ userId, priceType }, call) {
      const { id } = await directory.require(call, idField("userId", userId));
      const value = choiceField("priceType", priceType, ["", "traffic", "bandwidth"]);
      await changes.setPriceType.run(call, { id, priceType: value });
      return {};
    },

    async updateUserPricePeriod({ userId, pricePeriod }, call) {
      const { id } = await directory.require(call, idField("userId", userId));
      const value = choiceField("pricePeriod", pricePeriod, ["", "daily", "monthly"]);
      await changes.setPricePeriod.run(call, { id, pricePeriod: value });
      return {};
    },

    async checkUserServersState({ userId }, call) {
      const user = await directory.require(call, ownerOf(call, userId));
      return { isEnabled: states.allows(user.userState, "serve_sites") };
    },

    async renewUserServersState({ userId }, call) {
      const { id } = await directory.require(call, ownerOf(call, userId));
      await states.derive(call, [id]);
      return { isEnabled: (await states.allowed(call, [id], "serve_sites")).has(id) };
    },
  };
}

function codesField(codes: readonly string[], known: readonly UserFeatureDefinition[]): string[] {
  const checked = listField("featureCodes", codes, (field, code) => textField(field, code, { min: 1 }));
  for (const code of checked) {
    if (known.every((feature) => feature.code !== code)) {
      throw errors.feature_unknown(code, known.map((feature) => feature.code).join(", "));
    }
  }
  return [...new Set(checked)];
}
