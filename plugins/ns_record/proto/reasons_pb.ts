// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/NSRecordService/countAllNSRecords": ["kernel.invalid_field"],
  "/NSRecordService/countAllNSRecordsWithName": ["kernel.invalid_field"],
  "/NSRecordService/countNSRecordHealthStates": ["kernel.invalid_field"],
  "/NSRecordService/createNSRecord": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_domain.not_found","ns_record.beside_cname","ns_record.beside_others","ns_record.duplicate","ns_record.second_soa","ns_route.not_found","ns_route.unknown_code","plan.not_found"],
  "/NSRecordService/createNSRecords": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_domain.not_found","ns_record.beside_cname","ns_record.beside_others","ns_record.duplicate","ns_record.second_soa","ns_route.not_found","ns_route.unknown_code","plan.not_found"],
  "/NSRecordService/createNSRecordsWithDomainNames": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_domain.name_not_found","ns_record.beside_cname","ns_record.beside_others","ns_record.duplicate","ns_record.second_soa","ns_record.too_many","ns_route.not_found","ns_route.unknown_code","plan.not_found"],
  "/NSRecordService/deleteNSRecord": ["kernel.invalid_field","ns_node.not_found","ns_record.not_found"],
  "/NSRecordService/deleteNSRecordsWithDomainNames": ["kernel.invalid_field","ns_domain.name_not_found","ns_record.too_many"],
  "/NSRecordService/findNSRecord": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_node.not_found","ns_route.not_found"],
  "/NSRecordService/findNSRecordHealthCheck": ["kernel.invalid_field","ns_node.not_found"],
  "/NSRecordService/findNSRecordWithNameAndType": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_route.not_found"],
  "/NSRecordService/findNSRecordsWithNameAndType": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_route.not_found"],
  "/NSRecordService/importNSRecords": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_domain.name_not_found","ns_record.beside_cname","ns_record.beside_others","ns_record.duplicate","ns_record.second_soa","ns_record.too_many","ns_route.not_found","ns_route.unknown_code","plan.not_found"],
  "/NSRecordService/listNSRecordHealthStates": ["kernel.invalid_field"],
  "/NSRecordService/listNSRecords": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_route.not_found"],
  "/NSRecordService/listNSRecordsAfterVersion": ["kernel.invalid_field","ns_node.not_found"],
  "/NSRecordService/updateNSRecord": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_node.not_found","ns_record.beside_cname","ns_record.beside_others","ns_record.duplicate","ns_record.not_found","ns_record.second_soa","ns_route.not_found","ns_route.unknown_code"],
  "/NSRecordService/updateNSRecordHealthCheck": ["kernel.invalid_field","ns_node.not_found","ns_record.not_found"],
  "/NSRecordService/updateNSRecordIsUp": ["kernel.invalid_field","ns_node.not_found","ns_record.not_checked","ns_record.not_found"],
  "/NSRecordService/updateNSRecordsIsOnWithDomainNames": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_domain.name_not_found","ns_record.beside_cname","ns_record.beside_others","ns_record.duplicate","ns_record.second_soa","ns_record.too_many","ns_route.not_found","ns_route.unknown_code"],
  "/NSRecordService/updateNSRecordsWithDomainNames": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_domain.name_not_found","ns_record.beside_cname","ns_record.beside_others","ns_record.duplicate","ns_record.second_soa","ns_record.too_many","ns_route.not_found","ns_route.unknown_code"],
};
