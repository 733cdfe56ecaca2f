import { join } from "node:path";
import { isInstalled } from "../load/programs.ts";
import { type Peer, startPeer } from "./peer_process.ts";

export function hasEtcd(): boolean {
  return isInstalled("etcd");
}

/** One etcd member, which syncs its log for every batch of writes, with its HTTP JSON gateway. */
export function startEtcd(): Promise<Peer> {
  return startPeer("etcd", (directory, [client, peer]) => {
    const [clientUrl, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
    const settings = {
      "name": "bench",
      "data-dir": join(directory, "etcd"),
      "listen-client-urls": clientUrl,
      "advertise-client-urls": clientUrl,
      "listen-peer-urls": peerUrl,
      "initial-advertise-peer-urls": peerUrl,
      "initial-cluster": `bench=${peerUrl}`,
      "logger": "zap",
      "log-level": "error",
    };
    return Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  });
}
