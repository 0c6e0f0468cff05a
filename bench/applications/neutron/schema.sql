CREATE TABLE "address_associations" (
    "address" VARCHAR(64) NOT NULL,
    "address_group_id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("address", "address_group_id"),
    FOREIGN KEY ("address_group_id") REFERENCES "address_groups" ("id")
);

CREATE TABLE "address_groups" (
    "name" VARCHAR(255),
    "standard_attr_id" INTEGER NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("standard_attr_id"),
    FOREIGN KEY ("standard_attr_id") REFERENCES "standardattributes" ("id")
);

CREATE TABLE "address_scopes" (
    "name" VARCHAR(255) NOT NULL,
    "shared" BOOLEAN NOT NULL,
    "ip_version" INTEGER NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id")
);

CREATE TABLE "addressgrouprbacs" (
    "object_id" VARCHAR(36) NOT NULL,
    "target_project" VARCHAR(255) NOT NULL,
    "action" VARCHAR(255) NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("target_project", "object_id", "action"),
    FOREIGN KEY ("object_id") REFERENCES "address_groups" ("id")
);

CREATE TABLE "addressscoperbacs" (
    "object_id" VARCHAR(36) NOT NULL,
    "target_project" VARCHAR(255) NOT NULL,
    "action" VARCHAR(255) NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("target_project", "object_id", "action"),
    FOREIGN KEY ("object_id") REFERENCES "address_scopes" ("id")
);

CREATE TABLE "agents" (
    "agent_type" VARCHAR(255) NOT NULL,
    "binary" VARCHAR(255) NOT NULL,
    "topic" VARCHAR(255) NOT NULL,
    "host" VARCHAR(255) NOT NULL,
    "availability_zone" VARCHAR(255),
    "admin_state_up" BOOLEAN NOT NULL,
    "created_at" DATETIME NOT NULL,
    "started_at" DATETIME NOT NULL,
    "heartbeat_timestamp" DATETIME NOT NULL,
    "description" VARCHAR(255),
    "configurations" VARCHAR(4095) NOT NULL,
    "resource_versions" VARCHAR(8191),
    "load" INTEGER NOT NULL,
    "resources_synced" BOOLEAN,
    "id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("agent_type", "host")
);

CREATE TABLE "allowedaddresspairs" (
    "port_id" VARCHAR(36) NOT NULL,
    "mac_address" VARCHAR(32) NOT NULL,
    "ip_address" VARCHAR(64) NOT NULL,
    PRIMARY KEY ("port_id", "mac_address", "ip_address"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id")
);

CREATE TABLE "auto_allocated_topologies" (
    "network_id" VARCHAR(36) NOT NULL,
    "router_id" VARCHAR(36),
    "project_id" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("project_id"),
    FOREIGN KEY ("network_id") REFERENCES "networks" ("id"),
    FOREIGN KEY ("router_id") REFERENCES "routers" ("id")
);

CREATE TABLE "conntrack_helpers" (
    "router_id" VARCHAR(36) NOT NULL,
    "protocol" VARCHAR(40) NOT NULL,
    "port" INTEGER NOT NULL,
    "helper" VARCHAR(64) NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("router_id", "protocol", "port", "helper"),
    FOREIGN KEY ("router_id") REFERENCES "routers" ("id")
);

CREATE TABLE "default_security_group" (
    "security_group_id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("project_id"),
    FOREIGN KEY ("security_group_id") REFERENCES "securitygroups" ("id")
);

CREATE TABLE "dnsnameservers" (
    "address" VARCHAR(128) NOT NULL,
    "subnet_id" VARCHAR(36) NOT NULL,
    "order" INTEGER NOT NULL,
    PRIMARY KEY ("address", "subnet_id"),
    FOREIGN KEY ("subnet_id") REFERENCES "subnets" ("id")
);

CREATE TABLE "dvr_fip_gateway_port_network" (
    "network_id" VARCHAR(36) NOT NULL,
    "agent_id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("network_id", "agent_id"),
    FOREIGN KEY ("agent_id") REFERENCES "agents" ("id"),
    FOREIGN KEY ("network_id") REFERENCES "networks" ("id")
);

CREATE TABLE "dvr_host_macs" (
    "host" VARCHAR(255) NOT NULL,
    "mac_address" VARCHAR(32) NOT NULL,
    PRIMARY KEY ("host"),
    UNIQUE ("mac_address")
);

CREATE TABLE "evpn_advertised_ports" (
    "port_id" VARCHAR(36) NOT NULL,
    "network_id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("port_id"),
    FOREIGN KEY ("network_id") REFERENCES "evpn_networks" ("network_id"),
    FOREIGN KEY ("port_id", "network_id") REFERENCES "ports" ("id", "network_id")
);

CREATE TABLE "evpn_l3_instances" (
    "router_id" VARCHAR(36) NOT NULL,
    "mapping_id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("router_id"),
    UNIQUE ("mapping_id"),
    FOREIGN KEY ("mapping_id") REFERENCES "vni_vlan_mapping" ("id"),
    FOREIGN KEY ("router_id") REFERENCES "routers" ("id")
);

CREATE TABLE "evpn_networks" (
    "network_id" VARCHAR(36) NOT NULL,
    "router_id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("network_id"),
    FOREIGN KEY ("network_id") REFERENCES "networks" ("id"),
    FOREIGN KEY ("router_id") REFERENCES "evpn_l3_instances" ("router_id")
);

CREATE TABLE "externalnetworks" (
    "network_id" VARCHAR(36) NOT NULL,
    "is_default" BOOLEAN NOT NULL,
    PRIMARY KEY ("network_id"),
    FOREIGN KEY ("network_id") REFERENCES "networks" ("id")
);

CREATE TABLE "extradhcpopts" (
    "port_id" VARCHAR(36) NOT NULL,
    "opt_name" VARCHAR(64) NOT NULL,
    "opt_value" VARCHAR(255) NOT NULL,
    "ip_version" INTEGER NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("port_id", "opt_name", "ip_version"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id")
);

CREATE TABLE "flavors" (
    "name" VARCHAR(255),
    "description" VARCHAR(1024),
    "enabled" BOOLEAN NOT NULL,
    "service_type" VARCHAR(36),
    "id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "flavorserviceprofilebindings" (
    "flavor_id" VARCHAR(36) NOT NULL,
    "service_profile_id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("flavor_id", "service_profile_id"),
    FOREIGN KEY ("flavor_id") REFERENCES "flavors" ("id"),
    FOREIGN KEY ("service_profile_id") REFERENCES "serviceprofiles" ("id")
);

CREATE TABLE "floatingipdnses" (
    "floatingip_id" VARCHAR(36) NOT NULL,
    "dns_name" VARCHAR(255) NOT NULL,
    "dns_domain" VARCHAR(255) NOT NULL,
    "published_dns_name" VARCHAR(255) NOT NULL,
    "published_dns_domain" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("floatingip_id"),
    FOREIGN KEY ("floatingip_id") REFERENCES "floatingips" ("id")
);

CREATE TABLE "floatingips" (
    "floating_ip_address" VARCHAR(64) NOT NULL,
    "floating_network_id" VARCHAR(36) NOT NULL,
    "floating_port_id" VARCHAR(36) NOT NULL,
    "fixed_port_id" VARCHAR(36),
    "fixed_ip_address" VARCHAR(64),
    "router_id" VARCHAR(36),
    "last_known_router_id" VARCHAR(36),
    "status" VARCHAR(16),
    "standard_attr_id" INTEGER NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("floating_network_id", "fixed_port_id", "fixed_ip_address"),
    UNIQUE ("standard_attr_id"),
    FOREIGN KEY ("fixed_port_id") REFERENCES "ports" ("id"),
    FOREIGN KEY ("floating_port_id") REFERENCES "ports" ("id"),
    FOREIGN KEY ("router_id") REFERENCES "routers" ("id"),
    FOREIGN KEY ("standard_attr_id") REFERENCES "standardattributes" ("id")
);

CREATE TABLE "ha_router_agent_port_bindings" (
    "port_id" VARCHAR(36) NOT NULL,
    "router_id" VARCHAR(36) NOT NULL,
    "l3_agent_id" VARCHAR(36),
    "state" VARCHAR(7),
    PRIMARY KEY ("port_id"),
    UNIQUE ("router_id", "l3_agent_id"),
    FOREIGN KEY ("l3_agent_id") REFERENCES "agents" ("id"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id"),
    FOREIGN KEY ("router_id") REFERENCES "routers" ("id")
);

CREATE TABLE "ha_router_networks" (
    "network_id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("network_id", "project_id"),
    UNIQUE ("project_id"),
    FOREIGN KEY ("network_id") REFERENCES "networks" ("id")
);

CREATE TABLE "ha_router_vrid_allocations" (
    "network_id" VARCHAR(36) NOT NULL,
    "vr_id" INTEGER NOT NULL,
    PRIMARY KEY ("network_id", "vr_id"),
    FOREIGN KEY ("network_id") REFERENCES "networks" ("id")
);

CREATE TABLE "ipallocationpools" (
    "subnet_id" VARCHAR(36),
    "first_ip" VARCHAR(64) NOT NULL,
    "last_ip" VARCHAR(64) NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("subnet_id") REFERENCES "subnets" ("id")
);

CREATE TABLE "ipallocations" (
    "port_id" VARCHAR(36),
    "ip_address" VARCHAR(64) NOT NULL,
    "subnet_id" VARCHAR(36) NOT NULL,
    "network_id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("ip_address", "subnet_id", "network_id"),
    FOREIGN KEY ("network_id") REFERENCES "networks" ("id"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id"),
    FOREIGN KEY ("subnet_id") REFERENCES "subnets" ("id")
);

CREATE TABLE "ipamallocationpools" (
    "ipam_subnet_id" VARCHAR(36) NOT NULL,
    "first_ip" VARCHAR(64) NOT NULL,
    "last_ip" VARCHAR(64) NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("ipam_subnet_id") REFERENCES "ipamsubnets" ("id")
);

CREATE TABLE "ipamallocations" (
    "ip_address" VARCHAR(64) NOT NULL,
    "status" VARCHAR(36),
    "ipam_subnet_id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("ip_address", "ipam_subnet_id"),
    FOREIGN KEY ("ipam_subnet_id") REFERENCES "ipamsubnets" ("id")
);

CREATE TABLE "ipamsubnets" (
    "neutron_subnet_id" VARCHAR(36),
    "id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "local_ip_associations" (
    "local_ip_id" VARCHAR(36) NOT NULL,
    "fixed_port_id" VARCHAR(36) NOT NULL,
    "fixed_ip" VARCHAR(64) NOT NULL,
    PRIMARY KEY ("local_ip_id", "fixed_port_id"),
    FOREIGN KEY ("fixed_port_id") REFERENCES "ports" ("id"),
    FOREIGN KEY ("local_ip_id") REFERENCES "local_ips" ("id")
);

CREATE TABLE "local_ips" (
    "name" VARCHAR(255),
    "local_port_id" VARCHAR(36) NOT NULL,
    "network_id" VARCHAR(36) NOT NULL,
    "local_ip_address" VARCHAR(64) NOT NULL,
    "ip_mode" VARCHAR(32) NOT NULL,
    "standard_attr_id" INTEGER NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("standard_attr_id"),
    FOREIGN KEY ("local_port_id") REFERENCES "ports" ("id"),
    FOREIGN KEY ("standard_attr_id") REFERENCES "standardattributes" ("id")
);

CREATE TABLE "logs" (
    "name" VARCHAR(255),
    "resource_type" VARCHAR(36) NOT NULL,
    "resource_id" VARCHAR(36),
    "event" VARCHAR(255) NOT NULL,
    "target_id" VARCHAR(36),
    "enabled" BOOLEAN,
    "standard_attr_id" INTEGER NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("standard_attr_id"),
    FOREIGN KEY ("standard_attr_id") REFERENCES "standardattributes" ("id")
);

CREATE TABLE "meteringlabelrules" (
    "direction" VARCHAR(7),
    "remote_ip_prefix" VARCHAR(64),
    "source_ip_prefix" VARCHAR(64),
    "destination_ip_prefix" VARCHAR(64),
    "metering_label_id" VARCHAR(36) NOT NULL,
    "excluded" BOOLEAN,
    "id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("metering_label_id") REFERENCES "meteringlabels" ("id")
);

CREATE TABLE "meteringlabels" (
    "name" VARCHAR(255),
    "description" VARCHAR(1024),
    "shared" BOOLEAN,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id")
);

CREATE TABLE "ml2_distributed_port_bindings" (
    "port_id" VARCHAR(36) NOT NULL,
    "host" VARCHAR(255) NOT NULL,
    "router_id" VARCHAR(36),
    "vif_type" VARCHAR(64) NOT NULL,
    "vif_details" VARCHAR(4095) NOT NULL,
    "vnic_type" VARCHAR(64) NOT NULL,
    "profile" VARCHAR(4095) NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    PRIMARY KEY ("port_id", "host"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id")
);

CREATE TABLE "ml2_flat_allocations" (
    "physical_network" VARCHAR(64) NOT NULL,
    PRIMARY KEY ("physical_network")
);

CREATE TABLE "ml2_geneve_allocations" (
    "geneve_vni" INTEGER NOT NULL,
    "allocated" BOOLEAN NOT NULL,
    PRIMARY KEY ("geneve_vni")
);

CREATE TABLE "ml2_geneve_endpoints" (
    "ip_address" VARCHAR(64) NOT NULL,
    "host" VARCHAR(255),
    PRIMARY KEY ("ip_address"),
    UNIQUE ("host")
);

CREATE TABLE "ml2_gre_allocations" (
    "gre_id" INTEGER NOT NULL,
    "allocated" BOOLEAN NOT NULL,
    PRIMARY KEY ("gre_id")
);

CREATE TABLE "ml2_gre_endpoints" (
    "ip_address" VARCHAR(64) NOT NULL,
    "host" VARCHAR(255),
    PRIMARY KEY ("ip_address"),
    UNIQUE ("host")
);

CREATE TABLE "ml2_port_binding_levels" (
    "port_id" VARCHAR(36) NOT NULL,
    "host" VARCHAR(255) NOT NULL,
    "level" INTEGER NOT NULL,
    "driver" VARCHAR(64),
    "segment_id" VARCHAR(36),
    PRIMARY KEY ("port_id", "host", "level"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id"),
    FOREIGN KEY ("segment_id") REFERENCES "networksegments" ("id")
);

CREATE TABLE "ml2_port_bindings" (
    "port_id" VARCHAR(36) NOT NULL,
    "host" VARCHAR(255) NOT NULL,
    "vnic_type" VARCHAR(64) NOT NULL,
    "profile" VARCHAR(4095) NOT NULL,
    "vif_type" VARCHAR(64) NOT NULL,
    "vif_details" VARCHAR(4095) NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    PRIMARY KEY ("port_id", "host"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id")
);

CREATE TABLE "ml2_vlan_allocations" (
    "physical_network" VARCHAR(64) NOT NULL,
    "vlan_id" INTEGER NOT NULL,
    "allocated" BOOLEAN NOT NULL,
    PRIMARY KEY ("physical_network", "vlan_id")
);

CREATE TABLE "ml2_vxlan_allocations" (
    "vxlan_vni" INTEGER NOT NULL,
    "allocated" BOOLEAN NOT NULL,
    PRIMARY KEY ("vxlan_vni")
);

CREATE TABLE "ml2_vxlan_endpoints" (
    "ip_address" VARCHAR(64) NOT NULL,
    "udp_port" INTEGER NOT NULL,
    "host" VARCHAR(255),
    PRIMARY KEY ("ip_address"),
    UNIQUE ("host")
);

CREATE TABLE "ndp_proxies" (
    "name" VARCHAR(255),
    "router_id" VARCHAR(36) NOT NULL,
    "port_id" VARCHAR(36) NOT NULL,
    "ip_address" VARCHAR(64) NOT NULL,
    "standard_attr_id" INTEGER NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("router_id", "ip_address"),
    UNIQUE ("standard_attr_id"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id"),
    FOREIGN KEY ("router_id") REFERENCES "routers" ("id"),
    FOREIGN KEY ("standard_attr_id") REFERENCES "standardattributes" ("id")
);

CREATE TABLE "network_segment_ranges" (
    "name" VARCHAR(255),
    "default" BOOLEAN NOT NULL,
    "shared" BOOLEAN NOT NULL,
    "project_id" VARCHAR(255),
    "network_type" VARCHAR(6) NOT NULL,
    "physical_network" VARCHAR(64) NOT NULL,
    "minimum" INTEGER,
    "maximum" INTEGER,
    "standard_attr_id" INTEGER NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("default", "network_type", "physical_network", "minimum", "maximum"),
    UNIQUE ("standard_attr_id"),
    FOREIGN KEY ("standard_attr_id") REFERENCES "standardattributes" ("id")
);

CREATE TABLE "network_subnet_lock" (
    "network_id" VARCHAR(36) NOT NULL,
    "subnet_id" VARCHAR(36),
    PRIMARY KEY ("network_id"),
    FOREIGN KEY ("network_id") REFERENCES "networks" ("id")
);

CREATE TABLE "networkdhcpagentbindings" (
    "network_id" VARCHAR(36) NOT NULL,
    "dhcp_agent_id" VARCHAR(36) NOT NULL,
    "binding_index" INTEGER NOT NULL,
    PRIMARY KEY ("network_id", "dhcp_agent_id"),
    UNIQUE ("network_id", "binding_index"),
    FOREIGN KEY ("dhcp_agent_id") REFERENCES "agents" ("id"),
    FOREIGN KEY ("network_id") REFERENCES "networks" ("id")
);

CREATE TABLE "networkdnsdomains" (
    "network_id" VARCHAR(36) NOT NULL,
    "dns_domain" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("network_id"),
    FOREIGN KEY ("network_id") REFERENCES "networks" ("id")
);

CREATE TABLE "networkpvlan" (
    "network_id" VARCHAR(36) NOT NULL,
    "pvlan" BOOLEAN NOT NULL,
    PRIMARY KEY ("network_id"),
    FOREIGN KEY ("network_id") REFERENCES "networks" ("id")
);

CREATE TABLE "networkrbacs" (
    "object_id" VARCHAR(36) NOT NULL,
    "target_project" VARCHAR(255) NOT NULL,
    "action" VARCHAR(255) NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("target_project", "object_id", "action"),
    FOREIGN KEY ("object_id") REFERENCES "networks" ("id")
);

CREATE TABLE "networks" (
    "name" VARCHAR(255),
    "status" VARCHAR(16),
    "admin_state_up" BOOLEAN,
    "vlan_transparent" BOOLEAN,
    "qinq" BOOLEAN,
    "availability_zone_hints" VARCHAR(255),
    "mtu" INTEGER NOT NULL,
    "standard_attr_id" INTEGER NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("standard_attr_id"),
    FOREIGN KEY ("standard_attr_id") REFERENCES "standardattributes" ("id")
);

CREATE TABLE "networksecuritybindings" (
    "network_id" VARCHAR(36) NOT NULL,
    "port_security_enabled" BOOLEAN NOT NULL,
    PRIMARY KEY ("network_id"),
    FOREIGN KEY ("network_id") REFERENCES "networks" ("id")
);

CREATE TABLE "networksegments" (
    "network_id" VARCHAR(36) NOT NULL,
    "network_type" VARCHAR(32) NOT NULL,
    "physical_network" VARCHAR(64),
    "segmentation_id" INTEGER,
    "is_dynamic" BOOLEAN NOT NULL,
    "segment_index" INTEGER NOT NULL,
    "name" VARCHAR(255),
    "standard_attr_id" INTEGER NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("network_id", "network_type", "physical_network", "segment_index"),
    UNIQUE ("standard_attr_id"),
    FOREIGN KEY ("network_id") REFERENCES "networks" ("id"),
    FOREIGN KEY ("standard_attr_id") REFERENCES "standardattributes" ("id")
);

CREATE TABLE "ovn_hash_ring" (
    "node_uuid" VARCHAR(36) NOT NULL,
    "group_name" VARCHAR(256) NOT NULL,
    "hostname" VARCHAR(256) NOT NULL,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    PRIMARY KEY ("node_uuid", "group_name")
);

CREATE TABLE "ovn_revision_numbers" (
    "standard_attr_id" INTEGER,
    "resource_uuid" VARCHAR(36) NOT NULL,
    "resource_type" VARCHAR(36) NOT NULL,
    "revision_number" INTEGER NOT NULL,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME,
    PRIMARY KEY ("resource_uuid", "resource_type"),
    FOREIGN KEY ("standard_attr_id") REFERENCES "standardattributes" ("id")
);

CREATE TABLE "portdataplanestatuses" (
    "port_id" VARCHAR(36) NOT NULL,
    "data_plane_status" VARCHAR(16),
    PRIMARY KEY ("port_id"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id")
);

CREATE TABLE "portdeviceprofiles" (
    "port_id" VARCHAR(36) NOT NULL,
    "device_profile" VARCHAR(255),
    PRIMARY KEY ("port_id"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id")
);

CREATE TABLE "portdnses" (
    "port_id" VARCHAR(36) NOT NULL,
    "current_dns_name" VARCHAR(255) NOT NULL,
    "current_dns_domain" VARCHAR(255) NOT NULL,
    "previous_dns_name" VARCHAR(255) NOT NULL,
    "previous_dns_domain" VARCHAR(255) NOT NULL,
    "dns_name" VARCHAR(255) NOT NULL,
    "dns_domain" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("port_id"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id")
);

CREATE TABLE "portforwardings" (
    "floatingip_id" VARCHAR(36) NOT NULL,
    "internal_neutron_port_id" VARCHAR(36) NOT NULL,
    "protocol" VARCHAR(40) NOT NULL,
    "internal_ip_address" VARCHAR(64) NOT NULL,
    "internal_port_start" INTEGER NOT NULL,
    "external_port_start" INTEGER NOT NULL,
    "internal_port_end" INTEGER NOT NULL,
    "external_port_end" INTEGER NOT NULL,
    "standard_attr_id" INTEGER NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("floatingip_id", "protocol", "external_port_start", "external_port_end"),
    UNIQUE ("protocol", "internal_neutron_port_id", "internal_ip_address", "internal_port_start", "internal_port_end"),
    UNIQUE ("standard_attr_id"),
    FOREIGN KEY ("floatingip_id") REFERENCES "floatingips" ("id"),
    FOREIGN KEY ("internal_neutron_port_id") REFERENCES "ports" ("id"),
    FOREIGN KEY ("standard_attr_id") REFERENCES "standardattributes" ("id")
);

CREATE TABLE "porthardwareoffloadtype" (
    "port_id" VARCHAR(36) NOT NULL,
    "hardware_offload_type" VARCHAR(255),
    PRIMARY KEY ("port_id"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id")
);

CREATE TABLE "porthints" (
    "port_id" VARCHAR(36) NOT NULL,
    "hints" VARCHAR(4095) NOT NULL,
    PRIMARY KEY ("port_id"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id")
);

CREATE TABLE "portnumaaffinitypolicies" (
    "port_id" VARCHAR(36) NOT NULL,
    "numa_affinity_policy" VARCHAR(9),
    PRIMARY KEY ("port_id"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id")
);

CREATE TABLE "portpvlan" (
    "port_id" VARCHAR(36) NOT NULL,
    "pvlan_type" VARCHAR(11) NOT NULL,
    "pvlan_community" VARCHAR(255),
    PRIMARY KEY ("port_id"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id")
);

CREATE TABLE "ports" (
    "name" VARCHAR(255),
    "network_id" VARCHAR(36) NOT NULL,
    "mac_address" VARCHAR(32) NOT NULL,
    "admin_state_up" BOOLEAN NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "device_id" VARCHAR(255) NOT NULL,
    "device_owner" VARCHAR(255) NOT NULL,
    "ip_allocation" VARCHAR(16),
    "standard_attr_id" INTEGER NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("id", "network_id"),
    UNIQUE ("network_id", "mac_address"),
    UNIQUE ("standard_attr_id"),
    FOREIGN KEY ("network_id") REFERENCES "networks" ("id"),
    FOREIGN KEY ("standard_attr_id") REFERENCES "standardattributes" ("id")
);

CREATE TABLE "portsecuritybindings" (
    "port_id" VARCHAR(36) NOT NULL,
    "port_security_enabled" BOOLEAN NOT NULL,
    PRIMARY KEY ("port_id"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id")
);

CREATE TABLE "porttrusted" (
    "port_id" VARCHAR(36) NOT NULL,
    "trusted" BOOLEAN,
    PRIMARY KEY ("port_id"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id")
);

CREATE TABLE "portuplinkstatuspropagation" (
    "port_id" VARCHAR(36) NOT NULL,
    "propagate_uplink_status" BOOLEAN NOT NULL,
    PRIMARY KEY ("port_id"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id")
);

CREATE TABLE "providerresourceassociations" (
    "provider_name" VARCHAR(255) NOT NULL,
    "resource_id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("provider_name", "resource_id"),
    UNIQUE ("resource_id")
);

CREATE TABLE "provisioningblocks" (
    "standard_attr_id" INTEGER NOT NULL,
    "entity" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("standard_attr_id", "entity"),
    FOREIGN KEY ("standard_attr_id") REFERENCES "standardattributes" ("id")
);

CREATE TABLE "qos_bandwidth_limit_rules" (
    "qos_policy_id" VARCHAR(36) NOT NULL,
    "max_kbps" INTEGER,
    "max_burst_kbps" INTEGER,
    "direction" VARCHAR(7) NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("qos_policy_id", "direction"),
    FOREIGN KEY ("qos_policy_id") REFERENCES "qos_policies" ("id")
);

CREATE TABLE "qos_dscp_marking_rules" (
    "qos_policy_id" VARCHAR(36) NOT NULL,
    "dscp_mark" INTEGER,
    "id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("qos_policy_id"),
    FOREIGN KEY ("qos_policy_id") REFERENCES "qos_policies" ("id")
);

CREATE TABLE "qos_fip_policy_bindings" (
    "policy_id" VARCHAR(36) NOT NULL,
    "fip_id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("policy_id", "fip_id"),
    UNIQUE ("fip_id"),
    FOREIGN KEY ("fip_id") REFERENCES "floatingips" ("id"),
    FOREIGN KEY ("policy_id") REFERENCES "qos_policies" ("id")
);

CREATE TABLE "qos_minimum_bandwidth_rules" (
    "qos_policy_id" VARCHAR(36) NOT NULL,
    "min_kbps" INTEGER,
    "direction" VARCHAR(7) NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("qos_policy_id", "direction"),
    FOREIGN KEY ("qos_policy_id") REFERENCES "qos_policies" ("id")
);

CREATE TABLE "qos_minimum_packet_rate_rules" (
    "qos_policy_id" VARCHAR(36),
    "min_kpps" INTEGER NOT NULL,
    "direction" VARCHAR(7) NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("qos_policy_id", "direction"),
    FOREIGN KEY ("qos_policy_id") REFERENCES "qos_policies" ("id")
);

CREATE TABLE "qos_network_policy_bindings" (
    "policy_id" VARCHAR(36) NOT NULL,
    "network_id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("policy_id", "network_id"),
    UNIQUE ("network_id"),
    FOREIGN KEY ("network_id") REFERENCES "networks" ("id"),
    FOREIGN KEY ("policy_id") REFERENCES "qos_policies" ("id")
);

CREATE TABLE "qos_packet_rate_limit_rules" (
    "qos_policy_id" VARCHAR(36) NOT NULL,
    "max_kpps" INTEGER,
    "max_burst_kpps" INTEGER,
    "direction" VARCHAR(7) NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("qos_policy_id", "direction"),
    FOREIGN KEY ("qos_policy_id") REFERENCES "qos_policies" ("id")
);

CREATE TABLE "qos_policies" (
    "name" VARCHAR(255),
    "standard_attr_id" INTEGER NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("standard_attr_id"),
    FOREIGN KEY ("standard_attr_id") REFERENCES "standardattributes" ("id")
);

CREATE TABLE "qos_policies_default" (
    "qos_policy_id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("project_id"),
    FOREIGN KEY ("qos_policy_id") REFERENCES "qos_policies" ("id")
);

CREATE TABLE "qos_port_policy_bindings" (
    "policy_id" VARCHAR(36) NOT NULL,
    "port_id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("policy_id", "port_id"),
    UNIQUE ("port_id"),
    FOREIGN KEY ("policy_id") REFERENCES "qos_policies" ("id"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id")
);

CREATE TABLE "qos_router_gw_policy_bindings" (
    "policy_id" VARCHAR(36) NOT NULL,
    "router_id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("policy_id", "router_id"),
    UNIQUE ("router_id"),
    FOREIGN KEY ("policy_id") REFERENCES "qos_policies" ("id"),
    FOREIGN KEY ("router_id") REFERENCES "routers" ("id")
);

CREATE TABLE "qospolicyrbacs" (
    "object_id" VARCHAR(36) NOT NULL,
    "target_project" VARCHAR(255) NOT NULL,
    "action" VARCHAR(255) NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("target_project", "object_id", "action"),
    FOREIGN KEY ("object_id") REFERENCES "qos_policies" ("id")
);

CREATE TABLE "quotas" (
    "resource" VARCHAR(255),
    "limit" INTEGER,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("project_id", "resource")
);

CREATE TABLE "quotausages" (
    "resource" VARCHAR(255) NOT NULL,
    "dirty" BOOLEAN NOT NULL,
    "in_use" INTEGER NOT NULL,
    "reserved" INTEGER NOT NULL,
    "project_id" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("resource", "project_id")
);

CREATE TABLE "reservations" (
    "expiration" DATETIME,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id")
);

CREATE TABLE "resourcedeltas" (
    "resource" VARCHAR(255) NOT NULL,
    "reservation_id" VARCHAR(36) NOT NULL,
    "amount" INTEGER,
    PRIMARY KEY ("resource", "reservation_id"),
    FOREIGN KEY ("reservation_id") REFERENCES "reservations" ("id")
);

CREATE TABLE "router_extra_attributes" (
    "router_id" VARCHAR(36) NOT NULL,
    "distributed" BOOLEAN NOT NULL,
    "service_router" BOOLEAN NOT NULL,
    "ha" BOOLEAN NOT NULL,
    "ha_vr_id" INTEGER,
    "availability_zone_hints" VARCHAR(255),
    "enable_default_route_ecmp" BOOLEAN NOT NULL,
    "enable_default_route_bfd" BOOLEAN NOT NULL,
    PRIMARY KEY ("router_id"),
    FOREIGN KEY ("router_id") REFERENCES "routers" ("id")
);

CREATE TABLE "router_ndp_proxy_state" (
    "router_id" VARCHAR(36) NOT NULL,
    "enable_ndp_proxy" BOOLEAN NOT NULL,
    PRIMARY KEY ("router_id"),
    FOREIGN KEY ("router_id") REFERENCES "routers" ("id")
);

CREATE TABLE "routerl3agentbindings" (
    "router_id" VARCHAR(36) NOT NULL,
    "l3_agent_id" VARCHAR(36) NOT NULL,
    "binding_index" INTEGER NOT NULL,
    PRIMARY KEY ("router_id", "l3_agent_id"),
    UNIQUE ("router_id", "binding_index"),
    FOREIGN KEY ("l3_agent_id") REFERENCES "agents" ("id"),
    FOREIGN KEY ("router_id") REFERENCES "routers" ("id")
);

CREATE TABLE "routerports" (
    "router_id" VARCHAR(36) NOT NULL,
    "port_id" VARCHAR(36) NOT NULL,
    "port_type" VARCHAR(255),
    PRIMARY KEY ("router_id", "port_id"),
    UNIQUE ("port_id"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id"),
    FOREIGN KEY ("router_id") REFERENCES "routers" ("id")
);

CREATE TABLE "routerroutes" (
    "router_id" VARCHAR(36) NOT NULL,
    "destination" VARCHAR(64) NOT NULL,
    "nexthop" VARCHAR(64) NOT NULL,
    PRIMARY KEY ("router_id", "destination", "nexthop"),
    FOREIGN KEY ("router_id") REFERENCES "routers" ("id")
);

CREATE TABLE "routers" (
    "name" VARCHAR(255),
    "status" VARCHAR(16),
    "admin_state_up" BOOLEAN,
    "gw_port_id" VARCHAR(36),
    "flavor_id" VARCHAR(36),
    "enable_snat" BOOLEAN NOT NULL,
    "standard_attr_id" INTEGER NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("standard_attr_id"),
    FOREIGN KEY ("flavor_id") REFERENCES "flavors" ("id"),
    FOREIGN KEY ("gw_port_id") REFERENCES "ports" ("id"),
    FOREIGN KEY ("standard_attr_id") REFERENCES "standardattributes" ("id")
);

CREATE TABLE "security_groups_default_statefulness" (
    "project_id" VARCHAR(255),
    "stateful" BOOLEAN NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("project_id")
);

CREATE TABLE "securitygroupdefaultrules" (
    "direction" VARCHAR(7) NOT NULL,
    "ethertype" VARCHAR(40),
    "remote_group_id" VARCHAR(36),
    "protocol" VARCHAR(40),
    "port_range_min" INTEGER,
    "port_range_max" INTEGER,
    "remote_ip_prefix" VARCHAR(255),
    "remote_address_group_id" VARCHAR(36),
    "used_in_default_sg" BOOLEAN NOT NULL,
    "used_in_non_default_sg" BOOLEAN NOT NULL,
    "standard_attr_id" INTEGER NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("standard_attr_id"),
    FOREIGN KEY ("standard_attr_id") REFERENCES "standardattributes" ("id")
);

CREATE TABLE "securitygroupportbindings" (
    "port_id" VARCHAR(36) NOT NULL,
    "security_group_id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("port_id", "security_group_id"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id"),
    FOREIGN KEY ("security_group_id") REFERENCES "securitygroups" ("id")
);

CREATE TABLE "securitygrouprbacs" (
    "object_id" VARCHAR(36) NOT NULL,
    "target_project" VARCHAR(255) NOT NULL,
    "action" VARCHAR(255) NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("target_project", "object_id", "action"),
    FOREIGN KEY ("object_id") REFERENCES "securitygroups" ("id")
);

CREATE TABLE "securitygrouprules" (
    "security_group_id" VARCHAR(36) NOT NULL,
    "remote_group_id" VARCHAR(36),
    "remote_address_group_id" VARCHAR(36),
    "direction" VARCHAR(7),
    "ethertype" VARCHAR(40),
    "protocol" VARCHAR(40),
    "port_range_min" INTEGER,
    "port_range_max" INTEGER,
    "remote_ip_prefix" VARCHAR(255),
    "standard_attr_id" INTEGER NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("standard_attr_id"),
    FOREIGN KEY ("remote_address_group_id") REFERENCES "address_groups" ("id"),
    FOREIGN KEY ("remote_group_id") REFERENCES "securitygroups" ("id"),
    FOREIGN KEY ("security_group_id") REFERENCES "securitygroups" ("id"),
    FOREIGN KEY ("standard_attr_id") REFERENCES "standardattributes" ("id")
);

CREATE TABLE "securitygroups" (
    "name" VARCHAR(255),
    "stateful" BOOLEAN NOT NULL,
    "standard_attr_id" INTEGER NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("standard_attr_id"),
    FOREIGN KEY ("standard_attr_id") REFERENCES "standardattributes" ("id")
);

CREATE TABLE "segmenthostmappings" (
    "segment_id" VARCHAR(36) NOT NULL,
    "host" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("segment_id", "host"),
    FOREIGN KEY ("segment_id") REFERENCES "networksegments" ("id")
);

CREATE TABLE "serviceprofiles" (
    "description" VARCHAR(1024),
    "driver" VARCHAR(1024) NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "metainfo" VARCHAR(4096),
    "id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "standardattributes" (
    "id" INTEGER NOT NULL,
    "resource_type" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255),
    "revision_number" INTEGER NOT NULL,
    "created_at" DATETIME,
    "updated_at" DATETIME,
    PRIMARY KEY ("id")
);

CREATE TABLE "subnet_bgp_leak_routes" (
    "subnet_id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("subnet_id"),
    FOREIGN KEY ("subnet_id") REFERENCES "subnets" ("id")
);

CREATE TABLE "subnet_dns_publish_fixed_ips" (
    "subnet_id" VARCHAR(36) NOT NULL,
    "dns_publish_fixed_ip" BOOLEAN NOT NULL,
    PRIMARY KEY ("subnet_id"),
    FOREIGN KEY ("subnet_id") REFERENCES "subnets" ("id")
);

CREATE TABLE "subnet_service_types" (
    "subnet_id" VARCHAR(36) NOT NULL,
    "service_type" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("subnet_id", "service_type"),
    FOREIGN KEY ("subnet_id") REFERENCES "subnets" ("id")
);

CREATE TABLE "subnetpoolprefixes" (
    "cidr" VARCHAR(64) NOT NULL,
    "subnetpool_id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("cidr", "subnetpool_id"),
    FOREIGN KEY ("subnetpool_id") REFERENCES "subnetpools" ("id")
);

CREATE TABLE "subnetpoolrbacs" (
    "object_id" VARCHAR(36) NOT NULL,
    "target_project" VARCHAR(255) NOT NULL,
    "action" VARCHAR(255) NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("target_project", "object_id", "action"),
    FOREIGN KEY ("object_id") REFERENCES "subnetpools" ("id")
);

CREATE TABLE "subnetpools" (
    "name" VARCHAR(255),
    "ip_version" INTEGER NOT NULL,
    "default_prefixlen" INTEGER NOT NULL,
    "min_prefixlen" INTEGER NOT NULL,
    "max_prefixlen" INTEGER NOT NULL,
    "shared" BOOLEAN NOT NULL,
    "is_default" BOOLEAN NOT NULL,
    "default_quota" INTEGER,
    "hash" VARCHAR(36) NOT NULL,
    "address_scope_id" VARCHAR(36),
    "standard_attr_id" INTEGER NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("standard_attr_id"),
    FOREIGN KEY ("standard_attr_id") REFERENCES "standardattributes" ("id")
);

CREATE TABLE "subnetroutes" (
    "subnet_id" VARCHAR(36) NOT NULL,
    "destination" VARCHAR(64) NOT NULL,
    "nexthop" VARCHAR(64) NOT NULL,
    PRIMARY KEY ("subnet_id", "destination", "nexthop"),
    FOREIGN KEY ("subnet_id") REFERENCES "subnets" ("id")
);

CREATE TABLE "subnets" (
    "name" VARCHAR(255),
    "network_id" VARCHAR(36) NOT NULL,
    "segment_id" VARCHAR(36),
    "subnetpool_id" VARCHAR(36),
    "ip_version" INTEGER NOT NULL,
    "cidr" VARCHAR(64) NOT NULL,
    "gateway_ip" VARCHAR(64),
    "enable_dhcp" BOOLEAN,
    "ipv6_ra_mode" VARCHAR(16),
    "ipv6_address_mode" VARCHAR(16),
    "standard_attr_id" INTEGER NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("standard_attr_id"),
    FOREIGN KEY ("network_id") REFERENCES "networks" ("id"),
    FOREIGN KEY ("segment_id") REFERENCES "networksegments" ("id"),
    FOREIGN KEY ("standard_attr_id") REFERENCES "standardattributes" ("id")
);

CREATE TABLE "subports" (
    "port_id" VARCHAR(36) NOT NULL,
    "trunk_id" VARCHAR(36) NOT NULL,
    "segmentation_type" VARCHAR(32) NOT NULL,
    "segmentation_id" INTEGER NOT NULL,
    PRIMARY KEY ("port_id"),
    UNIQUE ("trunk_id", "segmentation_type", "segmentation_id"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id"),
    FOREIGN KEY ("trunk_id") REFERENCES "trunks" ("id")
);

CREATE TABLE "tags" (
    "standard_attr_id" INTEGER NOT NULL,
    "tag" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("standard_attr_id", "tag"),
    FOREIGN KEY ("standard_attr_id") REFERENCES "standardattributes" ("id")
);

CREATE TABLE "trunks" (
    "admin_state_up" BOOLEAN NOT NULL,
    "name" VARCHAR(255),
    "port_id" VARCHAR(36) NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "standard_attr_id" INTEGER NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    "project_id" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("port_id"),
    UNIQUE ("standard_attr_id"),
    FOREIGN KEY ("port_id") REFERENCES "ports" ("id"),
    FOREIGN KEY ("standard_attr_id") REFERENCES "standardattributes" ("id")
);

CREATE TABLE "vlan_allocations" (
    "vlan_id" INTEGER NOT NULL,
    "physnet" VARCHAR(64) NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("vlan_id", "physnet")
);

CREATE TABLE "vni_allocations" (
    "vni" INTEGER NOT NULL,
    "physnet" VARCHAR(64) NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("vni", "physnet")
);

CREATE TABLE "vni_vlan_mapping" (
    "vni_allocation_id" VARCHAR(36) NOT NULL,
    "vlan_allocation_id" VARCHAR(36) NOT NULL,
    "id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("vlan_allocation_id"),
    UNIQUE ("vni_allocation_id"),
    FOREIGN KEY ("vlan_allocation_id") REFERENCES "vlan_allocations" ("id"),
    FOREIGN KEY ("vni_allocation_id") REFERENCES "vni_allocations" ("id")
);
