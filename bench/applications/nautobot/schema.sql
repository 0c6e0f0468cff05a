CREATE TABLE "auth_group" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(150) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "auth_group_permissions" (
    "id" BIGINT NOT NULL,
    "group_id" INTEGER NOT NULL,
    "permission_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("group_id", "permission_id"),
    FOREIGN KEY ("group_id") REFERENCES "auth_group" ("id"),
    FOREIGN KEY ("permission_id") REFERENCES "auth_permission" ("id")
);

CREATE TABLE "auth_permission" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    "codename" VARCHAR(100) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("content_type_id", "codename"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id")
);

CREATE TABLE "auth_user" (
    "password" VARCHAR(128) NOT NULL,
    "last_login" DATETIME,
    "is_superuser" BOOLEAN NOT NULL,
    "username" VARCHAR(150) NOT NULL,
    "first_name" VARCHAR(150) NOT NULL,
    "last_name" VARCHAR(150) NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "is_staff" BOOLEAN NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    "date_joined" DATETIME NOT NULL,
    "id" CHAR(32) NOT NULL,
    "config_data" JSON NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("username")
);

CREATE TABLE "auth_user_groups" (
    "id" BIGINT NOT NULL,
    "user_id" CHAR(32) NOT NULL,
    "group_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "group_id"),
    FOREIGN KEY ("group_id") REFERENCES "auth_group" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "auth_user_user_permissions" (
    "id" BIGINT NOT NULL,
    "user_id" CHAR(32) NOT NULL,
    "permission_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "permission_id"),
    FOREIGN KEY ("permission_id") REFERENCES "auth_permission" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "circuits_circuit" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "cid" VARCHAR(255) NOT NULL,
    "install_date" DATE,
    "commit_rate" INTEGER,
    "description" VARCHAR(255) NOT NULL,
    "comments" TEXT NOT NULL,
    "provider_id" CHAR(32) NOT NULL,
    "status_id" CHAR(32) NOT NULL,
    "tenant_id" CHAR(32),
    "circuit_type_id" CHAR(32) NOT NULL,
    "circuit_termination_a_id" CHAR(32),
    "circuit_termination_z_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("provider_id", "cid"),
    FOREIGN KEY ("circuit_termination_a_id") REFERENCES "circuits_circuittermination" ("id"),
    FOREIGN KEY ("circuit_termination_z_id") REFERENCES "circuits_circuittermination" ("id"),
    FOREIGN KEY ("circuit_type_id") REFERENCES "circuits_circuittype" ("id"),
    FOREIGN KEY ("provider_id") REFERENCES "circuits_provider" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "circuits_circuittermination" (
    "id" CHAR(32) NOT NULL,
    "term_side" VARCHAR(1) NOT NULL,
    "port_speed" INTEGER,
    "upstream_speed" INTEGER,
    "xconnect_id" VARCHAR(255) NOT NULL,
    "pp_info" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "circuit_id" CHAR(32) NOT NULL,
    "provider_network_id" CHAR(32),
    "_custom_field_data" JSON NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "location_id" CHAR(32),
    "cloud_network_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("circuit_id", "term_side"),
    FOREIGN KEY ("circuit_id") REFERENCES "circuits_circuit" ("id"),
    FOREIGN KEY ("cloud_network_id") REFERENCES "cloud_cloudnetwork" ("id"),
    FOREIGN KEY ("location_id") REFERENCES "dcim_location" ("id"),
    FOREIGN KEY ("provider_network_id") REFERENCES "circuits_providernetwork" ("id")
);

CREATE TABLE "circuits_circuittype" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "circuits_provider" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "asn" BIGINT,
    "account" VARCHAR(255) NOT NULL,
    "portal_url" VARCHAR(200) NOT NULL,
    "noc_contact" TEXT NOT NULL,
    "admin_contact" TEXT NOT NULL,
    "comments" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "circuits_providernetwork" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "comments" TEXT NOT NULL,
    "provider_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("provider_id", "name"),
    FOREIGN KEY ("provider_id") REFERENCES "circuits_provider" ("id")
);

CREATE TABLE "cloud_cloudaccount" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "account_number" VARCHAR(255) NOT NULL,
    "provider_id" CHAR(32) NOT NULL,
    "secrets_group_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("provider_id") REFERENCES "dcim_manufacturer" ("id"),
    FOREIGN KEY ("secrets_group_id") REFERENCES "extras_secretsgroup" ("id")
);

CREATE TABLE "cloud_cloudnetwork" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "extra_config" JSON,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "cloud_account_id" CHAR(32) NOT NULL,
    "cloud_resource_type_id" CHAR(32) NOT NULL,
    "parent_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("cloud_account_id") REFERENCES "cloud_cloudaccount" ("id"),
    FOREIGN KEY ("cloud_resource_type_id") REFERENCES "cloud_cloudresourcetype" ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "cloud_cloudnetwork" ("id")
);

CREATE TABLE "cloud_cloudnetworkprefixassignment" (
    "id" CHAR(32) NOT NULL,
    "cloud_network_id" CHAR(32) NOT NULL,
    "prefix_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("cloud_network_id", "prefix_id"),
    FOREIGN KEY ("cloud_network_id") REFERENCES "cloud_cloudnetwork" ("id"),
    FOREIGN KEY ("prefix_id") REFERENCES "ipam_prefix" ("id")
);

CREATE TABLE "cloud_cloudresourcetype" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "config_schema" JSON,
    "provider_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("provider_id") REFERENCES "dcim_manufacturer" ("id")
);

CREATE TABLE "cloud_cloudresourcetype_content_types" (
    "id" BIGINT NOT NULL,
    "cloudresourcetype_id" CHAR(32) NOT NULL,
    "contenttype_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("cloudresourcetype_id", "contenttype_id"),
    FOREIGN KEY ("cloudresourcetype_id") REFERENCES "cloud_cloudresourcetype" ("id"),
    FOREIGN KEY ("contenttype_id") REFERENCES "django_content_type" ("id")
);

CREATE TABLE "cloud_cloudservice" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "extra_config" JSON,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "cloud_account_id" CHAR(32),
    "cloud_resource_type_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("cloud_account_id") REFERENCES "cloud_cloudaccount" ("id"),
    FOREIGN KEY ("cloud_resource_type_id") REFERENCES "cloud_cloudresourcetype" ("id")
);

CREATE TABLE "cloud_cloudservicenetworkassignment" (
    "id" CHAR(32) NOT NULL,
    "cloud_network_id" CHAR(32) NOT NULL,
    "cloud_service_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("cloud_network_id", "cloud_service_id"),
    FOREIGN KEY ("cloud_network_id") REFERENCES "cloud_cloudnetwork" ("id"),
    FOREIGN KEY ("cloud_service_id") REFERENCES "cloud_cloudservice" ("id")
);

CREATE TABLE "constance_constance" (
    "id" INTEGER NOT NULL,
    "key" VARCHAR(255) NOT NULL,
    "value" TEXT,
    PRIMARY KEY ("id"),
    UNIQUE ("key")
);

CREATE TABLE "data_validation_datacompliance" (
    "id" CHAR(32) NOT NULL,
    "compliance_class_name" VARCHAR(255) NOT NULL,
    "last_validation_date" DATETIME NOT NULL,
    "object_id" CHAR(32) NOT NULL,
    "validated_object_str" VARCHAR(255) NOT NULL,
    "validated_attribute" VARCHAR(255) NOT NULL,
    "validated_attribute_value" VARCHAR(255) NOT NULL,
    "valid" BOOLEAN NOT NULL,
    "message" TEXT NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("compliance_class_name", "content_type_id", "object_id", "validated_attribute"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id")
);

CREATE TABLE "data_validation_minmaxrule" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "field" VARCHAR(255) NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "error_message" VARCHAR(255) NOT NULL,
    "min" DOUBLE,
    "max" DOUBLE,
    "content_type_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("content_type_id", "field"),
    UNIQUE ("name"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id")
);

CREATE TABLE "data_validation_regexrule" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "field" VARCHAR(255) NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "error_message" VARCHAR(255) NOT NULL,
    "regular_expression" TEXT NOT NULL,
    "context_processing" BOOLEAN NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("content_type_id", "field"),
    UNIQUE ("name"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id")
);

CREATE TABLE "data_validation_requiredrule" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "field" VARCHAR(255) NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "error_message" VARCHAR(255) NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("content_type_id", "field"),
    UNIQUE ("name"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id")
);

CREATE TABLE "data_validation_uniquerule" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "field" VARCHAR(255) NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "error_message" VARCHAR(255) NOT NULL,
    "max_instances" INTEGER NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("content_type_id", "field"),
    UNIQUE ("name"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id")
);

CREATE TABLE "dcim_cable" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "type" VARCHAR(50) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "color" VARCHAR(6) NOT NULL,
    "length" SMALLINT,
    "length_unit" VARCHAR(50) NOT NULL,
    "_abs_length" NUMERIC(13, 4),
    "status_id" CHAR(32) NOT NULL,
    "cable_type_id" CHAR(32),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("cable_type_id") REFERENCES "dcim_cabletype" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id")
);

CREATE TABLE "dcim_cablepath" (
    "id" CHAR(32) NOT NULL,
    "origin_id" CHAR(32) NOT NULL,
    "destination_id" CHAR(32),
    "path" JSON NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    "is_split" BOOLEAN NOT NULL,
    "destination_type_id" INTEGER,
    "origin_type_id" INTEGER NOT NULL,
    "peer_connector" SMALLINT NOT NULL,
    "destination_fans_out" BOOLEAN NOT NULL,
    "origin_fans_out" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("origin_type_id", "origin_id", "peer_connector"),
    FOREIGN KEY ("destination_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("origin_type_id") REFERENCES "django_content_type" ("id")
);

CREATE TABLE "dcim_cabletocabletermination" (
    "id" CHAR(32) NOT NULL,
    "cable_end" VARCHAR(1) NOT NULL,
    "connector" SMALLINT NOT NULL,
    "cable_id" CHAR(32) NOT NULL,
    "circuit_termination_id" CHAR(32),
    "console_port_id" CHAR(32),
    "console_server_port_id" CHAR(32),
    "front_port_id" CHAR(32),
    "interface_id" CHAR(32),
    "power_feed_id" CHAR(32),
    "power_outlet_id" CHAR(32),
    "power_port_id" CHAR(32),
    "rear_port_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("cable_id", "cable_end", "connector"),
    UNIQUE ("circuit_termination_id"),
    UNIQUE ("console_port_id"),
    UNIQUE ("console_server_port_id"),
    UNIQUE ("front_port_id"),
    UNIQUE ("interface_id"),
    UNIQUE ("power_feed_id"),
    UNIQUE ("power_outlet_id"),
    UNIQUE ("power_port_id"),
    UNIQUE ("rear_port_id"),
    FOREIGN KEY ("cable_id") REFERENCES "dcim_cable" ("id"),
    FOREIGN KEY ("circuit_termination_id") REFERENCES "circuits_circuittermination" ("id"),
    FOREIGN KEY ("console_port_id") REFERENCES "dcim_consoleport" ("id"),
    FOREIGN KEY ("console_server_port_id") REFERENCES "dcim_consoleserverport" ("id"),
    FOREIGN KEY ("front_port_id") REFERENCES "dcim_frontport" ("id"),
    FOREIGN KEY ("interface_id") REFERENCES "dcim_interface" ("id"),
    FOREIGN KEY ("power_feed_id") REFERENCES "dcim_powerfeed" ("id"),
    FOREIGN KEY ("power_outlet_id") REFERENCES "dcim_poweroutlet" ("id"),
    FOREIGN KEY ("power_port_id") REFERENCES "dcim_powerport" ("id"),
    FOREIGN KEY ("rear_port_id") REFERENCES "dcim_rearport" ("id")
);

CREATE TABLE "dcim_cabletype" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "manufacturer_id" CHAR(32),
    "part_number" VARCHAR(255) NOT NULL,
    "has_embedded_transceivers" BOOLEAN NOT NULL,
    "a_connectors" SMALLINT NOT NULL,
    "b_connectors" SMALLINT NOT NULL,
    "total_lanes" SMALLINT NOT NULL,
    "mapping" JSON NOT NULL,
    "is_shuffle" BOOLEAN NOT NULL,
    "strands_per_lane" SMALLINT NOT NULL,
    "polarity_method" VARCHAR(50) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("manufacturer_id") REFERENCES "dcim_manufacturer" ("id")
);

CREATE TABLE "dcim_consoleport" (
    "id" CHAR(32) NOT NULL,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "_name" VARCHAR(255) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "type" VARCHAR(50) NOT NULL,
    "device_id" CHAR(32),
    "created" DATETIME,
    "last_updated" DATETIME,
    "module_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("module_id", "name"),
    FOREIGN KEY ("device_id") REFERENCES "dcim_device" ("id"),
    FOREIGN KEY ("module_id") REFERENCES "dcim_module" ("id")
);

CREATE TABLE "dcim_consoleporttemplate" (
    "id" CHAR(32) NOT NULL,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "_name" VARCHAR(255) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "type" VARCHAR(50) NOT NULL,
    "device_type_id" CHAR(32),
    "created" DATETIME,
    "last_updated" DATETIME,
    "module_type_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("device_type_id", "name"),
    UNIQUE ("module_type_id", "name"),
    FOREIGN KEY ("device_type_id") REFERENCES "dcim_devicetype" ("id"),
    FOREIGN KEY ("module_type_id") REFERENCES "dcim_moduletype" ("id")
);

CREATE TABLE "dcim_consoleserverport" (
    "id" CHAR(32) NOT NULL,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "_name" VARCHAR(255) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "type" VARCHAR(50) NOT NULL,
    "device_id" CHAR(32),
    "created" DATETIME,
    "last_updated" DATETIME,
    "module_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("module_id", "name"),
    FOREIGN KEY ("device_id") REFERENCES "dcim_device" ("id"),
    FOREIGN KEY ("module_id") REFERENCES "dcim_module" ("id")
);

CREATE TABLE "dcim_consoleserverporttemplate" (
    "id" CHAR(32) NOT NULL,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "_name" VARCHAR(255) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "type" VARCHAR(50) NOT NULL,
    "device_type_id" CHAR(32),
    "created" DATETIME,
    "last_updated" DATETIME,
    "module_type_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("device_type_id", "name"),
    UNIQUE ("module_type_id", "name"),
    FOREIGN KEY ("device_type_id") REFERENCES "dcim_devicetype" ("id"),
    FOREIGN KEY ("module_type_id") REFERENCES "dcim_moduletype" ("id")
);

CREATE TABLE "dcim_controller" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "controller_device_id" CHAR(32),
    "controller_device_redundancy_group_id" CHAR(32),
    "external_integration_id" CHAR(32),
    "location_id" CHAR(32) NOT NULL,
    "platform_id" CHAR(32),
    "role_id" CHAR(32),
    "status_id" CHAR(32) NOT NULL,
    "tenant_id" CHAR(32),
    "capabilities" JSON,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("controller_device_id") REFERENCES "dcim_device" ("id"),
    FOREIGN KEY ("controller_device_redundancy_group_id") REFERENCES "dcim_deviceredundancygroup" ("id"),
    FOREIGN KEY ("external_integration_id") REFERENCES "extras_externalintegration" ("id"),
    FOREIGN KEY ("location_id") REFERENCES "dcim_location" ("id"),
    FOREIGN KEY ("platform_id") REFERENCES "dcim_platform" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "extras_role" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "dcim_controllermanageddevicegroup" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "weight" INTEGER NOT NULL,
    "controller_id" CHAR(32) NOT NULL,
    "parent_id" CHAR(32),
    "capabilities" JSON,
    "description" VARCHAR(255) NOT NULL,
    "tenant_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("controller_id") REFERENCES "dcim_controller" ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "dcim_controllermanageddevicegroup" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "dcim_device" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "local_config_context_data" JSON,
    "local_config_context_data_owner_object_id" CHAR(32),
    "name" VARCHAR(255),
    "_name" VARCHAR(255),
    "serial" VARCHAR(255) NOT NULL,
    "asset_tag" VARCHAR(255),
    "position" SMALLINT,
    "face" VARCHAR(50) NOT NULL,
    "vc_position" SMALLINT,
    "vc_priority" SMALLINT,
    "comments" TEXT NOT NULL,
    "device_type_id" CHAR(32) NOT NULL,
    "local_config_context_data_owner_content_type_id" INTEGER,
    "platform_id" CHAR(32),
    "primary_ip4_id" CHAR(32),
    "primary_ip6_id" CHAR(32),
    "rack_id" CHAR(32),
    "status_id" CHAR(32) NOT NULL,
    "tenant_id" CHAR(32),
    "virtual_chassis_id" CHAR(32),
    "local_config_context_schema_id" CHAR(32),
    "secrets_group_id" CHAR(32),
    "location_id" CHAR(32) NOT NULL,
    "device_redundancy_group_priority" INTEGER,
    "device_redundancy_group_id" CHAR(32),
    "role_id" CHAR(32) NOT NULL,
    "software_version_id" CHAR(32),
    "controller_managed_device_group_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("asset_tag"),
    UNIQUE ("rack_id", "position", "face"),
    UNIQUE ("virtual_chassis_id", "vc_position"),
    FOREIGN KEY ("controller_managed_device_group_id") REFERENCES "dcim_controllermanageddevicegroup" ("id"),
    FOREIGN KEY ("device_redundancy_group_id") REFERENCES "dcim_deviceredundancygroup" ("id"),
    FOREIGN KEY ("device_type_id") REFERENCES "dcim_devicetype" ("id"),
    FOREIGN KEY ("local_config_context_data_owner_content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("local_config_context_schema_id") REFERENCES "extras_configcontextschema" ("id"),
    FOREIGN KEY ("location_id") REFERENCES "dcim_location" ("id"),
    FOREIGN KEY ("platform_id") REFERENCES "dcim_platform" ("id"),
    FOREIGN KEY ("primary_ip4_id") REFERENCES "ipam_ipaddress" ("id"),
    FOREIGN KEY ("primary_ip6_id") REFERENCES "ipam_ipaddress" ("id"),
    FOREIGN KEY ("rack_id") REFERENCES "dcim_rack" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "extras_role" ("id"),
    FOREIGN KEY ("secrets_group_id") REFERENCES "extras_secretsgroup" ("id"),
    FOREIGN KEY ("software_version_id") REFERENCES "dcim_softwareversion" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id"),
    FOREIGN KEY ("virtual_chassis_id") REFERENCES "dcim_virtualchassis" ("id")
);

CREATE TABLE "dcim_device_software_image_files" (
    "id" BIGINT NOT NULL,
    "device_id" CHAR(32) NOT NULL,
    "softwareimagefile_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("device_id", "softwareimagefile_id"),
    FOREIGN KEY ("device_id") REFERENCES "dcim_device" ("id"),
    FOREIGN KEY ("softwareimagefile_id") REFERENCES "dcim_softwareimagefile" ("id")
);

CREATE TABLE "dcim_devicebay" (
    "id" CHAR(32) NOT NULL,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "_name" VARCHAR(255) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "device_id" CHAR(32) NOT NULL,
    "installed_device_id" CHAR(32),
    "created" DATETIME,
    "last_updated" DATETIME,
    PRIMARY KEY ("id"),
    UNIQUE ("device_id", "name"),
    UNIQUE ("installed_device_id"),
    FOREIGN KEY ("device_id") REFERENCES "dcim_device" ("id"),
    FOREIGN KEY ("installed_device_id") REFERENCES "dcim_device" ("id")
);

CREATE TABLE "dcim_devicebaytemplate" (
    "id" CHAR(32) NOT NULL,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "_name" VARCHAR(255) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "device_type_id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    PRIMARY KEY ("id"),
    UNIQUE ("device_type_id", "name"),
    FOREIGN KEY ("device_type_id") REFERENCES "dcim_devicetype" ("id")
);

CREATE TABLE "dcim_deviceclusterassignment" (
    "id" CHAR(32) NOT NULL,
    "cluster_id" CHAR(32) NOT NULL,
    "device_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("device_id", "cluster_id"),
    FOREIGN KEY ("cluster_id") REFERENCES "virtualization_cluster" ("id"),
    FOREIGN KEY ("device_id") REFERENCES "dcim_device" ("id")
);

CREATE TABLE "dcim_devicefamily" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "dcim_deviceredundancygroup" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "failover_strategy" VARCHAR(50) NOT NULL,
    "comments" TEXT NOT NULL,
    "secrets_group_id" CHAR(32),
    "status_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("secrets_group_id") REFERENCES "extras_secretsgroup" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id")
);

CREATE TABLE "dcim_devicetype" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "model" VARCHAR(255) NOT NULL,
    "part_number" VARCHAR(255) NOT NULL,
    "u_height" SMALLINT NOT NULL,
    "is_full_depth" BOOLEAN NOT NULL,
    "subdevice_role" VARCHAR(50) NOT NULL,
    "front_image" VARCHAR(100) NOT NULL,
    "rear_image" VARCHAR(100) NOT NULL,
    "comments" TEXT NOT NULL,
    "manufacturer_id" CHAR(32) NOT NULL,
    "device_family_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("manufacturer_id", "model"),
    FOREIGN KEY ("device_family_id") REFERENCES "dcim_devicefamily" ("id"),
    FOREIGN KEY ("manufacturer_id") REFERENCES "dcim_manufacturer" ("id")
);

CREATE TABLE "dcim_devicetypetosoftwareimagefile" (
    "id" CHAR(32) NOT NULL,
    "device_type_id" CHAR(32) NOT NULL,
    "software_image_file_id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    PRIMARY KEY ("id"),
    UNIQUE ("device_type_id", "software_image_file_id"),
    FOREIGN KEY ("device_type_id") REFERENCES "dcim_devicetype" ("id"),
    FOREIGN KEY ("software_image_file_id") REFERENCES "dcim_softwareimagefile" ("id")
);

CREATE TABLE "dcim_frontport" (
    "id" CHAR(32) NOT NULL,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "_name" VARCHAR(255) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "type" VARCHAR(50) NOT NULL,
    "rear_port_position" SMALLINT NOT NULL,
    "device_id" CHAR(32),
    "rear_port_id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "module_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("module_id", "name"),
    UNIQUE ("rear_port_id", "rear_port_position"),
    FOREIGN KEY ("device_id") REFERENCES "dcim_device" ("id"),
    FOREIGN KEY ("module_id") REFERENCES "dcim_module" ("id"),
    FOREIGN KEY ("rear_port_id") REFERENCES "dcim_rearport" ("id")
);

CREATE TABLE "dcim_frontporttemplate" (
    "id" CHAR(32) NOT NULL,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "_name" VARCHAR(255) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "type" VARCHAR(50) NOT NULL,
    "rear_port_position" SMALLINT NOT NULL,
    "device_type_id" CHAR(32),
    "rear_port_template_id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "module_type_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("device_type_id", "name"),
    UNIQUE ("module_type_id", "name"),
    UNIQUE ("rear_port_template_id", "rear_port_position"),
    FOREIGN KEY ("device_type_id") REFERENCES "dcim_devicetype" ("id"),
    FOREIGN KEY ("module_type_id") REFERENCES "dcim_moduletype" ("id"),
    FOREIGN KEY ("rear_port_template_id") REFERENCES "dcim_rearporttemplate" ("id")
);

CREATE TABLE "dcim_interface" (
    "id" CHAR(32) NOT NULL,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "mac_address" VARCHAR(18) NOT NULL,
    "mtu" INTEGER,
    "mode" VARCHAR(50) NOT NULL,
    "_name" VARCHAR(255) NOT NULL,
    "type" VARCHAR(50) NOT NULL,
    "mgmt_only" BOOLEAN NOT NULL,
    "device_id" CHAR(32),
    "lag_id" CHAR(32),
    "untagged_vlan_id" CHAR(32),
    "status_id" CHAR(32) NOT NULL,
    "parent_interface_id" CHAR(32),
    "bridge_id" CHAR(32),
    "created" DATETIME,
    "last_updated" DATETIME,
    "vrf_id" CHAR(32),
    "role_id" CHAR(32),
    "module_id" CHAR(32),
    "duplex" VARCHAR(10) NOT NULL,
    "speed" INTEGER,
    "port_type" VARCHAR(50) NOT NULL,
    "breakout_position" SMALLINT,
    PRIMARY KEY ("id"),
    UNIQUE ("module_id", "name"),
    UNIQUE ("parent_interface_id", "breakout_position"),
    FOREIGN KEY ("bridge_id") REFERENCES "dcim_interface" ("id"),
    FOREIGN KEY ("device_id") REFERENCES "dcim_device" ("id"),
    FOREIGN KEY ("lag_id") REFERENCES "dcim_interface" ("id"),
    FOREIGN KEY ("module_id") REFERENCES "dcim_module" ("id"),
    FOREIGN KEY ("parent_interface_id") REFERENCES "dcim_interface" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "extras_role" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id"),
    FOREIGN KEY ("untagged_vlan_id") REFERENCES "ipam_vlan" ("id"),
    FOREIGN KEY ("vrf_id") REFERENCES "ipam_vrf" ("id")
);

CREATE TABLE "dcim_interface_tagged_vlans" (
    "id" BIGINT NOT NULL,
    "interface_id" CHAR(32) NOT NULL,
    "vlan_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("interface_id", "vlan_id"),
    FOREIGN KEY ("interface_id") REFERENCES "dcim_interface" ("id"),
    FOREIGN KEY ("vlan_id") REFERENCES "ipam_vlan" ("id")
);

CREATE TABLE "dcim_interfaceredundancygroup" (
    "id" CHAR(32) NOT NULL,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "created" DATETIME NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "protocol" VARCHAR(50) NOT NULL,
    "protocol_group_id" VARCHAR(255) NOT NULL,
    "secrets_group_id" CHAR(32),
    "status_id" CHAR(32) NOT NULL,
    "virtual_ip_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("secrets_group_id") REFERENCES "extras_secretsgroup" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id"),
    FOREIGN KEY ("virtual_ip_id") REFERENCES "ipam_ipaddress" ("id")
);

CREATE TABLE "dcim_interfaceredundancygroupassociation" (
    "id" CHAR(32) NOT NULL,
    "last_updated" DATETIME,
    "priority" INTEGER NOT NULL,
    "interface_id" CHAR(32) NOT NULL,
    "interface_redundancy_group_id" CHAR(32) NOT NULL,
    "created" DATETIME,
    PRIMARY KEY ("id"),
    UNIQUE ("interface_redundancy_group_id", "interface_id"),
    FOREIGN KEY ("interface_id") REFERENCES "dcim_interface" ("id"),
    FOREIGN KEY ("interface_redundancy_group_id") REFERENCES "dcim_interfaceredundancygroup" ("id")
);

CREATE TABLE "dcim_interfacetemplate" (
    "id" CHAR(32) NOT NULL,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "_name" VARCHAR(255) NOT NULL,
    "type" VARCHAR(50) NOT NULL,
    "mgmt_only" BOOLEAN NOT NULL,
    "device_type_id" CHAR(32),
    "created" DATETIME,
    "last_updated" DATETIME,
    "module_type_id" CHAR(32),
    "duplex" VARCHAR(10) NOT NULL,
    "speed" INTEGER,
    "port_type" VARCHAR(50) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("device_type_id", "name"),
    UNIQUE ("module_type_id", "name"),
    FOREIGN KEY ("device_type_id") REFERENCES "dcim_devicetype" ("id"),
    FOREIGN KEY ("module_type_id") REFERENCES "dcim_moduletype" ("id")
);

CREATE TABLE "dcim_interfacevdcassignment" (
    "id" CHAR(32) NOT NULL,
    "interface_id" CHAR(32) NOT NULL,
    "virtual_device_context_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("virtual_device_context_id", "interface_id"),
    FOREIGN KEY ("interface_id") REFERENCES "dcim_interface" ("id"),
    FOREIGN KEY ("virtual_device_context_id") REFERENCES "dcim_virtualdevicecontext" ("id")
);

CREATE TABLE "dcim_inventoryitem" (
    "id" CHAR(32) NOT NULL,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "_name" VARCHAR(255) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "part_id" VARCHAR(255) NOT NULL,
    "serial" VARCHAR(255) NOT NULL,
    "asset_tag" VARCHAR(255),
    "discovered" BOOLEAN NOT NULL,
    "device_id" CHAR(32) NOT NULL,
    "manufacturer_id" CHAR(32),
    "parent_id" CHAR(32),
    "created" DATETIME,
    "last_updated" DATETIME,
    "software_version_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("asset_tag"),
    UNIQUE ("device_id", "parent_id", "name"),
    FOREIGN KEY ("device_id") REFERENCES "dcim_device" ("id"),
    FOREIGN KEY ("manufacturer_id") REFERENCES "dcim_manufacturer" ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "dcim_inventoryitem" ("id"),
    FOREIGN KEY ("software_version_id") REFERENCES "dcim_softwareversion" ("id")
);

CREATE TABLE "dcim_inventoryitem_software_image_files" (
    "id" BIGINT NOT NULL,
    "inventoryitem_id" CHAR(32) NOT NULL,
    "softwareimagefile_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("inventoryitem_id", "softwareimagefile_id"),
    FOREIGN KEY ("inventoryitem_id") REFERENCES "dcim_inventoryitem" ("id"),
    FOREIGN KEY ("softwareimagefile_id") REFERENCES "dcim_softwareimagefile" ("id")
);

CREATE TABLE "dcim_location" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "_name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "location_type_id" CHAR(32) NOT NULL,
    "parent_id" CHAR(32),
    "status_id" CHAR(32) NOT NULL,
    "tenant_id" CHAR(32),
    "asn" BIGINT,
    "comments" TEXT NOT NULL,
    "contact_email" VARCHAR(254) NOT NULL,
    "contact_name" VARCHAR(255) NOT NULL,
    "contact_phone" VARCHAR(255) NOT NULL,
    "facility" VARCHAR(255) NOT NULL,
    "latitude" NUMERIC(8, 6),
    "longitude" NUMERIC(9, 6),
    "physical_address" TEXT NOT NULL,
    "shipping_address" TEXT NOT NULL,
    "time_zone" VARCHAR(63) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("parent_id", "name"),
    FOREIGN KEY ("location_type_id") REFERENCES "dcim_locationtype" ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "dcim_location" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "dcim_locationtype" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "parent_id" CHAR(32),
    "nestable" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("parent_id") REFERENCES "dcim_locationtype" ("id")
);

CREATE TABLE "dcim_locationtype_content_types" (
    "id" BIGINT NOT NULL,
    "locationtype_id" CHAR(32) NOT NULL,
    "contenttype_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("locationtype_id", "contenttype_id"),
    FOREIGN KEY ("contenttype_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("locationtype_id") REFERENCES "dcim_locationtype" ("id")
);

CREATE TABLE "dcim_manufacturer" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "dcim_module" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "serial" VARCHAR(255),
    "asset_tag" VARCHAR(255),
    "location_id" CHAR(32),
    "module_type_id" CHAR(32) NOT NULL,
    "parent_module_bay_id" CHAR(32),
    "role_id" CHAR(32),
    "status_id" CHAR(32) NOT NULL,
    "tenant_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("asset_tag"),
    UNIQUE ("module_type_id", "serial"),
    UNIQUE ("parent_module_bay_id"),
    FOREIGN KEY ("location_id") REFERENCES "dcim_location" ("id"),
    FOREIGN KEY ("module_type_id") REFERENCES "dcim_moduletype" ("id"),
    FOREIGN KEY ("parent_module_bay_id") REFERENCES "dcim_modulebay" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "extras_role" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "dcim_modulebay" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "position" VARCHAR(255) NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "_name" VARCHAR(255) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "parent_device_id" CHAR(32),
    "parent_module_id" CHAR(32),
    "requires_first_party_modules" BOOLEAN NOT NULL,
    "module_family_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("parent_module_id", "name"),
    FOREIGN KEY ("module_family_id") REFERENCES "dcim_modulefamily" ("id"),
    FOREIGN KEY ("parent_device_id") REFERENCES "dcim_device" ("id"),
    FOREIGN KEY ("parent_module_id") REFERENCES "dcim_module" ("id")
);

CREATE TABLE "dcim_modulebaytemplate" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "position" VARCHAR(255) NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "_name" VARCHAR(255) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "device_type_id" CHAR(32),
    "module_type_id" CHAR(32),
    "requires_first_party_modules" BOOLEAN NOT NULL,
    "module_family_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("device_type_id", "name"),
    UNIQUE ("module_type_id", "name"),
    FOREIGN KEY ("device_type_id") REFERENCES "dcim_devicetype" ("id"),
    FOREIGN KEY ("module_family_id") REFERENCES "dcim_modulefamily" ("id"),
    FOREIGN KEY ("module_type_id") REFERENCES "dcim_moduletype" ("id")
);

CREATE TABLE "dcim_modulefamily" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "dcim_moduletype" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "model" VARCHAR(255) NOT NULL,
    "part_number" VARCHAR(255) NOT NULL,
    "comments" TEXT NOT NULL,
    "manufacturer_id" CHAR(32) NOT NULL,
    "module_family_id" CHAR(32),
    "front_image" VARCHAR(100) NOT NULL,
    "rear_image" VARCHAR(100) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("manufacturer_id", "model"),
    FOREIGN KEY ("manufacturer_id") REFERENCES "dcim_manufacturer" ("id"),
    FOREIGN KEY ("module_family_id") REFERENCES "dcim_modulefamily" ("id")
);

CREATE TABLE "dcim_platform" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "napalm_driver" VARCHAR(255) NOT NULL,
    "napalm_args" JSON,
    "description" VARCHAR(255) NOT NULL,
    "manufacturer_id" CHAR(32),
    "network_driver" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("manufacturer_id") REFERENCES "dcim_manufacturer" ("id")
);

CREATE TABLE "dcim_powerfeed" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "type" VARCHAR(50) NOT NULL,
    "supply" VARCHAR(50) NOT NULL,
    "phase" VARCHAR(50) NOT NULL,
    "voltage" SMALLINT NOT NULL,
    "amperage" SMALLINT NOT NULL,
    "max_utilization" SMALLINT NOT NULL,
    "available_power" INTEGER NOT NULL,
    "comments" TEXT NOT NULL,
    "power_panel_id" CHAR(32) NOT NULL,
    "rack_id" CHAR(32),
    "status_id" CHAR(32) NOT NULL,
    "breaker_pole_count" SMALLINT,
    "breaker_position" INTEGER,
    "destination_panel_id" CHAR(32),
    "power_path" VARCHAR(20) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("power_panel_id", "breaker_position"),
    UNIQUE ("power_panel_id", "name"),
    FOREIGN KEY ("destination_panel_id") REFERENCES "dcim_powerpanel" ("id"),
    FOREIGN KEY ("power_panel_id") REFERENCES "dcim_powerpanel" ("id"),
    FOREIGN KEY ("rack_id") REFERENCES "dcim_rack" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id")
);

CREATE TABLE "dcim_poweroutlet" (
    "id" CHAR(32) NOT NULL,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "_name" VARCHAR(255) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "type" VARCHAR(50) NOT NULL,
    "feed_leg" VARCHAR(50) NOT NULL,
    "device_id" CHAR(32),
    "power_port_id" CHAR(32),
    "created" DATETIME,
    "last_updated" DATETIME,
    "module_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("module_id", "name"),
    FOREIGN KEY ("device_id") REFERENCES "dcim_device" ("id"),
    FOREIGN KEY ("module_id") REFERENCES "dcim_module" ("id"),
    FOREIGN KEY ("power_port_id") REFERENCES "dcim_powerport" ("id")
);

CREATE TABLE "dcim_poweroutlettemplate" (
    "id" CHAR(32) NOT NULL,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "_name" VARCHAR(255) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "type" VARCHAR(50) NOT NULL,
    "feed_leg" VARCHAR(50) NOT NULL,
    "device_type_id" CHAR(32),
    "power_port_template_id" CHAR(32),
    "created" DATETIME,
    "last_updated" DATETIME,
    "module_type_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("device_type_id", "name"),
    UNIQUE ("module_type_id", "name"),
    FOREIGN KEY ("device_type_id") REFERENCES "dcim_devicetype" ("id"),
    FOREIGN KEY ("module_type_id") REFERENCES "dcim_moduletype" ("id"),
    FOREIGN KEY ("power_port_template_id") REFERENCES "dcim_powerporttemplate" ("id")
);

CREATE TABLE "dcim_powerpanel" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "rack_group_id" CHAR(32),
    "location_id" CHAR(32) NOT NULL,
    "breaker_position_count" INTEGER,
    "panel_type" VARCHAR(30) NOT NULL,
    "power_path" VARCHAR(20) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("location_id", "name"),
    FOREIGN KEY ("location_id") REFERENCES "dcim_location" ("id"),
    FOREIGN KEY ("rack_group_id") REFERENCES "dcim_rackgroup" ("id")
);

CREATE TABLE "dcim_powerport" (
    "id" CHAR(32) NOT NULL,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "_name" VARCHAR(255) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "type" VARCHAR(50) NOT NULL,
    "maximum_draw" SMALLINT,
    "allocated_draw" SMALLINT,
    "device_id" CHAR(32),
    "created" DATETIME,
    "last_updated" DATETIME,
    "module_id" CHAR(32),
    "power_factor" NUMERIC(4, 2) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("module_id", "name"),
    FOREIGN KEY ("device_id") REFERENCES "dcim_device" ("id"),
    FOREIGN KEY ("module_id") REFERENCES "dcim_module" ("id")
);

CREATE TABLE "dcim_powerporttemplate" (
    "id" CHAR(32) NOT NULL,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "_name" VARCHAR(255) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "type" VARCHAR(50) NOT NULL,
    "maximum_draw" SMALLINT,
    "allocated_draw" SMALLINT,
    "device_type_id" CHAR(32),
    "created" DATETIME,
    "last_updated" DATETIME,
    "module_type_id" CHAR(32),
    "power_factor" NUMERIC(4, 2) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("device_type_id", "name"),
    UNIQUE ("module_type_id", "name"),
    FOREIGN KEY ("device_type_id") REFERENCES "dcim_devicetype" ("id"),
    FOREIGN KEY ("module_type_id") REFERENCES "dcim_moduletype" ("id")
);

CREATE TABLE "dcim_rack" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "_name" VARCHAR(255) NOT NULL,
    "facility_id" VARCHAR(50),
    "serial" VARCHAR(255) NOT NULL,
    "asset_tag" VARCHAR(255),
    "type" VARCHAR(50) NOT NULL,
    "width" SMALLINT NOT NULL,
    "u_height" SMALLINT NOT NULL,
    "desc_units" BOOLEAN NOT NULL,
    "outer_width" SMALLINT,
    "outer_depth" SMALLINT,
    "outer_unit" VARCHAR(50) NOT NULL,
    "comments" TEXT NOT NULL,
    "rack_group_id" CHAR(32),
    "status_id" CHAR(32) NOT NULL,
    "tenant_id" CHAR(32),
    "location_id" CHAR(32) NOT NULL,
    "role_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("asset_tag"),
    UNIQUE ("rack_group_id", "facility_id"),
    UNIQUE ("rack_group_id", "name"),
    FOREIGN KEY ("location_id") REFERENCES "dcim_location" ("id"),
    FOREIGN KEY ("rack_group_id") REFERENCES "dcim_rackgroup" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "extras_role" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "dcim_rackgroup" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "parent_id" CHAR(32),
    "location_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("location_id", "name"),
    FOREIGN KEY ("location_id") REFERENCES "dcim_location" ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "dcim_rackgroup" ("id")
);

CREATE TABLE "dcim_rackreservation" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "units" JSON NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "rack_id" CHAR(32) NOT NULL,
    "tenant_id" CHAR(32),
    "user_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("rack_id") REFERENCES "dcim_rack" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "dcim_rearport" (
    "id" CHAR(32) NOT NULL,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "_name" VARCHAR(255) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "type" VARCHAR(50) NOT NULL,
    "positions" SMALLINT NOT NULL,
    "device_id" CHAR(32),
    "created" DATETIME,
    "last_updated" DATETIME,
    "module_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("module_id", "name"),
    FOREIGN KEY ("device_id") REFERENCES "dcim_device" ("id"),
    FOREIGN KEY ("module_id") REFERENCES "dcim_module" ("id")
);

CREATE TABLE "dcim_rearporttemplate" (
    "id" CHAR(32) NOT NULL,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "_name" VARCHAR(255) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "type" VARCHAR(50) NOT NULL,
    "positions" SMALLINT NOT NULL,
    "device_type_id" CHAR(32),
    "created" DATETIME,
    "last_updated" DATETIME,
    "module_type_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("device_type_id", "name"),
    UNIQUE ("module_type_id", "name"),
    FOREIGN KEY ("device_type_id") REFERENCES "dcim_devicetype" ("id"),
    FOREIGN KEY ("module_type_id") REFERENCES "dcim_moduletype" ("id")
);

CREATE TABLE "dcim_softwareimagefile" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "image_file_name" VARCHAR(255) NOT NULL,
    "image_file_checksum" VARCHAR(256) NOT NULL,
    "hashing_algorithm" VARCHAR(255) NOT NULL,
    "image_file_size" BIGINT,
    "download_url" VARCHAR(200) NOT NULL,
    "default_image" BOOLEAN NOT NULL,
    "software_version_id" CHAR(32) NOT NULL,
    "status_id" CHAR(32) NOT NULL,
    "external_integration_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("image_file_name", "software_version_id"),
    FOREIGN KEY ("external_integration_id") REFERENCES "extras_externalintegration" ("id"),
    FOREIGN KEY ("software_version_id") REFERENCES "dcim_softwareversion" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id")
);

CREATE TABLE "dcim_softwareversion" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "version" VARCHAR(255) NOT NULL,
    "alias" VARCHAR(255) NOT NULL,
    "release_date" DATE,
    "end_of_support_date" DATE,
    "documentation_url" VARCHAR(200) NOT NULL,
    "long_term_support" BOOLEAN NOT NULL,
    "pre_release" BOOLEAN NOT NULL,
    "platform_id" CHAR(32) NOT NULL,
    "status_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("platform_id", "version"),
    FOREIGN KEY ("platform_id") REFERENCES "dcim_platform" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id")
);

CREATE TABLE "dcim_virtualchassis" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "domain" VARCHAR(255) NOT NULL,
    "master_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("master_id"),
    UNIQUE ("name"),
    FOREIGN KEY ("master_id") REFERENCES "dcim_device" ("id")
);

CREATE TABLE "dcim_virtualdevicecontext" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "identifier" SMALLINT,
    "description" VARCHAR(255) NOT NULL,
    "device_id" CHAR(32) NOT NULL,
    "primary_ip4_id" CHAR(32),
    "primary_ip6_id" CHAR(32),
    "status_id" CHAR(32) NOT NULL,
    "role_id" CHAR(32),
    "tenant_id" CHAR(32),
    "controller_managed_device_group_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("device_id", "identifier"),
    UNIQUE ("device_id", "name"),
    FOREIGN KEY ("controller_managed_device_group_id") REFERENCES "dcim_controllermanageddevicegroup" ("id"),
    FOREIGN KEY ("device_id") REFERENCES "dcim_device" ("id"),
    FOREIGN KEY ("primary_ip4_id") REFERENCES "ipam_ipaddress" ("id"),
    FOREIGN KEY ("primary_ip6_id") REFERENCES "ipam_ipaddress" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "extras_role" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "django_admin_log" (
    "id" INTEGER NOT NULL,
    "action_time" DATETIME NOT NULL,
    "object_id" TEXT,
    "object_repr" VARCHAR(200) NOT NULL,
    "action_flag" SMALLINT NOT NULL,
    "change_message" TEXT NOT NULL,
    "content_type_id" INTEGER,
    "user_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "django_celery_beat_clockedschedule" (
    "id" INTEGER NOT NULL,
    "clocked_time" DATETIME NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "django_celery_beat_crontabschedule" (
    "id" INTEGER NOT NULL,
    "minute" VARCHAR(240) NOT NULL,
    "hour" VARCHAR(96) NOT NULL,
    "day_of_week" VARCHAR(64) NOT NULL,
    "day_of_month" VARCHAR(124) NOT NULL,
    "month_of_year" VARCHAR(64) NOT NULL,
    "timezone" VARCHAR(63) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "django_celery_beat_intervalschedule" (
    "id" INTEGER NOT NULL,
    "every" INTEGER NOT NULL,
    "period" VARCHAR(24) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "django_celery_beat_periodictask" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "task" VARCHAR(200) NOT NULL,
    "args" TEXT NOT NULL,
    "kwargs" TEXT NOT NULL,
    "queue" VARCHAR(200),
    "exchange" VARCHAR(200),
    "routing_key" VARCHAR(200),
    "expires" DATETIME,
    "enabled" BOOLEAN NOT NULL,
    "last_run_at" DATETIME,
    "total_run_count" INTEGER NOT NULL,
    "date_changed" DATETIME NOT NULL,
    "description" TEXT NOT NULL,
    "crontab_id" INTEGER,
    "interval_id" INTEGER,
    "solar_id" INTEGER,
    "one_off" BOOLEAN NOT NULL,
    "start_time" DATETIME,
    "priority" INTEGER,
    "headers" TEXT NOT NULL,
    "clocked_id" INTEGER,
    "expire_seconds" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("clocked_id") REFERENCES "django_celery_beat_clockedschedule" ("id"),
    FOREIGN KEY ("crontab_id") REFERENCES "django_celery_beat_crontabschedule" ("id"),
    FOREIGN KEY ("interval_id") REFERENCES "django_celery_beat_intervalschedule" ("id"),
    FOREIGN KEY ("solar_id") REFERENCES "django_celery_beat_solarschedule" ("id")
);

CREATE TABLE "django_celery_beat_periodictasks" (
    "ident" SMALLINT NOT NULL,
    "last_update" DATETIME NOT NULL,
    PRIMARY KEY ("ident")
);

CREATE TABLE "django_celery_beat_solarschedule" (
    "id" INTEGER NOT NULL,
    "event" VARCHAR(24) NOT NULL,
    "latitude" NUMERIC(9, 6) NOT NULL,
    "longitude" NUMERIC(9, 6) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("event", "latitude", "longitude")
);

CREATE TABLE "django_celery_results_chordcounter" (
    "id" INTEGER NOT NULL,
    "group_id" VARCHAR(255) NOT NULL,
    "sub_tasks" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("group_id")
);

CREATE TABLE "django_celery_results_groupresult" (
    "id" INTEGER NOT NULL,
    "group_id" VARCHAR(255) NOT NULL,
    "date_created" DATETIME NOT NULL,
    "date_done" DATETIME NOT NULL,
    "content_type" VARCHAR(128) NOT NULL,
    "content_encoding" VARCHAR(64) NOT NULL,
    "result" TEXT,
    PRIMARY KEY ("id"),
    UNIQUE ("group_id")
);

CREATE TABLE "django_celery_results_taskresult" (
    "id" INTEGER NOT NULL,
    "task_id" VARCHAR(255) NOT NULL,
    "status" VARCHAR(50) NOT NULL,
    "content_type" VARCHAR(128) NOT NULL,
    "content_encoding" VARCHAR(64) NOT NULL,
    "result" TEXT,
    "date_done" DATETIME NOT NULL,
    "traceback" TEXT,
    "meta" TEXT,
    "task_args" TEXT,
    "task_kwargs" TEXT,
    "task_name" VARCHAR(255),
    "worker" VARCHAR(100),
    "date_created" DATETIME NOT NULL,
    "periodic_task_name" VARCHAR(255),
    "date_started" DATETIME,
    PRIMARY KEY ("id"),
    UNIQUE ("task_id")
);

CREATE TABLE "django_content_type" (
    "id" INTEGER NOT NULL,
    "app_label" VARCHAR(100) NOT NULL,
    "model" VARCHAR(100) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("app_label", "model")
);

CREATE TABLE "django_migrations" (
    "id" BIGINT NOT NULL,
    "app" VARCHAR(255) NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "applied" DATETIME NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "django_session" (
    "session_key" VARCHAR(40) NOT NULL,
    "session_data" TEXT NOT NULL,
    "expire_date" DATETIME NOT NULL,
    PRIMARY KEY ("session_key")
);

CREATE TABLE "extras_approvaluserresponse" (
    "id" CHAR(32) NOT NULL,
    "comments" VARCHAR(255) NOT NULL,
    "state" VARCHAR(255) NOT NULL,
    "approval_workflow_stage_id" CHAR(32) NOT NULL,
    "user_id" CHAR(32) NOT NULL,
    "last_updated" DATETIME,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("approval_workflow_stage_id") REFERENCES "extras_approvalworkflowstage" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "extras_approvalworkflow" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "object_under_review_object_id" CHAR(32) NOT NULL,
    "current_state" VARCHAR(255) NOT NULL,
    "decision_date" DATETIME,
    "user_name" VARCHAR(150) NOT NULL,
    "approval_workflow_definition_id" CHAR(32),
    "object_under_review_content_type_id" INTEGER NOT NULL,
    "user_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("approval_workflow_definition_id", "object_under_review_content_type_id", "object_under_review_object_id"),
    FOREIGN KEY ("approval_workflow_definition_id") REFERENCES "extras_approvalworkflowdefinition" ("id"),
    FOREIGN KEY ("object_under_review_content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "extras_approvalworkflowdefinition" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "model_constraints" JSON NOT NULL,
    "weight" INTEGER NOT NULL,
    "model_content_type_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("model_content_type_id", "weight"),
    UNIQUE ("name"),
    FOREIGN KEY ("model_content_type_id") REFERENCES "django_content_type" ("id")
);

CREATE TABLE "extras_approvalworkflowstage" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "state" VARCHAR(255) NOT NULL,
    "decision_date" DATETIME,
    "approval_workflow_id" CHAR(32) NOT NULL,
    "approval_workflow_stage_definition_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("approval_workflow_id", "approval_workflow_stage_definition_id"),
    FOREIGN KEY ("approval_workflow_id") REFERENCES "extras_approvalworkflow" ("id"),
    FOREIGN KEY ("approval_workflow_stage_definition_id") REFERENCES "extras_approvalworkflowstagedefinition" ("id")
);

CREATE TABLE "extras_approvalworkflowstagedefinition" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "sequence" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "min_approvers" INTEGER NOT NULL,
    "denial_message" VARCHAR(255) NOT NULL,
    "approval_workflow_definition_id" CHAR(32) NOT NULL,
    "approver_group_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("approval_workflow_definition_id", "name"),
    UNIQUE ("approval_workflow_definition_id", "sequence"),
    FOREIGN KEY ("approval_workflow_definition_id") REFERENCES "extras_approvalworkflowdefinition" ("id"),
    FOREIGN KEY ("approver_group_id") REFERENCES "auth_group" ("id")
);

CREATE TABLE "extras_computedfield" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "key" VARCHAR(255) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "template" TEXT NOT NULL,
    "fallback_value" VARCHAR(500) NOT NULL,
    "weight" SMALLINT NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    "advanced_ui" BOOLEAN NOT NULL,
    "grouping" VARCHAR(255) NOT NULL,
    "output_type" VARCHAR(50) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("content_type_id", "label"),
    UNIQUE ("key"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id")
);

CREATE TABLE "extras_configcontext" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "name" VARCHAR(255) NOT NULL,
    "owner_object_id" CHAR(32),
    "weight" SMALLINT NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    "data" JSON NOT NULL,
    "owner_content_type_id" INTEGER,
    "config_context_schema_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("config_context_schema_id") REFERENCES "extras_configcontextschema" ("id"),
    FOREIGN KEY ("owner_content_type_id") REFERENCES "django_content_type" ("id")
);

CREATE TABLE "extras_configcontext_cluster_groups" (
    "id" BIGINT NOT NULL,
    "configcontext_id" CHAR(32) NOT NULL,
    "clustergroup_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("configcontext_id", "clustergroup_id"),
    FOREIGN KEY ("clustergroup_id") REFERENCES "virtualization_clustergroup" ("id"),
    FOREIGN KEY ("configcontext_id") REFERENCES "extras_configcontext" ("id")
);

CREATE TABLE "extras_configcontext_clusters" (
    "id" BIGINT NOT NULL,
    "configcontext_id" CHAR(32) NOT NULL,
    "cluster_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("configcontext_id", "cluster_id"),
    FOREIGN KEY ("cluster_id") REFERENCES "virtualization_cluster" ("id"),
    FOREIGN KEY ("configcontext_id") REFERENCES "extras_configcontext" ("id")
);

CREATE TABLE "extras_configcontext_device_families" (
    "id" BIGINT NOT NULL,
    "configcontext_id" CHAR(32) NOT NULL,
    "devicefamily_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("configcontext_id", "devicefamily_id"),
    FOREIGN KEY ("configcontext_id") REFERENCES "extras_configcontext" ("id"),
    FOREIGN KEY ("devicefamily_id") REFERENCES "dcim_devicefamily" ("id")
);

CREATE TABLE "extras_configcontext_device_redundancy_groups" (
    "id" BIGINT NOT NULL,
    "configcontext_id" CHAR(32) NOT NULL,
    "deviceredundancygroup_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("configcontext_id", "deviceredundancygroup_id"),
    FOREIGN KEY ("configcontext_id") REFERENCES "extras_configcontext" ("id"),
    FOREIGN KEY ("deviceredundancygroup_id") REFERENCES "dcim_deviceredundancygroup" ("id")
);

CREATE TABLE "extras_configcontext_device_types" (
    "id" BIGINT NOT NULL,
    "configcontext_id" CHAR(32) NOT NULL,
    "devicetype_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("configcontext_id", "devicetype_id"),
    FOREIGN KEY ("configcontext_id") REFERENCES "extras_configcontext" ("id"),
    FOREIGN KEY ("devicetype_id") REFERENCES "dcim_devicetype" ("id")
);

CREATE TABLE "extras_configcontext_dynamic_groups" (
    "id" BIGINT NOT NULL,
    "configcontext_id" CHAR(32) NOT NULL,
    "dynamicgroup_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("configcontext_id", "dynamicgroup_id"),
    FOREIGN KEY ("configcontext_id") REFERENCES "extras_configcontext" ("id"),
    FOREIGN KEY ("dynamicgroup_id") REFERENCES "extras_dynamicgroup" ("id")
);

CREATE TABLE "extras_configcontext_locations" (
    "id" BIGINT NOT NULL,
    "configcontext_id" CHAR(32) NOT NULL,
    "location_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("configcontext_id", "location_id"),
    FOREIGN KEY ("configcontext_id") REFERENCES "extras_configcontext" ("id"),
    FOREIGN KEY ("location_id") REFERENCES "dcim_location" ("id")
);

CREATE TABLE "extras_configcontext_platforms" (
    "id" BIGINT NOT NULL,
    "configcontext_id" CHAR(32) NOT NULL,
    "platform_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("configcontext_id", "platform_id"),
    FOREIGN KEY ("configcontext_id") REFERENCES "extras_configcontext" ("id"),
    FOREIGN KEY ("platform_id") REFERENCES "dcim_platform" ("id")
);

CREATE TABLE "extras_configcontext_roles" (
    "id" BIGINT NOT NULL,
    "configcontext_id" CHAR(32) NOT NULL,
    "role_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("configcontext_id", "role_id"),
    FOREIGN KEY ("configcontext_id") REFERENCES "extras_configcontext" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "extras_role" ("id")
);

CREATE TABLE "extras_configcontext_tags" (
    "id" BIGINT NOT NULL,
    "configcontext_id" CHAR(32) NOT NULL,
    "tag_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("configcontext_id", "tag_id"),
    FOREIGN KEY ("configcontext_id") REFERENCES "extras_configcontext" ("id"),
    FOREIGN KEY ("tag_id") REFERENCES "extras_tag" ("id")
);

CREATE TABLE "extras_configcontext_tenant_groups" (
    "id" BIGINT NOT NULL,
    "configcontext_id" CHAR(32) NOT NULL,
    "tenantgroup_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("configcontext_id", "tenantgroup_id"),
    FOREIGN KEY ("configcontext_id") REFERENCES "extras_configcontext" ("id"),
    FOREIGN KEY ("tenantgroup_id") REFERENCES "tenancy_tenantgroup" ("id")
);

CREATE TABLE "extras_configcontext_tenants" (
    "id" BIGINT NOT NULL,
    "configcontext_id" CHAR(32) NOT NULL,
    "tenant_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("configcontext_id", "tenant_id"),
    FOREIGN KEY ("configcontext_id") REFERENCES "extras_configcontext" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "extras_configcontextschema" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "data_schema" JSON NOT NULL,
    "owner_object_id" CHAR(32),
    "owner_content_type_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("owner_content_type_id") REFERENCES "django_content_type" ("id")
);

CREATE TABLE "extras_contact" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "phone" VARCHAR(255) NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "address" TEXT NOT NULL,
    "comments" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name", "phone", "email")
);

CREATE TABLE "extras_contactassociation" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "associated_object_id" CHAR(32) NOT NULL,
    "associated_object_type_id" INTEGER,
    "contact_id" CHAR(32),
    "role_id" CHAR(32) NOT NULL,
    "status_id" CHAR(32) NOT NULL,
    "team_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("contact_id", "associated_object_type_id", "associated_object_id", "role_id"),
    UNIQUE ("team_id", "associated_object_type_id", "associated_object_id", "role_id"),
    FOREIGN KEY ("associated_object_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("contact_id") REFERENCES "extras_contact" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "extras_role" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id"),
    FOREIGN KEY ("team_id") REFERENCES "extras_team" ("id")
);

CREATE TABLE "extras_customfield" (
    "id" CHAR(32) NOT NULL,
    "type" VARCHAR(50) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "required" BOOLEAN NOT NULL,
    "filter_logic" VARCHAR(50) NOT NULL,
    "default" JSON,
    "weight" SMALLINT NOT NULL,
    "validation_minimum" BIGINT,
    "validation_maximum" BIGINT,
    "validation_regex" VARCHAR(500) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "advanced_ui" BOOLEAN NOT NULL,
    "key" VARCHAR(255) NOT NULL,
    "grouping" VARCHAR(255) NOT NULL,
    "scope_filter" JSON NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("key")
);

CREATE TABLE "extras_customfield_content_types" (
    "id" BIGINT NOT NULL,
    "customfield_id" CHAR(32) NOT NULL,
    "contenttype_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("customfield_id", "contenttype_id"),
    FOREIGN KEY ("contenttype_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("customfield_id") REFERENCES "extras_customfield" ("id")
);

CREATE TABLE "extras_customfieldchoice" (
    "id" CHAR(32) NOT NULL,
    "value" VARCHAR(255) NOT NULL,
    "weight" SMALLINT NOT NULL,
    "custom_field_id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    PRIMARY KEY ("id"),
    UNIQUE ("custom_field_id", "value"),
    FOREIGN KEY ("custom_field_id") REFERENCES "extras_customfield" ("id")
);

CREATE TABLE "extras_customlink" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "name" VARCHAR(255) NOT NULL,
    "text" VARCHAR(500) NOT NULL,
    "target_url" VARCHAR(500) NOT NULL,
    "weight" SMALLINT NOT NULL,
    "group_name" VARCHAR(255) NOT NULL,
    "button_class" VARCHAR(30) NOT NULL,
    "new_window" BOOLEAN NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id")
);

CREATE TABLE "extras_dynamicgroup" (
    "_custom_field_data" JSON NOT NULL,
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "filter" JSON NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    "group_type" VARCHAR(16) NOT NULL,
    "tenant_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "extras_dynamicgroupmembership" (
    "id" CHAR(32) NOT NULL,
    "operator" VARCHAR(12) NOT NULL,
    "weight" SMALLINT NOT NULL,
    "group_id" CHAR(32) NOT NULL,
    "parent_group_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("group_id", "parent_group_id", "operator", "weight"),
    FOREIGN KEY ("group_id") REFERENCES "extras_dynamicgroup" ("id"),
    FOREIGN KEY ("parent_group_id") REFERENCES "extras_dynamicgroup" ("id")
);

CREATE TABLE "extras_exporttemplate" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "owner_object_id" CHAR(32),
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "template_code" TEXT NOT NULL,
    "mime_type" VARCHAR(255) NOT NULL,
    "file_extension" VARCHAR(255) NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    "owner_content_type_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("content_type_id", "name"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("owner_content_type_id") REFERENCES "django_content_type" ("id")
);

CREATE TABLE "extras_externalintegration" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "remote_url" VARCHAR(500) NOT NULL,
    "verify_ssl" BOOLEAN NOT NULL,
    "timeout" INTEGER NOT NULL,
    "extra_config" JSON,
    "secrets_group_id" CHAR(32),
    "ca_file_path" VARCHAR(255) NOT NULL,
    "headers" JSON,
    "http_method" VARCHAR(10) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("secrets_group_id") REFERENCES "extras_secretsgroup" ("id")
);

CREATE TABLE "extras_fileattachment" (
    "id" CHAR(32) NOT NULL,
    "bytes" BLOB NOT NULL,
    "filename" VARCHAR(255) NOT NULL,
    "mimetype" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "extras_fileproxy" (
    "id" CHAR(32) NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "file" VARCHAR(100) NOT NULL,
    "uploaded_at" DATETIME NOT NULL,
    "job_result_id" CHAR(32),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("job_result_id") REFERENCES "extras_jobresult" ("id")
);

CREATE TABLE "extras_gitrepository" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "slug" VARCHAR(255) NOT NULL,
    "remote_url" VARCHAR(255) NOT NULL,
    "branch" VARCHAR(255) NOT NULL,
    "current_head" VARCHAR(48) NOT NULL,
    "provided_contents" JSON NOT NULL,
    "secrets_group_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    UNIQUE ("slug"),
    FOREIGN KEY ("secrets_group_id") REFERENCES "extras_secretsgroup" ("id")
);

CREATE TABLE "extras_graphqlquery" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "name" VARCHAR(255) NOT NULL,
    "query" TEXT NOT NULL,
    "variables" JSON NOT NULL,
    "owner_content_type_id" INTEGER,
    "owner_object_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("owner_content_type_id") REFERENCES "django_content_type" ("id")
);

CREATE TABLE "extras_healthchecktestmodel" (
    "id" CHAR(32) NOT NULL,
    "title" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "extras_imageattachment" (
    "id" CHAR(32) NOT NULL,
    "object_id" CHAR(32) NOT NULL,
    "image" VARCHAR(100) NOT NULL,
    "image_height" SMALLINT NOT NULL,
    "image_width" SMALLINT NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "created" DATETIME NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id")
);

CREATE TABLE "extras_job" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "module_name" VARCHAR(100) NOT NULL,
    "job_class_name" VARCHAR(100) NOT NULL,
    "grouping" VARCHAR(255) NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "description" TEXT NOT NULL,
    "installed" BOOLEAN NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "dryrun_default" BOOLEAN NOT NULL,
    "hidden" BOOLEAN NOT NULL,
    "read_only" BOOLEAN NOT NULL,
    "soft_time_limit" DOUBLE NOT NULL,
    "time_limit" DOUBLE NOT NULL,
    "grouping_override" BOOLEAN NOT NULL,
    "name_override" BOOLEAN NOT NULL,
    "description_override" BOOLEAN NOT NULL,
    "dryrun_default_override" BOOLEAN NOT NULL,
    "hidden_override" BOOLEAN NOT NULL,
    "soft_time_limit_override" BOOLEAN NOT NULL,
    "time_limit_override" BOOLEAN NOT NULL,
    "has_sensitive_variables" BOOLEAN NOT NULL,
    "has_sensitive_variables_override" BOOLEAN NOT NULL,
    "is_job_hook_receiver" BOOLEAN NOT NULL,
    "job_queues_override" BOOLEAN NOT NULL,
    "is_job_button_receiver" BOOLEAN NOT NULL,
    "supports_dryrun" BOOLEAN NOT NULL,
    "default_job_queue_override" BOOLEAN NOT NULL,
    "default_job_queue_id" CHAR(32) NOT NULL,
    "is_singleton" BOOLEAN NOT NULL,
    "is_singleton_override" BOOLEAN NOT NULL,
    "console_log_default" BOOLEAN NOT NULL,
    "console_log_default_override" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("module_name", "job_class_name"),
    UNIQUE ("name"),
    FOREIGN KEY ("default_job_queue_id") REFERENCES "extras_jobqueue" ("id")
);

CREATE TABLE "extras_jobbutton" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "name" VARCHAR(255) NOT NULL,
    "text" VARCHAR(500) NOT NULL,
    "weight" SMALLINT NOT NULL,
    "group_name" VARCHAR(255) NOT NULL,
    "button_class" VARCHAR(30) NOT NULL,
    "confirmation" BOOLEAN NOT NULL,
    "job_id" CHAR(32) NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("job_id") REFERENCES "extras_job" ("id")
);

CREATE TABLE "extras_jobbutton_content_types" (
    "id" BIGINT NOT NULL,
    "jobbutton_id" CHAR(32) NOT NULL,
    "contenttype_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("jobbutton_id", "contenttype_id"),
    FOREIGN KEY ("contenttype_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("jobbutton_id") REFERENCES "extras_jobbutton" ("id")
);

CREATE TABLE "extras_jobconsoleentry" (
    "id" CHAR(32) NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "output_type" VARCHAR(10) NOT NULL,
    "text" TEXT NOT NULL,
    "job_result_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("job_result_id") REFERENCES "extras_jobresult" ("id")
);

CREATE TABLE "extras_jobhook" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "type_create" BOOLEAN NOT NULL,
    "type_delete" BOOLEAN NOT NULL,
    "type_update" BOOLEAN NOT NULL,
    "job_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("job_id") REFERENCES "extras_job" ("id")
);

CREATE TABLE "extras_jobhook_content_types" (
    "id" BIGINT NOT NULL,
    "jobhook_id" CHAR(32) NOT NULL,
    "contenttype_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("jobhook_id", "contenttype_id"),
    FOREIGN KEY ("contenttype_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("jobhook_id") REFERENCES "extras_jobhook" ("id")
);

CREATE TABLE "extras_joblogentry" (
    "id" CHAR(32) NOT NULL,
    "log_level" VARCHAR(32) NOT NULL,
    "grouping" VARCHAR(100) NOT NULL,
    "message" TEXT NOT NULL,
    "created" DATETIME NOT NULL,
    "log_object" VARCHAR(200) NOT NULL,
    "absolute_url" VARCHAR(255) NOT NULL,
    "job_result_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("job_result_id") REFERENCES "extras_jobresult" ("id")
);

CREATE TABLE "extras_jobqueue" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "queue_type" VARCHAR(50) NOT NULL,
    "tenant_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "extras_jobqueueassignment" (
    "id" CHAR(32) NOT NULL,
    "job_id" CHAR(32) NOT NULL,
    "job_queue_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("job_id", "job_queue_id"),
    FOREIGN KEY ("job_id") REFERENCES "extras_job" ("id"),
    FOREIGN KEY ("job_queue_id") REFERENCES "extras_jobqueue" ("id")
);

CREATE TABLE "extras_jobresult" (
    "id" CHAR(32) NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "date_created" DATETIME NOT NULL,
    "date_done" DATETIME,
    "status" VARCHAR(30) NOT NULL,
    "result" JSON,
    "user_id" CHAR(32),
    "_custom_field_data" JSON NOT NULL,
    "scheduled_job_id" CHAR(32),
    "job_model_id" CHAR(32),
    "task_args" JSON NOT NULL,
    "meta" JSON,
    "task_kwargs" JSON NOT NULL,
    "task_name" VARCHAR(255),
    "traceback" TEXT,
    "worker" VARCHAR(100),
    "celery_kwargs" JSON NOT NULL,
    "date_started" DATETIME,
    "debug_log_count" INTEGER,
    "error_log_count" INTEGER,
    "info_log_count" INTEGER,
    "success_log_count" INTEGER,
    "warning_log_count" INTEGER,
    "cancel_type" VARCHAR(30) NOT NULL,
    "canceled_by_id" CHAR(32),
    "canceled_by_user_name" VARCHAR(150) NOT NULL,
    "date_canceled" DATETIME,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("canceled_by_id") REFERENCES "auth_user" ("id"),
    FOREIGN KEY ("job_model_id") REFERENCES "extras_job" ("id"),
    FOREIGN KEY ("scheduled_job_id") REFERENCES "extras_scheduledjob" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "extras_metadatachoice" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "value" VARCHAR(255) NOT NULL,
    "weight" SMALLINT NOT NULL,
    "metadata_type_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("metadata_type_id", "value"),
    FOREIGN KEY ("metadata_type_id") REFERENCES "extras_metadatatype" ("id")
);

CREATE TABLE "extras_metadatatype" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "data_type" VARCHAR(50) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "extras_metadatatype_content_types" (
    "id" BIGINT NOT NULL,
    "metadatatype_id" CHAR(32) NOT NULL,
    "contenttype_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("metadatatype_id", "contenttype_id"),
    FOREIGN KEY ("contenttype_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("metadatatype_id") REFERENCES "extras_metadatatype" ("id")
);

CREATE TABLE "extras_note" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "assigned_object_id" CHAR(32) NOT NULL,
    "user_name" VARCHAR(150) NOT NULL,
    "note" TEXT NOT NULL,
    "assigned_object_type_id" INTEGER NOT NULL,
    "user_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("assigned_object_type_id", "assigned_object_id", "user_name", "created"),
    FOREIGN KEY ("assigned_object_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "extras_objectchange" (
    "id" CHAR(32) NOT NULL,
    "time" DATETIME NOT NULL,
    "user_name" VARCHAR(150) NOT NULL,
    "request_id" CHAR(32) NOT NULL,
    "action" VARCHAR(50) NOT NULL,
    "changed_object_id" CHAR(32) NOT NULL,
    "related_object_id" CHAR(32),
    "object_repr" VARCHAR(200) NOT NULL,
    "object_data" JSON NOT NULL,
    "changed_object_type_id" INTEGER,
    "related_object_type_id" INTEGER,
    "user_id" CHAR(32),
    "object_data_v2" JSON,
    "change_context" VARCHAR(50) NOT NULL,
    "change_context_detail" VARCHAR(400) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("time", "request_id", "changed_object_type_id", "changed_object_id"),
    FOREIGN KEY ("changed_object_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("related_object_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "extras_objectmetadata" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "scoped_fields" JSON NOT NULL,
    "_value" JSON,
    "assigned_object_id" CHAR(32) NOT NULL,
    "assigned_object_type_id" INTEGER NOT NULL,
    "contact_id" CHAR(32),
    "metadata_type_id" CHAR(32) NOT NULL,
    "team_id" CHAR(32),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("assigned_object_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("contact_id") REFERENCES "extras_contact" ("id"),
    FOREIGN KEY ("metadata_type_id") REFERENCES "extras_metadatatype" ("id"),
    FOREIGN KEY ("team_id") REFERENCES "extras_team" ("id")
);

CREATE TABLE "extras_relationship" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "label" VARCHAR(255) NOT NULL,
    "key" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "type" VARCHAR(50) NOT NULL,
    "source_label" VARCHAR(255) NOT NULL,
    "source_hidden" BOOLEAN NOT NULL,
    "source_filter" JSON,
    "destination_label" VARCHAR(255) NOT NULL,
    "destination_hidden" BOOLEAN NOT NULL,
    "destination_filter" JSON,
    "destination_type_id" INTEGER NOT NULL,
    "source_type_id" INTEGER NOT NULL,
    "advanced_ui" BOOLEAN NOT NULL,
    "required_on" VARCHAR(12) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("key"),
    UNIQUE ("label"),
    FOREIGN KEY ("destination_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("source_type_id") REFERENCES "django_content_type" ("id")
);

CREATE TABLE "extras_relationshipassociation" (
    "id" CHAR(32) NOT NULL,
    "source_id" CHAR(32) NOT NULL,
    "destination_id" CHAR(32) NOT NULL,
    "destination_type_id" INTEGER NOT NULL,
    "relationship_id" CHAR(32) NOT NULL,
    "source_type_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("relationship_id", "source_type_id", "source_id", "destination_type_id", "destination_id"),
    FOREIGN KEY ("destination_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("relationship_id") REFERENCES "extras_relationship" ("id"),
    FOREIGN KEY ("source_type_id") REFERENCES "django_content_type" ("id")
);

CREATE TABLE "extras_role" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "color" VARCHAR(6) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "weight" SMALLINT,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "extras_role_content_types" (
    "id" BIGINT NOT NULL,
    "role_id" CHAR(32) NOT NULL,
    "contenttype_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("role_id", "contenttype_id"),
    FOREIGN KEY ("contenttype_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "extras_role" ("id")
);

CREATE TABLE "extras_savedview" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "name" VARCHAR(255) NOT NULL,
    "view" VARCHAR(255) NOT NULL,
    "config" JSON NOT NULL,
    "is_global_default" BOOLEAN NOT NULL,
    "is_shared" BOOLEAN NOT NULL,
    "owner_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("owner_id", "name", "view"),
    FOREIGN KEY ("owner_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "extras_scheduledjob" (
    "id" CHAR(32) NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "task" VARCHAR(201) NOT NULL,
    "interval" VARCHAR(255) NOT NULL,
    "args" JSON NOT NULL,
    "kwargs" JSON NOT NULL,
    "one_off" BOOLEAN NOT NULL,
    "start_time" DATETIME NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "last_run_at" DATETIME,
    "total_run_count" INTEGER NOT NULL,
    "date_changed" DATETIME NOT NULL,
    "description" TEXT NOT NULL,
    "decision_date" DATETIME,
    "user_id" CHAR(32),
    "job_model_id" CHAR(32),
    "crontab" VARCHAR(255) NOT NULL,
    "celery_kwargs" JSON NOT NULL,
    "time_zone" VARCHAR(63) NOT NULL,
    "job_queue_id" CHAR(32),
    "clocked_id" INTEGER,
    "exchange" VARCHAR(255),
    "expires" DATETIME,
    "expire_seconds" INTEGER,
    "headers" TEXT NOT NULL,
    "priority" INTEGER,
    "routing_key" VARCHAR(255),
    "solar_id" INTEGER,
    "state" VARCHAR(30) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("clocked_id") REFERENCES "django_celery_beat_clockedschedule" ("id"),
    FOREIGN KEY ("job_model_id") REFERENCES "extras_job" ("id"),
    FOREIGN KEY ("job_queue_id") REFERENCES "extras_jobqueue" ("id"),
    FOREIGN KEY ("solar_id") REFERENCES "django_celery_beat_solarschedule" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "extras_scheduledjobs" (
    "ident" SMALLINT NOT NULL,
    "last_update" DATETIME NOT NULL,
    PRIMARY KEY ("ident")
);

CREATE TABLE "extras_secret" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "provider" VARCHAR(255) NOT NULL,
    "parameters" JSON NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "extras_secretsgroup" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "extras_secretsgroupassociation" (
    "id" CHAR(32) NOT NULL,
    "access_type" VARCHAR(32) NOT NULL,
    "secret_type" VARCHAR(32) NOT NULL,
    "secrets_group_id" CHAR(32) NOT NULL,
    "secret_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("secrets_group_id", "access_type", "secret_type"),
    FOREIGN KEY ("secret_id") REFERENCES "extras_secret" ("id"),
    FOREIGN KEY ("secrets_group_id") REFERENCES "extras_secretsgroup" ("id")
);

CREATE TABLE "extras_staticgroupassociation" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "associated_object_id" CHAR(32) NOT NULL,
    "associated_object_type_id" INTEGER NOT NULL,
    "dynamic_group_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("dynamic_group_id", "associated_object_type_id", "associated_object_id"),
    FOREIGN KEY ("associated_object_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("dynamic_group_id") REFERENCES "extras_dynamicgroup" ("id")
);

CREATE TABLE "extras_status" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "color" VARCHAR(6) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "extras_status_content_types" (
    "id" BIGINT NOT NULL,
    "status_id" CHAR(32) NOT NULL,
    "contenttype_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("status_id", "contenttype_id"),
    FOREIGN KEY ("contenttype_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id")
);

CREATE TABLE "extras_tag" (
    "name" VARCHAR(255) NOT NULL,
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "color" VARCHAR(6) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "extras_tag_content_types" (
    "id" BIGINT NOT NULL,
    "tag_id" CHAR(32) NOT NULL,
    "contenttype_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("tag_id", "contenttype_id"),
    FOREIGN KEY ("contenttype_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("tag_id") REFERENCES "extras_tag" ("id")
);

CREATE TABLE "extras_taggeditem" (
    "id" CHAR(32) NOT NULL,
    "object_id" CHAR(32) NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    "tag_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("content_type_id", "object_id", "tag_id"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("tag_id") REFERENCES "extras_tag" ("id")
);

CREATE TABLE "extras_team" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "phone" VARCHAR(255) NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "address" TEXT NOT NULL,
    "comments" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name", "phone", "email")
);

CREATE TABLE "extras_team_contacts" (
    "id" BIGINT NOT NULL,
    "team_id" CHAR(32) NOT NULL,
    "contact_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("team_id", "contact_id"),
    FOREIGN KEY ("contact_id") REFERENCES "extras_contact" ("id"),
    FOREIGN KEY ("team_id") REFERENCES "extras_team" ("id")
);

CREATE TABLE "extras_usersavedviewassociation" (
    "id" CHAR(32) NOT NULL,
    "view_name" VARCHAR(255) NOT NULL,
    "saved_view_id" CHAR(32) NOT NULL,
    "user_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "view_name"),
    FOREIGN KEY ("saved_view_id") REFERENCES "extras_savedview" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "extras_webhook" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "name" VARCHAR(255) NOT NULL,
    "type_create" BOOLEAN NOT NULL,
    "type_update" BOOLEAN NOT NULL,
    "type_delete" BOOLEAN NOT NULL,
    "payload_url" VARCHAR(500) NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "http_method" VARCHAR(30) NOT NULL,
    "http_content_type" VARCHAR(255) NOT NULL,
    "additional_headers" TEXT NOT NULL,
    "body_template" TEXT NOT NULL,
    "secret" VARCHAR(255) NOT NULL,
    "ssl_verification" BOOLEAN NOT NULL,
    "ca_file_path" VARCHAR(4096) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "extras_webhook_content_types" (
    "id" BIGINT NOT NULL,
    "webhook_id" CHAR(32) NOT NULL,
    "contenttype_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("webhook_id", "contenttype_id"),
    FOREIGN KEY ("contenttype_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("webhook_id") REFERENCES "extras_webhook" ("id")
);

CREATE TABLE "ipam_ipaddress" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "host" BLOB NOT NULL,
    "mask_length" INTEGER NOT NULL,
    "dns_name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "nat_inside_id" CHAR(32),
    "status_id" CHAR(32) NOT NULL,
    "tenant_id" CHAR(32),
    "role_id" CHAR(32),
    "ip_version" INTEGER NOT NULL,
    "parent_id" CHAR(32),
    "type" VARCHAR(50) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("parent_id", "host"),
    FOREIGN KEY ("nat_inside_id") REFERENCES "ipam_ipaddress" ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "ipam_prefix" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "extras_role" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "ipam_ipaddressrange" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "start_host" BLOB NOT NULL,
    "end_host" BLOB NOT NULL,
    "ip_version" INTEGER NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "count_as_utilized" BOOLEAN NOT NULL,
    "is_exclusive" BOOLEAN NOT NULL,
    "parent_id" CHAR(32) NOT NULL,
    "role_id" CHAR(32),
    "status_id" CHAR(32) NOT NULL,
    "tenant_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("parent_id", "start_host"),
    FOREIGN KEY ("parent_id") REFERENCES "ipam_prefix" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "extras_role" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "ipam_ipaddresstointerface" (
    "id" CHAR(32) NOT NULL,
    "is_source" BOOLEAN NOT NULL,
    "is_destination" BOOLEAN NOT NULL,
    "is_default" BOOLEAN NOT NULL,
    "is_preferred" BOOLEAN NOT NULL,
    "is_primary" BOOLEAN NOT NULL,
    "is_secondary" BOOLEAN NOT NULL,
    "is_standby" BOOLEAN NOT NULL,
    "interface_id" CHAR(32),
    "ip_address_id" CHAR(32) NOT NULL,
    "vm_interface_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("ip_address_id", "interface_id"),
    UNIQUE ("ip_address_id", "vm_interface_id"),
    FOREIGN KEY ("interface_id") REFERENCES "dcim_interface" ("id"),
    FOREIGN KEY ("ip_address_id") REFERENCES "ipam_ipaddress" ("id"),
    FOREIGN KEY ("vm_interface_id") REFERENCES "virtualization_vminterface" ("id")
);

CREATE TABLE "ipam_namespace" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "location_id" CHAR(32),
    "tenant_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("location_id") REFERENCES "dcim_location" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "ipam_prefix" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "network" BLOB NOT NULL,
    "broadcast" BLOB NOT NULL,
    "prefix_length" INTEGER NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "status_id" CHAR(32) NOT NULL,
    "tenant_id" CHAR(32),
    "vlan_id" CHAR(32),
    "role_id" CHAR(32),
    "type" VARCHAR(50) NOT NULL,
    "date_allocated" DATETIME,
    "rir_id" CHAR(32),
    "ip_version" INTEGER NOT NULL,
    "namespace_id" CHAR(32) NOT NULL,
    "parent_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("namespace_id", "network", "prefix_length"),
    FOREIGN KEY ("namespace_id") REFERENCES "ipam_namespace" ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "ipam_prefix" ("id"),
    FOREIGN KEY ("rir_id") REFERENCES "ipam_rir" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "extras_role" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id"),
    FOREIGN KEY ("vlan_id") REFERENCES "ipam_vlan" ("id")
);

CREATE TABLE "ipam_prefixlocationassignment" (
    "id" CHAR(32) NOT NULL,
    "location_id" CHAR(32) NOT NULL,
    "prefix_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("prefix_id", "location_id"),
    FOREIGN KEY ("location_id") REFERENCES "dcim_location" ("id"),
    FOREIGN KEY ("prefix_id") REFERENCES "ipam_prefix" ("id")
);

CREATE TABLE "ipam_rir" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "is_private" BOOLEAN NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "ipam_routetarget" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(21) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "tenant_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "ipam_service" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "protocol" VARCHAR(50) NOT NULL,
    "ports" JSON NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "device_id" CHAR(32),
    "virtual_machine_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name", "device_id"),
    UNIQUE ("name", "virtual_machine_id"),
    FOREIGN KEY ("device_id") REFERENCES "dcim_device" ("id"),
    FOREIGN KEY ("virtual_machine_id") REFERENCES "virtualization_virtualmachine" ("id")
);

CREATE TABLE "ipam_service_ip_addresses" (
    "id" BIGINT NOT NULL,
    "service_id" CHAR(32) NOT NULL,
    "ipaddress_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("service_id", "ipaddress_id"),
    FOREIGN KEY ("ipaddress_id") REFERENCES "ipam_ipaddress" ("id"),
    FOREIGN KEY ("service_id") REFERENCES "ipam_service" ("id")
);

CREATE TABLE "ipam_vlan" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "vid" SMALLINT NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "vlan_group_id" CHAR(32),
    "status_id" CHAR(32) NOT NULL,
    "tenant_id" CHAR(32),
    "role_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("vlan_group_id", "name"),
    UNIQUE ("vlan_group_id", "vid"),
    FOREIGN KEY ("role_id") REFERENCES "extras_role" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id"),
    FOREIGN KEY ("vlan_group_id") REFERENCES "ipam_vlangroup" ("id")
);

CREATE TABLE "ipam_vlangroup" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "location_id" CHAR(32),
    "range" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("location_id") REFERENCES "dcim_location" ("id")
);

CREATE TABLE "ipam_vlanlocationassignment" (
    "id" CHAR(32) NOT NULL,
    "location_id" CHAR(32) NOT NULL,
    "vlan_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("vlan_id", "location_id"),
    FOREIGN KEY ("location_id") REFERENCES "dcim_location" ("id"),
    FOREIGN KEY ("vlan_id") REFERENCES "ipam_vlan" ("id")
);

CREATE TABLE "ipam_vrf" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "rd" VARCHAR(21),
    "description" VARCHAR(255) NOT NULL,
    "tenant_id" CHAR(32),
    "namespace_id" CHAR(32) NOT NULL,
    "status_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("namespace_id", "rd"),
    FOREIGN KEY ("namespace_id") REFERENCES "ipam_namespace" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "ipam_vrf_export_targets" (
    "id" BIGINT NOT NULL,
    "vrf_id" CHAR(32) NOT NULL,
    "routetarget_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("vrf_id", "routetarget_id"),
    FOREIGN KEY ("routetarget_id") REFERENCES "ipam_routetarget" ("id"),
    FOREIGN KEY ("vrf_id") REFERENCES "ipam_vrf" ("id")
);

CREATE TABLE "ipam_vrf_import_targets" (
    "id" BIGINT NOT NULL,
    "vrf_id" CHAR(32) NOT NULL,
    "routetarget_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("vrf_id", "routetarget_id"),
    FOREIGN KEY ("routetarget_id") REFERENCES "ipam_routetarget" ("id"),
    FOREIGN KEY ("vrf_id") REFERENCES "ipam_vrf" ("id")
);

CREATE TABLE "ipam_vrfdeviceassignment" (
    "id" CHAR(32) NOT NULL,
    "rd" VARCHAR(21),
    "name" VARCHAR(255) NOT NULL,
    "device_id" CHAR(32),
    "virtual_machine_id" CHAR(32),
    "vrf_id" CHAR(32) NOT NULL,
    "virtual_device_context_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("vrf_id", "device_id"),
    UNIQUE ("vrf_id", "virtual_device_context_id"),
    UNIQUE ("vrf_id", "virtual_machine_id"),
    FOREIGN KEY ("device_id") REFERENCES "dcim_device" ("id"),
    FOREIGN KEY ("virtual_device_context_id") REFERENCES "dcim_virtualdevicecontext" ("id"),
    FOREIGN KEY ("virtual_machine_id") REFERENCES "virtualization_virtualmachine" ("id"),
    FOREIGN KEY ("vrf_id") REFERENCES "ipam_vrf" ("id")
);

CREATE TABLE "ipam_vrfprefixassignment" (
    "id" CHAR(32) NOT NULL,
    "prefix_id" CHAR(32) NOT NULL,
    "vrf_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("vrf_id", "prefix_id"),
    FOREIGN KEY ("prefix_id") REFERENCES "ipam_prefix" ("id"),
    FOREIGN KEY ("vrf_id") REFERENCES "ipam_vrf" ("id")
);

CREATE TABLE "load_balancers_certificateprofile" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "certificate_type" VARCHAR(255) NOT NULL,
    "certificate_file_path" VARCHAR(255) NOT NULL,
    "chain_file_path" VARCHAR(255) NOT NULL,
    "key_file_path" VARCHAR(255) NOT NULL,
    "expiration_date" DATETIME,
    "cipher" VARCHAR(255) NOT NULL,
    "tenant_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "load_balancers_healthcheckmonitor" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "interval" INTEGER,
    "retry" INTEGER,
    "timeout" INTEGER,
    "port" INTEGER,
    "health_check_type" VARCHAR(255) NOT NULL,
    "tenant_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "load_balancers_loadbalancerpool" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "load_balancing_algorithm" VARCHAR(255) NOT NULL,
    "health_check_monitor_id" CHAR(32),
    "tenant_id" CHAR(32),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("health_check_monitor_id") REFERENCES "load_balancers_healthcheckmonitor" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "load_balancers_loadbalancerpoolmember" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "port" INTEGER NOT NULL,
    "ssl_offload" BOOLEAN NOT NULL,
    "health_check_monitor_id" CHAR(32),
    "ip_address_id" CHAR(32) NOT NULL,
    "load_balancer_pool_id" CHAR(32) NOT NULL,
    "status_id" CHAR(32) NOT NULL,
    "tenant_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("ip_address_id", "port", "load_balancer_pool_id"),
    FOREIGN KEY ("health_check_monitor_id") REFERENCES "load_balancers_healthcheckmonitor" ("id"),
    FOREIGN KEY ("ip_address_id") REFERENCES "ipam_ipaddress" ("id"),
    FOREIGN KEY ("load_balancer_pool_id") REFERENCES "load_balancers_loadbalancerpool" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "load_balancers_loadbalancerpoolmembercertificateprofileassi0862" (
    "id" CHAR(32) NOT NULL,
    "certificate_profile_id" CHAR(32) NOT NULL,
    "load_balancer_pool_member_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("load_balancer_pool_member_id", "certificate_profile_id"),
    FOREIGN KEY ("certificate_profile_id") REFERENCES "load_balancers_certificateprofile" ("id"),
    FOREIGN KEY ("load_balancer_pool_member_id") REFERENCES "load_balancers_loadbalancerpoolmember" ("id")
);

CREATE TABLE "load_balancers_virtualserver" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "port" INTEGER,
    "protocol" VARCHAR(255) NOT NULL,
    "source_nat_type" VARCHAR(255) NOT NULL,
    "load_balancer_type" VARCHAR(255) NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "ssl_offload" BOOLEAN NOT NULL,
    "cloud_service_id" CHAR(32),
    "device_id" CHAR(32),
    "device_redundancy_group_id" CHAR(32),
    "health_check_monitor_id" CHAR(32),
    "load_balancer_pool_id" CHAR(32),
    "source_nat_pool_id" CHAR(32),
    "tenant_id" CHAR(32),
    "vip_id" CHAR(32) NOT NULL,
    "virtual_chassis_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("vip_id", "port", "protocol"),
    FOREIGN KEY ("cloud_service_id") REFERENCES "cloud_cloudservice" ("id"),
    FOREIGN KEY ("device_id") REFERENCES "dcim_device" ("id"),
    FOREIGN KEY ("device_redundancy_group_id") REFERENCES "dcim_deviceredundancygroup" ("id"),
    FOREIGN KEY ("health_check_monitor_id") REFERENCES "load_balancers_healthcheckmonitor" ("id"),
    FOREIGN KEY ("load_balancer_pool_id") REFERENCES "load_balancers_loadbalancerpool" ("id"),
    FOREIGN KEY ("source_nat_pool_id") REFERENCES "ipam_prefix" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id"),
    FOREIGN KEY ("vip_id") REFERENCES "ipam_ipaddress" ("id"),
    FOREIGN KEY ("virtual_chassis_id") REFERENCES "dcim_virtualchassis" ("id")
);

CREATE TABLE "load_balancers_virtualservercertificateprofileassignment" (
    "id" CHAR(32) NOT NULL,
    "certificate_profile_id" CHAR(32) NOT NULL,
    "virtual_server_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("virtual_server_id", "certificate_profile_id"),
    FOREIGN KEY ("certificate_profile_id") REFERENCES "load_balancers_certificateprofile" ("id"),
    FOREIGN KEY ("virtual_server_id") REFERENCES "load_balancers_virtualserver" ("id")
);

CREATE TABLE "silk_profile" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(300) NOT NULL,
    "start_time" DATETIME NOT NULL,
    "end_time" DATETIME,
    "time_taken" DOUBLE,
    "file_path" VARCHAR(300) NOT NULL,
    "line_num" INTEGER,
    "end_line_num" INTEGER,
    "func_name" VARCHAR(300) NOT NULL,
    "exception_raised" BOOLEAN NOT NULL,
    "dynamic" BOOLEAN NOT NULL,
    "request_id" VARCHAR(36),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("request_id") REFERENCES "silk_request" ("id")
);

CREATE TABLE "silk_profile_queries" (
    "id" BIGINT NOT NULL,
    "profile_id" INTEGER NOT NULL,
    "sqlquery_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("profile_id", "sqlquery_id"),
    FOREIGN KEY ("profile_id") REFERENCES "silk_profile" ("id"),
    FOREIGN KEY ("sqlquery_id") REFERENCES "silk_sqlquery" ("id")
);

CREATE TABLE "silk_request" (
    "id" VARCHAR(36) NOT NULL,
    "path" VARCHAR(190) NOT NULL,
    "query_params" TEXT NOT NULL,
    "raw_body" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "method" VARCHAR(10) NOT NULL,
    "start_time" DATETIME NOT NULL,
    "view_name" VARCHAR(190),
    "end_time" DATETIME,
    "time_taken" DOUBLE,
    "encoded_headers" TEXT NOT NULL,
    "meta_time" DOUBLE,
    "meta_num_queries" INTEGER,
    "meta_time_spent_queries" DOUBLE,
    "pyprofile" TEXT NOT NULL,
    "num_sql_queries" INTEGER NOT NULL,
    "prof_file" VARCHAR(300) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "silk_response" (
    "id" VARCHAR(36) NOT NULL,
    "status_code" INTEGER NOT NULL,
    "raw_body" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "encoded_headers" TEXT NOT NULL,
    "request_id" VARCHAR(36) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("request_id"),
    FOREIGN KEY ("request_id") REFERENCES "silk_request" ("id")
);

CREATE TABLE "silk_sqlquery" (
    "id" INTEGER NOT NULL,
    "query" TEXT NOT NULL,
    "start_time" DATETIME,
    "end_time" DATETIME,
    "time_taken" DOUBLE,
    "traceback" TEXT NOT NULL,
    "request_id" VARCHAR(36),
    "identifier" INTEGER NOT NULL,
    "analysis" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("request_id") REFERENCES "silk_request" ("id")
);

CREATE TABLE "social_auth_association" (
    "id" BIGINT NOT NULL,
    "server_url" VARCHAR(255) NOT NULL,
    "handle" VARCHAR(255) NOT NULL,
    "secret" VARCHAR(255) NOT NULL,
    "issued" INTEGER NOT NULL,
    "lifetime" INTEGER NOT NULL,
    "assoc_type" VARCHAR(64) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("server_url", "handle")
);

CREATE TABLE "social_auth_code" (
    "id" BIGINT NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "code" VARCHAR(32) NOT NULL,
    "verified" BOOLEAN NOT NULL,
    "timestamp" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("email", "code")
);

CREATE TABLE "social_auth_nonce" (
    "id" BIGINT NOT NULL,
    "server_url" VARCHAR(255) NOT NULL,
    "timestamp" INTEGER NOT NULL,
    "salt" VARCHAR(65) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("server_url", "timestamp", "salt")
);

CREATE TABLE "social_auth_partial" (
    "id" BIGINT NOT NULL,
    "token" VARCHAR(32) NOT NULL,
    "next_step" SMALLINT NOT NULL,
    "backend" VARCHAR(32) NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "data" JSON NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "social_auth_usersocialauth" (
    "id" BIGINT NOT NULL,
    "provider" VARCHAR(32) NOT NULL,
    "uid" VARCHAR(255) NOT NULL,
    "user_id" CHAR(32) NOT NULL,
    "created" DATETIME NOT NULL,
    "modified" DATETIME NOT NULL,
    "extra_data" JSON NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("provider", "uid"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "taggit_tag" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "slug" VARCHAR(100) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    UNIQUE ("slug")
);

CREATE TABLE "taggit_taggeditem" (
    "id" INTEGER NOT NULL,
    "object_id" INTEGER NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("content_type_id", "object_id", "tag_id"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("tag_id") REFERENCES "taggit_tag" ("id")
);

CREATE TABLE "tenancy_tenant" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "comments" TEXT NOT NULL,
    "tenant_group_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("tenant_group_id") REFERENCES "tenancy_tenantgroup" ("id")
);

CREATE TABLE "tenancy_tenantgroup" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "parent_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("parent_id") REFERENCES "tenancy_tenantgroup" ("id")
);

CREATE TABLE "users_objectpermission" (
    "id" CHAR(32) NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "actions" JSON NOT NULL,
    "constraints" JSON,
    "created" DATETIME,
    "last_updated" DATETIME,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "users_objectpermission_groups" (
    "id" BIGINT NOT NULL,
    "objectpermission_id" CHAR(32) NOT NULL,
    "group_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("objectpermission_id", "group_id"),
    FOREIGN KEY ("group_id") REFERENCES "auth_group" ("id"),
    FOREIGN KEY ("objectpermission_id") REFERENCES "users_objectpermission" ("id")
);

CREATE TABLE "users_objectpermission_object_types" (
    "id" BIGINT NOT NULL,
    "objectpermission_id" CHAR(32) NOT NULL,
    "contenttype_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("objectpermission_id", "contenttype_id"),
    FOREIGN KEY ("contenttype_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("objectpermission_id") REFERENCES "users_objectpermission" ("id")
);

CREATE TABLE "users_objectpermission_users" (
    "id" BIGINT NOT NULL,
    "objectpermission_id" CHAR(32) NOT NULL,
    "user_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("objectpermission_id", "user_id"),
    FOREIGN KEY ("objectpermission_id") REFERENCES "users_objectpermission" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "users_token" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME NOT NULL,
    "expires" DATETIME,
    "key" VARCHAR(40) NOT NULL,
    "write_enabled" BOOLEAN NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "user_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("key"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "virtualization_cluster" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "comments" TEXT NOT NULL,
    "cluster_group_id" CHAR(32),
    "tenant_id" CHAR(32),
    "cluster_type_id" CHAR(32) NOT NULL,
    "location_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("cluster_group_id") REFERENCES "virtualization_clustergroup" ("id"),
    FOREIGN KEY ("cluster_type_id") REFERENCES "virtualization_clustertype" ("id"),
    FOREIGN KEY ("location_id") REFERENCES "dcim_location" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "virtualization_clustergroup" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "virtualization_clustertype" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "virtualization_virtualmachine" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "local_config_context_data" JSON,
    "local_config_context_data_owner_object_id" CHAR(32),
    "name" VARCHAR(255) NOT NULL,
    "vcpus" SMALLINT,
    "memory" INTEGER,
    "disk" INTEGER,
    "comments" TEXT NOT NULL,
    "cluster_id" CHAR(32) NOT NULL,
    "local_config_context_data_owner_content_type_id" INTEGER,
    "platform_id" CHAR(32),
    "primary_ip4_id" CHAR(32),
    "primary_ip6_id" CHAR(32),
    "status_id" CHAR(32) NOT NULL,
    "tenant_id" CHAR(32),
    "local_config_context_schema_id" CHAR(32),
    "role_id" CHAR(32),
    "software_version_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("cluster_id", "tenant_id", "name"),
    FOREIGN KEY ("cluster_id") REFERENCES "virtualization_cluster" ("id"),
    FOREIGN KEY ("local_config_context_data_owner_content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("local_config_context_schema_id") REFERENCES "extras_configcontextschema" ("id"),
    FOREIGN KEY ("platform_id") REFERENCES "dcim_platform" ("id"),
    FOREIGN KEY ("primary_ip4_id") REFERENCES "ipam_ipaddress" ("id"),
    FOREIGN KEY ("primary_ip6_id") REFERENCES "ipam_ipaddress" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "extras_role" ("id"),
    FOREIGN KEY ("software_version_id") REFERENCES "dcim_softwareversion" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "virtualization_virtualmachine_software_image_files" (
    "id" BIGINT NOT NULL,
    "virtualmachine_id" CHAR(32) NOT NULL,
    "softwareimagefile_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("virtualmachine_id", "softwareimagefile_id"),
    FOREIGN KEY ("softwareimagefile_id") REFERENCES "dcim_softwareimagefile" ("id"),
    FOREIGN KEY ("virtualmachine_id") REFERENCES "virtualization_virtualmachine" ("id")
);

CREATE TABLE "virtualization_vminterface" (
    "id" CHAR(32) NOT NULL,
    "_custom_field_data" JSON NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "mac_address" VARCHAR(18) NOT NULL,
    "mtu" INTEGER,
    "mode" VARCHAR(50) NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "_name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "untagged_vlan_id" CHAR(32),
    "virtual_machine_id" CHAR(32) NOT NULL,
    "status_id" CHAR(32) NOT NULL,
    "parent_interface_id" CHAR(32),
    "bridge_id" CHAR(32),
    "created" DATETIME,
    "last_updated" DATETIME,
    "vrf_id" CHAR(32),
    "role_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("virtual_machine_id", "name"),
    FOREIGN KEY ("bridge_id") REFERENCES "virtualization_vminterface" ("id"),
    FOREIGN KEY ("parent_interface_id") REFERENCES "virtualization_vminterface" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "extras_role" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id"),
    FOREIGN KEY ("untagged_vlan_id") REFERENCES "ipam_vlan" ("id"),
    FOREIGN KEY ("virtual_machine_id") REFERENCES "virtualization_virtualmachine" ("id"),
    FOREIGN KEY ("vrf_id") REFERENCES "ipam_vrf" ("id")
);

CREATE TABLE "virtualization_vminterface_tagged_vlans" (
    "id" BIGINT NOT NULL,
    "vminterface_id" CHAR(32) NOT NULL,
    "vlan_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("vminterface_id", "vlan_id"),
    FOREIGN KEY ("vlan_id") REFERENCES "ipam_vlan" ("id"),
    FOREIGN KEY ("vminterface_id") REFERENCES "virtualization_vminterface" ("id")
);

CREATE TABLE "vpn_vpn" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "vpn_id" VARCHAR(255) NOT NULL,
    "role_id" CHAR(32),
    "tenant_id" CHAR(32),
    "vpn_profile_id" CHAR(32),
    "extra_attributes" JSON NOT NULL,
    "service_type" VARCHAR(255) NOT NULL,
    "status_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("role_id") REFERENCES "extras_role" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id"),
    FOREIGN KEY ("vpn_profile_id") REFERENCES "vpn_vpnprofile" ("id")
);

CREATE TABLE "vpn_vpnphase1policy" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "ike_version" VARCHAR(255) NOT NULL,
    "aggressive_mode" BOOLEAN NOT NULL,
    "encryption_algorithm" JSON,
    "integrity_algorithm" JSON,
    "dh_group" JSON,
    "lifetime_seconds" INTEGER,
    "lifetime_kb" INTEGER,
    "authentication_method" VARCHAR(255) NOT NULL,
    "tenant_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "vpn_vpnphase2policy" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "encryption_algorithm" JSON,
    "integrity_algorithm" JSON,
    "pfs_group" JSON,
    "lifetime" INTEGER,
    "tenant_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "vpn_vpnprofile" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "keepalive_enabled" BOOLEAN NOT NULL,
    "keepalive_interval" INTEGER,
    "keepalive_retries" INTEGER,
    "nat_traversal" BOOLEAN NOT NULL,
    "extra_options" JSON,
    "role_id" CHAR(32),
    "secrets_group_id" CHAR(32),
    "tenant_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("role_id") REFERENCES "extras_role" ("id"),
    FOREIGN KEY ("secrets_group_id") REFERENCES "extras_secretsgroup" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);

CREATE TABLE "vpn_vpnprofilephase1policyassignment" (
    "id" CHAR(32) NOT NULL,
    "weight" INTEGER NOT NULL,
    "vpn_phase1_policy_id" CHAR(32) NOT NULL,
    "vpn_profile_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("vpn_profile_id", "vpn_phase1_policy_id"),
    FOREIGN KEY ("vpn_phase1_policy_id") REFERENCES "vpn_vpnphase1policy" ("id"),
    FOREIGN KEY ("vpn_profile_id") REFERENCES "vpn_vpnprofile" ("id")
);

CREATE TABLE "vpn_vpnprofilephase2policyassignment" (
    "id" CHAR(32) NOT NULL,
    "weight" INTEGER NOT NULL,
    "vpn_phase2_policy_id" CHAR(32) NOT NULL,
    "vpn_profile_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("vpn_profile_id", "vpn_phase2_policy_id"),
    FOREIGN KEY ("vpn_phase2_policy_id") REFERENCES "vpn_vpnphase2policy" ("id"),
    FOREIGN KEY ("vpn_profile_id") REFERENCES "vpn_vpnprofile" ("id")
);

CREATE TABLE "vpn_vpntermination" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "interface_id" CHAR(32),
    "vlan_id" CHAR(32),
    "vm_interface_id" CHAR(32),
    "vpn_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("interface_id"),
    UNIQUE ("vlan_id"),
    UNIQUE ("vm_interface_id"),
    FOREIGN KEY ("interface_id") REFERENCES "dcim_interface" ("id"),
    FOREIGN KEY ("vlan_id") REFERENCES "ipam_vlan" ("id"),
    FOREIGN KEY ("vm_interface_id") REFERENCES "virtualization_vminterface" ("id"),
    FOREIGN KEY ("vpn_id") REFERENCES "vpn_vpn" ("id")
);

CREATE TABLE "vpn_vpntunnel" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "tunnel_id" VARCHAR(255) NOT NULL,
    "encapsulation" VARCHAR(255) NOT NULL,
    "endpoint_a_id" CHAR(32),
    "endpoint_z_id" CHAR(32),
    "role_id" CHAR(32),
    "status_id" CHAR(32) NOT NULL,
    "tenant_id" CHAR(32),
    "vpn_id" CHAR(32),
    "vpn_profile_id" CHAR(32),
    "secrets_group_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("endpoint_a_id") REFERENCES "vpn_vpntunnelendpoint" ("id"),
    FOREIGN KEY ("endpoint_z_id") REFERENCES "vpn_vpntunnelendpoint" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "extras_role" ("id"),
    FOREIGN KEY ("secrets_group_id") REFERENCES "extras_secretsgroup" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "extras_status" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id"),
    FOREIGN KEY ("vpn_id") REFERENCES "vpn_vpn" ("id"),
    FOREIGN KEY ("vpn_profile_id") REFERENCES "vpn_vpnprofile" ("id")
);

CREATE TABLE "vpn_vpntunnelendpoint" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "source_fqdn" VARCHAR(255) NOT NULL,
    "device_id" CHAR(32),
    "role_id" CHAR(32),
    "source_interface_id" CHAR(32),
    "source_ipaddress_id" CHAR(32),
    "tenant_id" CHAR(32),
    "tunnel_interface_id" CHAR(32),
    "vpn_profile_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("source_interface_id"),
    UNIQUE ("tunnel_interface_id"),
    FOREIGN KEY ("device_id") REFERENCES "dcim_device" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "extras_role" ("id"),
    FOREIGN KEY ("source_interface_id") REFERENCES "dcim_interface" ("id"),
    FOREIGN KEY ("source_ipaddress_id") REFERENCES "ipam_ipaddress" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id"),
    FOREIGN KEY ("tunnel_interface_id") REFERENCES "dcim_interface" ("id"),
    FOREIGN KEY ("vpn_profile_id") REFERENCES "vpn_vpnprofile" ("id")
);

CREATE TABLE "vpn_vpntunnelendpoint_protected_prefixes" (
    "id" BIGINT NOT NULL,
    "vpntunnelendpoint_id" CHAR(32) NOT NULL,
    "prefix_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("vpntunnelendpoint_id", "prefix_id"),
    FOREIGN KEY ("prefix_id") REFERENCES "ipam_prefix" ("id"),
    FOREIGN KEY ("vpntunnelendpoint_id") REFERENCES "vpn_vpntunnelendpoint" ("id")
);

CREATE TABLE "vpn_vpntunnelendpoint_protected_prefixes_dg" (
    "id" BIGINT NOT NULL,
    "vpntunnelendpoint_id" CHAR(32) NOT NULL,
    "dynamicgroup_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("vpntunnelendpoint_id", "dynamicgroup_id"),
    FOREIGN KEY ("dynamicgroup_id") REFERENCES "extras_dynamicgroup" ("id"),
    FOREIGN KEY ("vpntunnelendpoint_id") REFERENCES "vpn_vpntunnelendpoint" ("id")
);

CREATE TABLE "wireless_controllermanageddevicegroupradioprofileassignment" (
    "id" CHAR(32) NOT NULL,
    "controller_managed_device_group_id" CHAR(32) NOT NULL,
    "radio_profile_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("controller_managed_device_group_id", "radio_profile_id"),
    FOREIGN KEY ("controller_managed_device_group_id") REFERENCES "dcim_controllermanageddevicegroup" ("id"),
    FOREIGN KEY ("radio_profile_id") REFERENCES "wireless_radioprofile" ("id")
);

CREATE TABLE "wireless_controllermanageddevicegroupwirelessnetworkassignment" (
    "id" CHAR(32) NOT NULL,
    "controller_managed_device_group_id" CHAR(32) NOT NULL,
    "vlan_id" CHAR(32),
    "wireless_network_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("controller_managed_device_group_id", "wireless_network_id"),
    FOREIGN KEY ("controller_managed_device_group_id") REFERENCES "dcim_controllermanageddevicegroup" ("id"),
    FOREIGN KEY ("vlan_id") REFERENCES "ipam_vlan" ("id"),
    FOREIGN KEY ("wireless_network_id") REFERENCES "wireless_wirelessnetwork" ("id")
);

CREATE TABLE "wireless_radioprofile" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "frequency" VARCHAR(255) NOT NULL,
    "tx_power_min" INTEGER,
    "tx_power_max" INTEGER,
    "channel_width" JSON,
    "allowed_channel_list" JSON,
    "regulatory_domain" VARCHAR(255) NOT NULL,
    "rx_power_min" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "wireless_radioprofile_supported_data_rates" (
    "id" BIGINT NOT NULL,
    "radioprofile_id" CHAR(32) NOT NULL,
    "supporteddatarate_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("radioprofile_id", "supporteddatarate_id"),
    FOREIGN KEY ("radioprofile_id") REFERENCES "wireless_radioprofile" ("id"),
    FOREIGN KEY ("supporteddatarate_id") REFERENCES "wireless_supporteddatarate" ("id")
);

CREATE TABLE "wireless_supporteddatarate" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "standard" VARCHAR(255) NOT NULL,
    "rate" INTEGER NOT NULL,
    "mcs_index" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("standard", "rate")
);

CREATE TABLE "wireless_wirelessnetwork" (
    "id" CHAR(32) NOT NULL,
    "created" DATETIME,
    "last_updated" DATETIME,
    "_custom_field_data" JSON NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" VARCHAR(255) NOT NULL,
    "ssid" VARCHAR(255) NOT NULL,
    "mode" VARCHAR(255) NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "authentication" VARCHAR(255) NOT NULL,
    "hidden" BOOLEAN NOT NULL,
    "secrets_group_id" CHAR(32),
    "tenant_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("secrets_group_id") REFERENCES "extras_secretsgroup" ("id"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenancy_tenant" ("id")
);
