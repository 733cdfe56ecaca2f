import type { Area } from "../shell/area.ts";
import { business } from "./business/mod.ts";
import { customer } from "./customer/mod.ts";
import { delivery } from "./delivery/mod.ts";
import { dns } from "./dns/mod.ts";
import { platform } from "./platform/mod.ts";

/** The parts of the console that are made by hand. Services without one have lists and forms from their descriptors. */
export const AREAS: readonly Area[] = [dns, delivery, business, platform, customer];
