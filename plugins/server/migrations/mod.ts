import { serverList } from "../store.ts";
import * as createServers from "./0001_create_servers.ts";
import * as indexMoreNodes from "./0002_index_more_nodes.ts";
import * as dropHandWrittenLists from "./0004_drop_hand_written_lists.ts";
import * as forbidNames from "./0005_forbid_names.ts";
import * as proveNames from "./0006_prove_names.ts";
import * as createServerDepartures from "./0007_create_server_departures.ts";
import * as indexProxiesOfOwners from "./0008_index_proxies_of_owners.ts";
import * as reviewReferences from "./0009_review_references.ts";
import * as recordPorts from "./0010_record_ports.ts";
import * as indexMoreNodesOfUsers from "./0011_index_more_nodes_of_users.ts";

export const migrations = {
  "0001_create_servers": createServers,
  "0002_index_more_nodes": indexMoreNodes,
  "0003_list_servers": serverList.migration,
  "0004_drop_hand_written_lists": dropHandWrittenLists,
  "0005_forbid_names": forbidNames,
  "0006_prove_names": proveNames,
  "0007_create_server_departures": createServerDepartures,
  "0008_index_proxies_of_owners": indexProxiesOfOwners,
  "0009_review_references": reviewReferences,
  "0010_record_ports": recordPorts,
  "0011_index_more_nodes_of_users": indexMoreNodesOfUsers,
};
