// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/ACMETaskService/countAllEnabledACMETasks": ["kernel.invalid_field"],
  "/ACMETaskService/countAllEnabledACMETasksWithACMEUserId": ["acme_user.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/ACMETaskService/countEnabledACMETasksWithDNSProviderId": [],
  "/ACMETaskService/createACMETask": ["acme_task.not_found","acme_user.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared","ns_domain.name_not_found","plan.not_found","user.unknown"],
  "/ACMETaskService/deleteACMETask": ["acme_task.not_found","kernel.invalid_field","kernel.shared","ns_domain.name_not_found"],
  "/ACMETaskService/findACMETaskUser": ["acme_task.not_found","kernel.invalid_field"],
  "/ACMETaskService/findEnabledACMETask": ["acme_task.not_found","acme_user.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared","ssl_cert.not_found"],
  "/ACMETaskService/listACMETaskLogs": ["acme_task.not_found","kernel.invalid_field"],
  "/ACMETaskService/listEnabledACMETasks": ["acme_user.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared","ssl_cert.not_found"],
  "/ACMETaskService/revokeACMETaskCert": ["acme_provider_account.not_found","acme_task.not_found","acme_task.refused","acme_user.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared","ssl_cert.not_found"],
  "/ACMETaskService/runACMETask": ["acme_provider_account.not_found","acme_task.not_found","acme_task.taken_over","acme_user.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared","ns_domain.name_not_found","ns_domain.not_found","ns_node.not_found","ns_record.beside_cname","ns_record.beside_others","ns_record.duplicate","ns_record.second_soa","ns_record.too_many","ns_route.not_found","ns_route.unknown_code","plan.not_found","ssl_cert.key_mismatch","ssl_cert.not_found"],
  "/ACMETaskService/updateACMETask": ["acme_task.not_found","acme_user.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared","ns_domain.name_not_found","ssl_cert.not_found"],
};
