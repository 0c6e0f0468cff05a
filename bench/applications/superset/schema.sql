CREATE TABLE "ab_api_key" (
    "id" INTEGER NOT NULL,
    "uuid" VARCHAR(36) NOT NULL,
    "name" VARCHAR(256) NOT NULL,
    "key_hash" VARCHAR(256) NOT NULL,
    "lookup_hash" VARCHAR(256),
    "key_prefix" VARCHAR(16) NOT NULL,
    "user_id" INTEGER NOT NULL,
    "scopes" TEXT,
    "active" BOOLEAN NOT NULL,
    "created_on" DATETIME,
    "expires_on" DATETIME,
    "revoked_on" DATETIME,
    "last_used_on" DATETIME,
    PRIMARY KEY ("id"),
    UNIQUE ("lookup_hash"),
    UNIQUE ("uuid"),
    FOREIGN KEY ("user_id") REFERENCES "ab_user" ("id")
);

CREATE TABLE "ab_group" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "label" VARCHAR(150),
    "description" VARCHAR(512),
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "ab_group_role" (
    "id" INTEGER NOT NULL,
    "group_id" INTEGER,
    "role_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("group_id", "role_id"),
    FOREIGN KEY ("group_id") REFERENCES "ab_group" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "ab_role" ("id")
);

CREATE TABLE "ab_permission" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "ab_permission_view" (
    "id" INTEGER NOT NULL,
    "permission_id" INTEGER,
    "view_menu_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("permission_id", "view_menu_id"),
    FOREIGN KEY ("permission_id") REFERENCES "ab_permission" ("id"),
    FOREIGN KEY ("view_menu_id") REFERENCES "ab_view_menu" ("id")
);

CREATE TABLE "ab_permission_view_role" (
    "id" INTEGER NOT NULL,
    "permission_view_id" INTEGER,
    "role_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("permission_view_id", "role_id"),
    FOREIGN KEY ("permission_view_id") REFERENCES "ab_permission_view" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "ab_role" ("id")
);

CREATE TABLE "ab_register_user" (
    "id" INTEGER NOT NULL,
    "first_name" VARCHAR(64) NOT NULL,
    "last_name" VARCHAR(64) NOT NULL,
    "username" VARCHAR(128) NOT NULL,
    "password" VARCHAR(256),
    "email" VARCHAR(320) NOT NULL,
    "registration_date" DATETIME,
    "registration_hash" VARCHAR(256),
    PRIMARY KEY ("id"),
    UNIQUE ("email"),
    UNIQUE ("username")
);

CREATE TABLE "ab_role" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(64) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "ab_user" (
    "id" INTEGER NOT NULL,
    "first_name" VARCHAR(64) NOT NULL,
    "last_name" VARCHAR(64) NOT NULL,
    "username" VARCHAR(128) NOT NULL,
    "password" VARCHAR(256),
    "active" BOOLEAN,
    "email" VARCHAR(320) NOT NULL,
    "last_login" DATETIME,
    "login_count" INTEGER,
    "fail_login_count" INTEGER,
    "created_on" DATETIME,
    "changed_on" DATETIME,
    "created_by_fk" INTEGER,
    "changed_by_fk" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("email"),
    UNIQUE ("username"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id")
);

CREATE TABLE "ab_user_group" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "group_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "group_id"),
    FOREIGN KEY ("group_id") REFERENCES "ab_group" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "ab_user" ("id")
);

CREATE TABLE "ab_user_role" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "role_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "role_id"),
    FOREIGN KEY ("role_id") REFERENCES "ab_role" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "ab_user" ("id")
);

CREATE TABLE "ab_view_menu" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "alembic_version" (
    "version_num" VARCHAR(32) NOT NULL,
    PRIMARY KEY ("version_num")
);

CREATE TABLE "annotation" (
    "created_on" DATETIME,
    "changed_on" DATETIME,
    "id" INTEGER NOT NULL,
    "start_dttm" DATETIME,
    "end_dttm" DATETIME,
    "layer_id" INTEGER,
    "short_descr" VARCHAR(500),
    "long_descr" TEXT,
    "changed_by_fk" INTEGER,
    "created_by_fk" INTEGER,
    "json_metadata" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("layer_id") REFERENCES "annotation_layer" ("id")
);

CREATE TABLE "annotation_layer" (
    "created_on" DATETIME,
    "changed_on" DATETIME,
    "id" INTEGER NOT NULL,
    "name" VARCHAR(250),
    "descr" TEXT,
    "changed_by_fk" INTEGER,
    "created_by_fk" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id")
);

CREATE TABLE "cache_keys" (
    "id" INTEGER NOT NULL,
    "cache_key" VARCHAR(256) NOT NULL,
    "cache_timeout" INTEGER,
    "datasource_uid" VARCHAR(64) NOT NULL,
    "created_on" DATETIME,
    PRIMARY KEY ("id")
);

CREATE TABLE "css_templates" (
    "created_on" DATETIME NOT NULL,
    "changed_on" DATETIME NOT NULL,
    "id" INTEGER NOT NULL,
    "template_name" VARCHAR(250),
    "css" TEXT,
    "changed_by_fk" INTEGER,
    "created_by_fk" INTEGER,
    "uuid" NUMERIC(16),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id")
);

CREATE TABLE "dashboard_roles" (
    "id" INTEGER NOT NULL,
    "role_id" INTEGER NOT NULL,
    "dashboard_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dashboard_id") REFERENCES "dashboards" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "ab_role" ("id")
);

CREATE TABLE "dashboard_slices" (
    "id" INTEGER NOT NULL,
    "dashboard_id" INTEGER,
    "slice_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("dashboard_id", "slice_id"),
    FOREIGN KEY ("dashboard_id") REFERENCES "dashboards" ("id"),
    FOREIGN KEY ("slice_id") REFERENCES "slices" ("id")
);

CREATE TABLE "dashboard_user" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "dashboard_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dashboard_id") REFERENCES "dashboards" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "ab_user" ("id")
);

CREATE TABLE "dashboards" (
    "created_on" DATETIME NOT NULL,
    "changed_on" DATETIME NOT NULL,
    "id" INTEGER NOT NULL,
    "dashboard_title" VARCHAR(500),
    "position_json" TEXT,
    "created_by_fk" INTEGER,
    "changed_by_fk" INTEGER,
    "css" TEXT,
    "description" TEXT,
    "slug" VARCHAR(255),
    "json_metadata" TEXT,
    "published" BOOLEAN,
    "uuid" NUMERIC(16),
    "certified_by" TEXT,
    "certification_details" TEXT,
    "is_managed_externally" BOOLEAN NOT NULL,
    "external_url" TEXT,
    "theme_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("uuid"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("theme_id") REFERENCES "themes" ("id")
);

CREATE TABLE "database_user_oauth2_tokens" (
    "created_on" DATETIME,
    "changed_on" DATETIME,
    "id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "database_id" INTEGER NOT NULL,
    "access_token" BLOB,
    "access_token_expiration" DATETIME,
    "refresh_token" BLOB,
    "created_by_fk" INTEGER,
    "changed_by_fk" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("database_id") REFERENCES "dbs" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "ab_user" ("id")
);

CREATE TABLE "dbs" (
    "created_on" DATETIME NOT NULL,
    "changed_on" DATETIME NOT NULL,
    "id" INTEGER NOT NULL,
    "database_name" VARCHAR(250) NOT NULL,
    "sqlalchemy_uri" VARCHAR(1024) NOT NULL,
    "created_by_fk" INTEGER,
    "changed_by_fk" INTEGER,
    "password" BLOB,
    "cache_timeout" INTEGER,
    "extra" TEXT,
    "select_as_create_table_as" BOOLEAN,
    "allow_ctas" BOOLEAN,
    "expose_in_sqllab" BOOLEAN,
    "force_ctas_schema" VARCHAR(250),
    "allow_run_async" BOOLEAN,
    "allow_dml" BOOLEAN,
    "verbose_name" VARCHAR(250),
    "impersonate_user" BOOLEAN,
    "allow_file_upload" BOOLEAN NOT NULL,
    "encrypted_extra" BLOB,
    "server_cert" BLOB,
    "allow_cvas" BOOLEAN,
    "uuid" NUMERIC(16),
    "configuration_method" VARCHAR(255),
    "is_managed_externally" BOOLEAN NOT NULL,
    "external_url" TEXT,
    PRIMARY KEY ("id"),
    UNIQUE ("database_name"),
    UNIQUE ("uuid"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id")
);

CREATE TABLE "dynamic_plugin" (
    "created_on" DATETIME,
    "changed_on" DATETIME,
    "id" INTEGER NOT NULL,
    "name" VARCHAR(50) NOT NULL,
    "key" VARCHAR(50) NOT NULL,
    "bundle_url" VARCHAR(1000) NOT NULL,
    "created_by_fk" INTEGER,
    "changed_by_fk" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("key"),
    UNIQUE ("name"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id")
);

CREATE TABLE "embedded_dashboards" (
    "created_on" DATETIME,
    "changed_on" DATETIME,
    "allow_domain_list" TEXT,
    "uuid" NUMERIC(16),
    "dashboard_id" INTEGER NOT NULL,
    "changed_by_fk" INTEGER,
    "created_by_fk" INTEGER,
    FOREIGN KEY ("dashboard_id") REFERENCES "dashboards" ("id")
);

CREATE TABLE "favstar" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "class_name" VARCHAR(50),
    "obj_id" INTEGER,
    "dttm" DATETIME,
    "uuid" NUMERIC(16),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "ab_user" ("id")
);

CREATE TABLE "key_value" (
    "id" INTEGER NOT NULL,
    "resource" VARCHAR(32) NOT NULL,
    "value" BLOB NOT NULL,
    "uuid" NUMERIC(16),
    "created_on" DATETIME,
    "created_by_fk" INTEGER,
    "changed_on" DATETIME,
    "changed_by_fk" INTEGER,
    "expires_on" DATETIME,
    PRIMARY KEY ("id"),
    UNIQUE ("uuid"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id")
);

CREATE TABLE "keyvalue" (
    "id" INTEGER NOT NULL,
    "value" TEXT NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "logs" (
    "id" INTEGER NOT NULL,
    "action" VARCHAR(512),
    "user_id" INTEGER,
    "json" TEXT,
    "dttm" DATETIME,
    "dashboard_id" INTEGER,
    "slice_id" INTEGER,
    "duration_ms" INTEGER,
    "referrer" VARCHAR(1024),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "ab_user" ("id")
);

CREATE TABLE "query" (
    "id" INTEGER NOT NULL,
    "client_id" VARCHAR(11) NOT NULL,
    "database_id" INTEGER NOT NULL,
    "tmp_table_name" VARCHAR(256),
    "tab_name" VARCHAR(256),
    "sql_editor_id" VARCHAR(256),
    "user_id" INTEGER,
    "status" VARCHAR(16),
    "schema" VARCHAR(256),
    "sql" TEXT,
    "select_sql" TEXT,
    "executed_sql" TEXT,
    "limit" INTEGER,
    "select_as_cta" BOOLEAN,
    "select_as_cta_used" BOOLEAN,
    "progress" INTEGER,
    "rows" INTEGER,
    "error_message" TEXT,
    "start_time" NUMERIC(20, 6),
    "changed_on" DATETIME,
    "end_time" NUMERIC(20, 6),
    "results_key" VARCHAR(64),
    "start_running_time" NUMERIC(20, 6),
    "end_result_backend_time" NUMERIC(20, 6),
    "tracking_url" TEXT,
    "extra_json" TEXT,
    "tmp_schema_name" VARCHAR(256),
    "ctas_method" VARCHAR(16),
    "limiting_factor" VARCHAR(255),
    "catalog" VARCHAR(256),
    PRIMARY KEY ("id"),
    UNIQUE ("client_id"),
    FOREIGN KEY ("database_id") REFERENCES "dbs" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "ab_user" ("id")
);

CREATE TABLE "report_execution_log" (
    "id" INTEGER NOT NULL,
    "scheduled_dttm" DATETIME NOT NULL,
    "start_dttm" DATETIME,
    "end_dttm" DATETIME,
    "value" FLOAT,
    "value_row_json" TEXT,
    "state" VARCHAR(50) NOT NULL,
    "error_message" TEXT,
    "report_schedule_id" INTEGER NOT NULL,
    "uuid" NUMERIC(16),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("report_schedule_id") REFERENCES "report_schedule" ("id")
);

CREATE TABLE "report_recipient" (
    "id" INTEGER NOT NULL,
    "type" VARCHAR(50) NOT NULL,
    "recipient_config_json" TEXT,
    "report_schedule_id" INTEGER NOT NULL,
    "created_on" DATETIME,
    "changed_on" DATETIME,
    "created_by_fk" INTEGER,
    "changed_by_fk" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("report_schedule_id") REFERENCES "report_schedule" ("id")
);

CREATE TABLE "report_schedule" (
    "id" INTEGER NOT NULL,
    "type" VARCHAR(50) NOT NULL,
    "name" VARCHAR(150) NOT NULL,
    "description" TEXT,
    "context_markdown" TEXT,
    "active" BOOLEAN,
    "crontab" VARCHAR(1000) NOT NULL,
    "sql" TEXT,
    "chart_id" INTEGER,
    "dashboard_id" INTEGER,
    "database_id" INTEGER,
    "last_eval_dttm" DATETIME,
    "last_state" VARCHAR(50),
    "last_value" FLOAT,
    "last_value_row_json" TEXT,
    "validator_type" VARCHAR(100),
    "validator_config_json" TEXT,
    "log_retention" INTEGER,
    "grace_period" INTEGER,
    "working_timeout" INTEGER,
    "created_on" DATETIME,
    "changed_on" DATETIME,
    "created_by_fk" INTEGER,
    "changed_by_fk" INTEGER,
    "report_format" VARCHAR(50),
    "creation_method" VARCHAR(255),
    "timezone" VARCHAR(100) NOT NULL,
    "extra_json" TEXT NOT NULL,
    "force_screenshot" BOOLEAN,
    "custom_width" INTEGER,
    "custom_height" INTEGER,
    "email_subject" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("name", "type"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("chart_id") REFERENCES "slices" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("dashboard_id") REFERENCES "dashboards" ("id"),
    FOREIGN KEY ("database_id") REFERENCES "dbs" ("id")
);

CREATE TABLE "report_schedule_user" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "report_schedule_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("report_schedule_id") REFERENCES "report_schedule" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "ab_user" ("id")
);

CREATE TABLE "rls_filter_roles" (
    "id" INTEGER NOT NULL,
    "role_id" INTEGER NOT NULL,
    "rls_filter_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("rls_filter_id") REFERENCES "row_level_security_filters" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "ab_role" ("id")
);

CREATE TABLE "rls_filter_tables" (
    "id" INTEGER NOT NULL,
    "table_id" INTEGER,
    "rls_filter_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("rls_filter_id") REFERENCES "row_level_security_filters" ("id"),
    FOREIGN KEY ("table_id") REFERENCES "tables" ("id")
);

CREATE TABLE "row_level_security_filters" (
    "created_on" DATETIME,
    "changed_on" DATETIME,
    "id" INTEGER NOT NULL,
    "clause" TEXT NOT NULL,
    "created_by_fk" INTEGER,
    "changed_by_fk" INTEGER,
    "filter_type" VARCHAR(255),
    "group_key" VARCHAR(255),
    "name" VARCHAR(255) NOT NULL,
    "description" TEXT,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id")
);

CREATE TABLE "saved_query" (
    "created_on" DATETIME,
    "changed_on" DATETIME,
    "id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "db_id" INTEGER,
    "label" VARCHAR(256),
    "schema" VARCHAR(128),
    "sql" TEXT,
    "description" TEXT,
    "changed_by_fk" INTEGER,
    "created_by_fk" INTEGER,
    "extra_json" TEXT,
    "last_run" DATETIME,
    "rows" INTEGER,
    "uuid" NUMERIC(16),
    "template_parameters" TEXT,
    "catalog" VARCHAR(256),
    PRIMARY KEY ("id"),
    UNIQUE ("uuid"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("db_id") REFERENCES "dbs" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "ab_user" ("id")
);

CREATE TABLE "slice_user" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "slice_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("slice_id") REFERENCES "slices" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "ab_user" ("id")
);

CREATE TABLE "slices" (
    "created_on" DATETIME NOT NULL,
    "changed_on" DATETIME NOT NULL,
    "id" INTEGER NOT NULL,
    "slice_name" VARCHAR(250),
    "datasource_type" VARCHAR(200),
    "datasource_name" VARCHAR(2000),
    "viz_type" VARCHAR(250),
    "params" TEXT,
    "created_by_fk" INTEGER,
    "changed_by_fk" INTEGER,
    "description" TEXT,
    "cache_timeout" INTEGER,
    "perm" VARCHAR(2000),
    "datasource_id" INTEGER,
    "schema_perm" VARCHAR(1000),
    "uuid" NUMERIC(16),
    "query_context" TEXT,
    "last_saved_at" DATETIME,
    "last_saved_by_fk" INTEGER,
    "certified_by" TEXT,
    "certification_details" TEXT,
    "is_managed_externally" BOOLEAN NOT NULL,
    "external_url" TEXT,
    "catalog_perm" VARCHAR(1000),
    PRIMARY KEY ("id"),
    UNIQUE ("uuid"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("last_saved_by_fk") REFERENCES "ab_user" ("id")
);

CREATE TABLE "sql_metrics" (
    "created_on" DATETIME NOT NULL,
    "changed_on" DATETIME NOT NULL,
    "id" INTEGER NOT NULL,
    "metric_name" VARCHAR(255) NOT NULL,
    "verbose_name" VARCHAR(1024),
    "metric_type" VARCHAR(32),
    "table_id" INTEGER,
    "expression" TEXT NOT NULL,
    "description" TEXT,
    "created_by_fk" INTEGER,
    "changed_by_fk" INTEGER,
    "d3format" VARCHAR(128),
    "warning_text" TEXT,
    "extra" TEXT,
    "uuid" NUMERIC(16),
    "currency" JSON,
    PRIMARY KEY ("id"),
    UNIQUE ("metric_name", "table_id"),
    UNIQUE ("uuid"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("table_id") REFERENCES "tables" ("id")
);

CREATE TABLE "sqlatable_user" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "table_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("table_id") REFERENCES "tables" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "ab_user" ("id")
);

CREATE TABLE "ssh_tunnels" (
    "created_on" DATETIME,
    "changed_on" DATETIME,
    "created_by_fk" INTEGER,
    "changed_by_fk" INTEGER,
    "extra_json" TEXT,
    "uuid" NUMERIC(16),
    "id" INTEGER NOT NULL,
    "database_id" INTEGER,
    "server_address" VARCHAR(256),
    "server_port" INTEGER,
    "username" BLOB,
    "password" BLOB,
    "private_key" BLOB,
    "private_key_password" BLOB,
    PRIMARY KEY ("id"),
    UNIQUE ("database_id"),
    UNIQUE ("uuid"),
    FOREIGN KEY ("database_id") REFERENCES "dbs" ("id")
);

CREATE TABLE "tab_state" (
    "created_on" DATETIME,
    "changed_on" DATETIME,
    "extra_json" TEXT,
    "id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "label" VARCHAR(256),
    "active" BOOLEAN,
    "database_id" INTEGER,
    "schema" VARCHAR(256),
    "sql" TEXT,
    "query_limit" INTEGER,
    "latest_query_id" VARCHAR(11),
    "autorun" BOOLEAN NOT NULL,
    "template_params" TEXT,
    "created_by_fk" INTEGER,
    "changed_by_fk" INTEGER,
    "hide_left_bar" BOOLEAN NOT NULL,
    "saved_query_id" INTEGER,
    "catalog" VARCHAR(256),
    PRIMARY KEY ("id"),
    UNIQUE ("id"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("database_id") REFERENCES "dbs" ("id"),
    FOREIGN KEY ("latest_query_id") REFERENCES "query" ("client_id"),
    FOREIGN KEY ("saved_query_id") REFERENCES "saved_query" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "ab_user" ("id")
);

CREATE TABLE "table_columns" (
    "created_on" DATETIME NOT NULL,
    "changed_on" DATETIME NOT NULL,
    "id" INTEGER NOT NULL,
    "table_id" INTEGER,
    "column_name" VARCHAR(255) NOT NULL,
    "is_dttm" BOOLEAN,
    "is_active" BOOLEAN,
    "type" TEXT,
    "groupby" BOOLEAN,
    "filterable" BOOLEAN,
    "description" TEXT,
    "created_by_fk" INTEGER,
    "changed_by_fk" INTEGER,
    "expression" TEXT,
    "verbose_name" VARCHAR(1024),
    "python_date_format" VARCHAR(255),
    "uuid" NUMERIC(16),
    "extra" TEXT,
    "advanced_data_type" VARCHAR(255),
    "datetime_format" VARCHAR(100),
    PRIMARY KEY ("id"),
    UNIQUE ("column_name", "table_id"),
    UNIQUE ("uuid"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("table_id") REFERENCES "tables" ("id")
);

CREATE TABLE "table_schema" (
    "created_on" DATETIME,
    "changed_on" DATETIME,
    "extra_json" TEXT,
    "id" INTEGER NOT NULL,
    "tab_state_id" INTEGER,
    "database_id" INTEGER NOT NULL,
    "schema" VARCHAR(256),
    "table" VARCHAR(256),
    "description" TEXT,
    "expanded" BOOLEAN,
    "created_by_fk" INTEGER,
    "changed_by_fk" INTEGER,
    "catalog" VARCHAR(256),
    PRIMARY KEY ("id"),
    UNIQUE ("id"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("database_id") REFERENCES "dbs" ("id"),
    FOREIGN KEY ("tab_state_id") REFERENCES "tab_state" ("id")
);

CREATE TABLE "tables" (
    "created_on" DATETIME NOT NULL,
    "changed_on" DATETIME NOT NULL,
    "id" INTEGER NOT NULL,
    "table_name" VARCHAR(250) NOT NULL,
    "main_dttm_col" VARCHAR(250),
    "default_endpoint" TEXT,
    "database_id" INTEGER NOT NULL,
    "created_by_fk" INTEGER,
    "changed_by_fk" INTEGER,
    "offset" INTEGER,
    "description" TEXT,
    "is_featured" BOOLEAN,
    "cache_timeout" INTEGER,
    "schema" VARCHAR(255),
    "sql" TEXT,
    "params" TEXT,
    "perm" VARCHAR(1000),
    "filter_select_enabled" BOOLEAN,
    "fetch_values_predicate" TEXT,
    "is_sqllab_view" BOOLEAN,
    "template_params" TEXT,
    "schema_perm" VARCHAR(1000),
    "extra" TEXT,
    "uuid" NUMERIC(16),
    "is_managed_externally" BOOLEAN NOT NULL,
    "external_url" TEXT,
    "normalize_columns" BOOLEAN,
    "always_filter_main_dttm" BOOLEAN,
    "catalog" VARCHAR(256),
    "catalog_perm" VARCHAR(1000),
    "folders" JSON,
    "currency_code_column" VARCHAR(250),
    PRIMARY KEY ("id"),
    UNIQUE ("table_name"),
    UNIQUE ("uuid"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("database_id") REFERENCES "dbs" ("id")
);

CREATE TABLE "tag" (
    "created_on" DATETIME,
    "changed_on" DATETIME,
    "id" INTEGER NOT NULL,
    "name" VARCHAR(250),
    "type" VARCHAR(12),
    "created_by_fk" INTEGER,
    "changed_by_fk" INTEGER,
    "description" TEXT,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id")
);

CREATE TABLE "tagged_object" (
    "created_on" DATETIME,
    "changed_on" DATETIME,
    "id" INTEGER NOT NULL,
    "tag_id" INTEGER,
    "object_id" INTEGER,
    "object_type" VARCHAR(9),
    "created_by_fk" INTEGER,
    "changed_by_fk" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("tag_id", "object_id", "object_type"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("tag_id") REFERENCES "tag" ("id")
);

CREATE TABLE "task_subscribers" (
    "id" INTEGER NOT NULL,
    "task_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "subscribed_at" DATETIME NOT NULL,
    "created_on" DATETIME,
    "created_by_fk" INTEGER,
    "changed_on" DATETIME,
    "changed_by_fk" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("task_id", "user_id"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("task_id") REFERENCES "tasks" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "ab_user" ("id")
);

CREATE TABLE "tasks" (
    "id" INTEGER NOT NULL,
    "uuid" NUMERIC(16) NOT NULL,
    "task_key" VARCHAR(256) NOT NULL,
    "task_type" VARCHAR(100) NOT NULL,
    "task_name" VARCHAR(256),
    "scope" VARCHAR(20) NOT NULL,
    "status" VARCHAR(50) NOT NULL,
    "dedup_key" VARCHAR(64) NOT NULL,
    "created_on" DATETIME,
    "changed_on" DATETIME,
    "created_by_fk" INTEGER,
    "changed_by_fk" INTEGER,
    "started_at" DATETIME,
    "ended_at" DATETIME,
    "user_id" INTEGER,
    "payload" TEXT,
    "properties" TEXT,
    PRIMARY KEY ("id"),
    UNIQUE ("dedup_key"),
    UNIQUE ("uuid"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "ab_user" ("id")
);

CREATE TABLE "themes" (
    "uuid" NUMERIC(16),
    "created_on" DATETIME,
    "changed_on" DATETIME,
    "id" INTEGER NOT NULL,
    "theme_name" VARCHAR(250),
    "json_data" TEXT,
    "is_system" BOOLEAN NOT NULL,
    "created_by_fk" INTEGER,
    "changed_by_fk" INTEGER,
    "is_system_default" BOOLEAN NOT NULL,
    "is_system_dark" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("uuid"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id")
);

CREATE TABLE "user_attribute" (
    "created_on" DATETIME,
    "changed_on" DATETIME,
    "id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "welcome_dashboard_id" INTEGER,
    "created_by_fk" INTEGER,
    "changed_by_fk" INTEGER,
    "avatar_url" VARCHAR(100),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("welcome_dashboard_id") REFERENCES "dashboards" ("id")
);

CREATE TABLE "user_favorite_tag" (
    "user_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,
    FOREIGN KEY ("tag_id") REFERENCES "tag" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "ab_user" ("id")
);
