import { type Call, choiceField, type Handlers, idField, ownerOf, textField } from "edgehelm";
import { idOrNoneField, usernameField } from "edgehelm/fields";
import type { UserService } from "../proto/service_user_pb.ts";
import type { Deps } from "./deps.ts";

type UserOperations =
  | "createUser"
  | "registerUser"
  | "verifyUser"
  | "updateUser"
  | "updateUserInfo"
  | "deleteUser";

/** The operations that create, change and delete users. */
export function userHandlers(
  deps: Deps,
): Pick<Handlers<typeof UserService>, UserOperations> {
  const { changes, directory, states, passwords, clusters } = deps;

  async function requireCluster(call: Call, nodeClusterId: bigint): Promise<void> {
    if (nodeClusterId !== 0n) await clusters?.requireCluster(call, "nodeClusterId", nodeClusterId);
  }

  return {
    async createUser(request, call) {
      const user = {
        ...identityFields(request),
        ...contactFields(request),
        tel: textField("tel", request.tel),
        remark: textField("remark", request.remark, { max: 1000 }),
        source: textField("source", request.source),
        registeredIP: "",
        nodeClusterId: idOrNoneField("nodeClusterId", request.nodeClusterId),
        isVerified: true,
      };
      const password = await passwords.hash(call, "password", request.password);
      return await call.transact(async (inner) => {
        await requireCluster(inner, user.nodeClusterId);
        return { userId: await directory.insert(inner, { ...user, password }) };
      });
    },

    async registerUser(request, call) {
      const user = {
        ...identityFields(request),
        ...contactFields(request),
        tel: "",
        remark: "",
        source: textField("source", request.source),
        registeredIP: textField("ip", request.ip, { max: 45 }),
        nodeClusterId: 0n,
        isVerified: false,
      };
      const password = await passwords.hash(call, "password", request.password);
      return { userId: await call.transact((inner) => directory.insert(inner, { ...user, password })) };
    },

    async verifyUser({ userId, isRejected, rejectReason }, call) {
      const { id } = await directory.require(call, idField("userId", userId));
      const reason = isRejected ? textField("rejectReason", rejectReason, { max: 1000 }) : "";
      await changes.setVerified.run(call, { id, isVerified: !isRejected, isRejected, rejectReason: reason });
      await states.derive(call, [id]);
      return {};
    },

    async updateUser(request, call) {
      const { username, fullname } = identityFields(request);
      const fields = {
        ...contactFields(request),
        fullname,
        tel: textField("tel", request.tel),
        remark: textField("remark", request.remark, { max: 1000 }),
        isOn: request.isOn,
        nodeClusterId: idOrNoneField("nodeClusterId", request.nodeClusterId),
        bandwidthAlgo: choiceField("bandwidthAlgo", request.bandwidthAlgo, ["", "secondly", "avg"]),
      };
      const password = await directory.hash(call, request.password);
      await call.transact(async (inner) => {
        const user = await directory.require(inner, idField("userId", request.userId));
        if (fields.nodeClusterId !== user.nodeClusterId) await requireCluster(inner, fields.nodeClusterId);
        await directory.changeLogin(inner, user, username, password);
        await changes.update.run(inner, { id: user.id, ...fields });
        if (fields.isOn) await directory.liftLock(inner, username);
        await states.derive(inner, [user.id]);
      });
      return {};
    },

    async updateUserInfo(request, call) {
      const { id } = await directory.require(call, ownerOf(call, request.userId));
      const fullname = textField("fullname", request.fullname);
      await changes.setInfo.run(call, { id, fullname, ...contactFields(request) });
      return {};
    },

    async deleteUser({ userId }, call) {
      const { id } = await directory.require(call, idField("userId", userId));
      await changes.remove.run(call, { id });
      await changes.beginRemoval.run(call, { id });
      await states.derive(call, [id]);
      return {};
    },
  };
}

function identityFields({ username, fullname }: { username: string; fullname: string }) {
  return { username: usernameField("username", username), fullname: textField("fullname", fullname) };
}

function contactFields({ mobile, email }: { mobile: string; email: string }) {
  return { mobile: textField("mobile", mobile, { max: 32 }), email: textField("email", email, { max: 254 }) };
}
